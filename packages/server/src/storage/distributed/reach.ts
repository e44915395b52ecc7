import type { Statement } from '../engine/queryable.ts'
import { DISTRIBUTED } from './placement.ts'

/** Which nodes carry out a statement: the one of its first value, all of them, or only the coordinator. */
export type Reach = 'one' | 'all' | 'coordinator'

const TABLE = new RegExp(
  `\\b(from|join|into|update)\\s+(${[...DISTRIBUTED.keys()].join('|')})\\b`,
  'i',
)
/** Every statement about one organization names it so (ADR 27). */
const NAMES_FIRST = /\bid\s*=\s*\$1(?!\d)|_id\s*=\s*\$1(?!\d)|\binsert\s+into\b/i
/** More texts than the program has; lists with filters have several each. */
const REMEMBERED_MAX = 5_000

const remembered = new Map<string, Reach>()

/** Finds the reach by the text, which is read once. */
export function reachOf({ text }: Pick<Statement, 'text'>): Reach {
  const known = remembered.get(text)
  if (known) return known
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const reach = !TABLE.test(text) ? 'coordinator' : NAMES_FIRST.test(text) ? 'one' : 'all'
  remembered.set(text, reach)
  return reach
}

import type { Queryable } from '../engine/queryable.ts'

/** A table that refers to rows of a second one. */
export interface Reference {
  readonly from: string
  readonly to: string
}

/** The references between two different tables. */
export function listReferences(db: Queryable): Promise<Reference[]> {
  return db.query<Reference>({
    text: `
      select distinct f.relname as from, t.relname as to
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.conparentid = 0 and k.conrelid <> k.confrelid
        and k.connamespace = current_schema()::regnamespace`,
  })
}

/**
 * Sorts tables so that each comes after those that it refers to: a distributed table cannot refer to
 * a local one.
 */
export function referredFirst(
  names: readonly string[],
  references: readonly Reference[],
): string[] {
  const sorted: string[] = []
  let waiting = [...names]
  while (waiting.length > 0) {
    const isFree = (name: string): boolean =>
      !references.some(({ from, to }) => from === name && waiting.includes(to))
    const free = waiting.filter(isFree)
    if (free.length === 0) throw new Error(`Tables refer to each other: ${waiting.join(', ')}.`)
    sorted.push(...free)
    waiting = waiting.filter((name) => !isFree(name))
  }
  return sorted
}

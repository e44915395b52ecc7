import type { LiveEvent } from '../../data/stream/events.ts'
import { formatMoney } from '../../words/money.ts'
import { EVENT_WORDS } from '../../words/words.ts'

/** The events that a call causes. */
export interface Expected {
  readonly kinds: readonly string[]
  /** Only events that name no agent, or this one. */
  readonly agentId?: string
  readonly path?: string
  /** What the page waits for: "Waiting for the decision." */
  readonly waiting: string
}

export function isExpected(expected: Expected, { kind, data }: LiveEvent): boolean {
  const { kinds, agentId, path } = expected
  if (!kinds.includes(kind)) return false
  if (agentId !== undefined && data['agentId'] !== undefined && data['agentId'] !== agentId) {
    return false
  }
  return path === undefined || data['path'] === path
}

/** "Spend approved, 12.50 USD at api.openai.com." A hint has no more than its kind. */
export function arrivedWords({ kind, data }: LiveEvent): string {
  const word = EVENT_WORDS[kind as keyof typeof EVENT_WORDS] ?? kind
  const { amount, vendor, currency } = data
  if (typeof amount !== 'number' || typeof vendor !== 'string') return `${word}.`
  const money = formatMoney(amount, typeof currency === 'string' ? currency : null)
  return `${word}, ${money} at ${vendor}.`
}

/** The transaction of an event, which the page links to. */
export function transactionOf({ kind, subject, data }: LiveEvent): string | undefined {
  const id = data['transactionId'] ?? (kind.startsWith('transaction.') ? subject : undefined)
  return typeof id === 'string' ? id : undefined
}

import type { LiveEvent } from '../../data/stream/events.ts'
import { formatMoney } from '../../words/money.ts'
import { EVENT_WORDS } from '../../words/words.ts'

/** The events that a call causes. */
export interface Expected {
  readonly kinds: readonly string[]
  readonly agentId?: string
  readonly path?: string
  /** The spend of the snippet. Other programs of the agent spend too. */
  readonly spend?: { readonly amount: number; readonly vendor?: string }
  /**
   * The command shows events and causes none, so any event fits once the person has copied the
   * command, and the page claims no more than that the event happened.
   */
  readonly isShown?: true
  /** The text while the page waits: "Waiting for the decision." */
  readonly waiting: string
}

/** Whether the event is the one that the snippet causes, as far as the event tells. */
export function isExpected(expected: Expected, { kind, data }: LiveEvent): boolean {
  const { kinds, agentId, path, spend } = expected
  if (!kinds.includes(kind)) return false
  if (agentId !== undefined && data['agentId'] !== agentId) return false
  if (path !== undefined && data['path'] !== path) return false
  if (spend === undefined) return true
  const isVendor = spend.vendor === undefined || data['vendor'] === spend.vendor.toLowerCase()
  return isVendor && data['amount'] === spend.amount
}

/** The transaction to look up: a hint has no more than its kind and this id. */
export function unknownSpend(
  { kinds, isShown }: Expected,
  { kind, subject, data }: LiveEvent,
): string | null {
  return kinds.includes(kind) && !isShown && data['amount'] === undefined ? subject : null
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

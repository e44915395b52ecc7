import type { Instant } from '../time/instant.ts'
import type { MessageKind } from './kinds.ts'

/**
 * After a message, further things of its kind wait this long and then arrive as one message. A
 * request for approval expires, after 30 minutes by default, so it waits least. A receiver of
 * webhooks that fails can fail for days, so its messages are rarer.
 */
export const QUIET_MS: Readonly<Record<MessageKind, number>> = {
  approvals: 2 * 60_000,
  budget: 10 * 60_000,
  endpoints: 6 * 3_600_000,
}

/** How many things a message keeps by id; it only counts further ones. */
export const ITEMS_MAX = 50

/** A message that waits, or whose recipient got it a short time ago. */
export interface KnownMessage {
  readonly id: string
  readonly kind: string
  readonly recipientId: string
  readonly items: readonly string[]
  readonly itemCount: number
  /** Null while the message waits or is being sent. */
  readonly endedAt: Instant | null
  readonly isLeased: boolean
}

export interface Recipient {
  readonly id: string
  readonly channel: 'mail' | 'chat'
}

export interface NewItems {
  readonly kind: MessageKind
  readonly items: readonly string[]
  /** With those that `items` leaves out. */
  readonly count: number
}

interface Gathered {
  readonly items: readonly string[]
  readonly itemCount: number
}

export interface Planned extends Gathered {
  readonly kind: MessageKind
  readonly recipient: Recipient
  readonly dueAt: Instant
}

/** What new items change: messages that wait get more items, other recipients get a new message. */
export interface DigestPlan {
  readonly grown: readonly (Gathered & { readonly id: string })[]
  readonly added: readonly Planned[]
}

/**
 * Adds new items of one kind to the messages of its recipients. The first message goes at once.
 * Items within the quiet time after it are gathered in one further message.
 */
export function planDigest(
  { kind, items, count }: NewItems,
  recipients: readonly Recipient[],
  known: readonly KnownMessage[],
  now: Instant,
): DigestPlan {
  const grown: (Gathered & { readonly id: string })[] = []
  const added: Planned[] = []
  for (const recipient of recipients) {
    const own = known.filter((one) => one.kind === kind && one.recipientId === recipient.id)
    const waiting = own.find(({ endedAt, isLeased }) => endedAt === null && !isLeased)
    if (waiting) {
      const all = [...new Set([...waiting.items, ...items])].slice(0, ITEMS_MAX)
      grown.push({ id: waiting.id, items: all, itemCount: waiting.itemCount + count })
      continue
    }
    // A message that is being sent now counts as sent.
    const last = Math.max(...own.map(({ endedAt }) => endedAt ?? now))
    const dueAt = Math.max(now, last + QUIET_MS[kind])
    added.push({ kind, recipient, items: items.slice(0, ITEMS_MAX), itemCount: count, dueAt })
  }
  return { grown, added }
}

import type { Instant } from '../../../core/time/instant.ts'

export const CARD_STATUSES = ['active', 'paused', 'closed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** A card of an issuer, and the agent that spends with it. */
export interface Card {
  readonly id: string
  readonly connectionId: string
  /** The issuer's name of the card; never a card number (ADR 36). */
  readonly externalId: string
  readonly agentId: string
  readonly last4: string | null
  readonly currency: string | null
  readonly label: string | null
  /** Purser's status; the issuer has its own in `providerStatus`. */
  readonly status: CardStatus
  readonly statusReason: string | null
  readonly providerStatus: CardStatus | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
}

/** A card together with everything that can stop it from being used. */
export interface CardInUse extends Card {
  readonly agentStatus: 'active' | 'paused' | 'deleted'
  readonly isFrozen: boolean
}

/** The number of open cards that an organization can have. */
export const CARDS_MAX = 10_000

/** The reason why the card may not be used: the stricter of our status and the issuer's. */
export function stopOf(
  card: Pick<CardInUse, 'status' | 'providerStatus' | 'agentStatus'>,
): 'card_paused' | 'card_closed' | null {
  const statuses = [card.status, card.providerStatus]
  // An older gateway that deletes an agent leaves its cards as they were.
  if (statuses.includes('closed') || card.agentStatus === 'deleted') return 'card_closed'
  return statuses.includes('paused') ? 'card_paused' : null
}

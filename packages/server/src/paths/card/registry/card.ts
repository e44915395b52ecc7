import type { Instant } from '../../../core/time/instant.ts'

export const CARD_STATUSES = ['active', 'paused', 'closed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** Which agent spends with a card of an issuer. */
export interface Card {
  readonly id: string
  readonly connectionId: string
  /** As the issuer names it; never a number. */
  readonly externalId: string
  readonly agentId: string
  readonly last4: string | null
  readonly currency: string | null
  readonly label: string | null
  /** Ours; the issuer has one of its own. */
  readonly status: CardStatus
  readonly statusReason: string | null
  readonly providerStatus: CardStatus | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** As `actorText` shows it; null if it was not kept. */
  readonly updatedBy: string | null
}

/** A card together with everything that can stop it from being used. */
export interface CardInUse extends Card {
  readonly agentStatus: 'active' | 'paused' | 'deleted'
  readonly isFrozen: boolean
}

/** How many cards an organization can have that are not closed. */
export const CARDS_MAX = 10_000

/** Why the card itself may not be used: the stricter of what we and the issuer say. */
export function stopOf(
  card: Pick<CardInUse, 'status' | 'providerStatus' | 'agentStatus'>,
): 'card_paused' | 'card_closed' | null {
  const statuses = [card.status, card.providerStatus]
  // An agent that is deleted by an older gateway leaves its cards as they were.
  if (statuses.includes('closed') || card.agentStatus === 'deleted') return 'card_closed'
  return statuses.includes('paused') ? 'card_paused' : null
}

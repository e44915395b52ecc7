import type { Static } from 'typebox'
import { Problem } from '../../../base/errors.ts'
import { toPublicId } from '../../../core/id.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { CARD_PROBLEMS } from '../problems.ts'
import type { Card } from './card.ts'
import type { CardChange } from './card-schemas.ts'

/** Returns the card after the change. Throws if the change would reopen a closed card. */
export function changeCard(
  current: Card,
  body: Static<typeof CardChange>,
  at: Instant,
  updatedBy: string,
): Card {
  const { status = current.status, agentId = current.agentId } = body
  const isOther = status !== current.status
  const isUsed = isOther || agentId !== current.agentId
  if (current.status === 'closed' && isUsed) throw closedForGood(current)
  const statusReason = isOther ? null : current.statusReason
  return { ...current, statusReason, ...body, updatedAt: at, updatedBy }
}

function closedForGood({ id }: Card): Problem {
  return new Problem(
    CARD_PROBLEMS.card_closed_for_good,
    `The card ${toPublicId('card', id)} is closed and cannot be reopened. Register it again, or another card of the issuer, with POST /cards.`,
  )
}

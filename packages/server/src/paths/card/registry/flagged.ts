import { createHash } from 'node:crypto'
import { maskCardNumber } from '../../../core/card-number.ts'
import { toPublicId } from '../../../core/id.ts'
import { type Micros, toUnits } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { CardEvent } from '../issuers/issuer.ts'
import type { Fact, ForeignFact, RefundFact } from '../ledger/facts.ts'
import type { CardAuthorization } from '../storage/authorizations.ts'
import type { CardHolder } from '../storage/card-holders.ts'

/** The kinds of events that a person should look at. */
export const FLAGGED_KINDS = ['other_currency', 'unlinked_refund', 'unreadable_event'] as const
export type FlaggedKind = (typeof FLAGGED_KINDS)[number]

export interface FlaggedEvent {
  readonly what: FlaggedKind
  /** Makes the flag unique: the same event again is the same flag. */
  readonly name: string
  /** The time of receipt. */
  readonly at: Instant
  readonly told: FlaggedFigures
}

/** Also the body of the event in the feed, together with the connection and the time. */
export interface FlaggedFigures {
  readonly authorizationId: string | null
  /** The issuer's id of the money. */
  readonly externalTransactionId: string | null
  readonly cardId: string | null
  readonly agentId: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly message: string
}

/** An event, and the agent that had its card when the purchase began. */
export interface Heard {
  readonly event: CardEvent
  readonly holder: CardHolder | undefined
}

/** Money in a currency other than that of its authorization: its converted amount is unknown. */
export function flagForeign(money: ForeignFact, heard: Heard, at: Instant): FlaggedEvent {
  const message = `The currency of a ${money.of} differs from that of its authorization. Nothing is booked until the issuer or a person states the converted amount.`
  const figures = { amount: toUnits(money.amount), currency: money.currency, message }
  const told = { ...figuresOf(heard, money.moneyId), ...figures }
  return { what: 'other_currency', name: money.id, at, told }
}

/** Money that was recorded because no request covers it. */
interface Recorded {
  readonly authorization: CardAuthorization
  readonly facts: readonly Fact[]
  readonly amount: Micros
}

/** Money of an agent whose mandate is in another currency. Each authorization is flagged once. */
export function flagUnbudgeted(recorded: Recorded, at: Instant): FlaggedEvent {
  const { authorization, facts } = recorded
  const { id, externalId, currency, cardId, agentId } = authorization
  const [first] = facts.filter(({ kind }) => kind === 'capture').toSorted((a, b) => a.at - b.at)
  const moneyId = first?.id ?? null
  // Money without an authorization has an authorization of its own, under the money's name.
  const authorizationId = externalId === moneyId ? null : maskCardNumber(externalId)
  const message =
    "The money has a different currency than the agent's mandate. It is recorded, but counts in no budget."
  const told = {
    authorizationId,
    externalTransactionId: moneyId === null ? null : maskCardNumber(moneyId),
    cardId: cardId === null ? null : toPublicId('card', cardId),
    agentId,
    amount: toUnits(recorded.amount),
    currency,
    message,
  }
  return { what: 'other_currency', name: `recorded ${id}`, at, told }
}

/** A refund whose purchase is unknown. */
export function flagUnlinked(refund: RefundFact, heard: Heard, at: Instant): FlaggedEvent {
  const message =
    'The refund belongs to no authorization. It is recorded, but returns nothing to a budget.'
  const figures = { amount: toUnits(refund.amount), currency: heard.event.currency, message }
  const told = { ...figuresOf(heard, refund.id), ...figures }
  return { what: 'unlinked_refund', name: refund.id, at, told }
}

/** Neither `why` nor the hash reveals anything of the payload. */
export function flagUnreadable(body: Buffer, why: string, at: Instant): FlaggedEvent {
  const name = createHash('sha256').update(body).digest('hex')
  const message = `The gateway cannot read an event of the issuer, and the event may be about money. ${why}`
  return { what: 'unreadable_event', name, at, told: { ...NOTHING, message } }
}

const NOTHING = {
  authorizationId: null,
  externalTransactionId: null,
  cardId: null,
  agentId: null,
  amount: null,
  currency: null,
}

function figuresOf({ event, holder }: Heard, moneyId: string) {
  const { authorizationId } = event
  return {
    authorizationId: authorizationId === null ? null : maskCardNumber(authorizationId),
    externalTransactionId: maskCardNumber(moneyId),
    cardId: holder ? toPublicId('card', holder.cardId) : null,
    agentId: holder?.agentId ?? null,
  }
}

import { minorUnitOf } from '../../core/minor-unit.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { NotedSpend } from '../../storage/decisions/store-decisions.ts'
import { newId } from '../../storage/new-id.ts'
import type { CardRequest } from './issuers/issuer.ts'
import { balancesOf } from './ledger/balances.ts'
import type { Fact } from './ledger/facts.ts'
import { inCurrency } from './ledger/other-currency.ts'
import { highRiskOf } from './mapping/mcc.ts'
import { stopOf } from './registry/card.ts'
import type { CardConnection, OpenedConnection } from './registry/connection.ts'
import type { RememberedCard } from './remembered.ts'
import { externalOfPurchase, sellerOf } from './seller.ts'
import type { AskedCard, AskedContext } from './storage/asked-context.ts'
import type { NewAuthorization } from './storage/authorizations.ts'
import type { KnownMerchant } from './storage/vendor-of-merchant.ts'

/** An issuer's request in the form in which it is judged and stored. */
export interface Asked {
  readonly spend: Spend
  readonly authorization: NewAuthorization
  /** The request in the transaction's record. It contains no personal data. */
  readonly noted: NotedSpend
}

interface AskedOf {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly card: AskedCard
  readonly context: Pick<AskedContext, 'vendor' | 'facts'>
}

/** The ids of a request's rows. They stay the same however often the request is judged. */
export interface AskedIds {
  readonly transactionId: string
  readonly authorizationId: string
}

export function newAskedIds(now: Instant): AskedIds {
  return { transactionId: newId(now), authorizationId: newId(now) }
}

/**
 * A request as it is recorded if its context could not be read in time: with the remembered card and
 * merchant, and without the facts of its authorization.
 */
export function toGuessed(
  { connection, request, card, vendor }: Omit<AskedOf, 'card' | 'context'> & Guess,
  ids: AskedIds,
): Asked {
  const alone = { ...request, total: null }
  const context = { vendor, facts: [] }
  return toAsked({ connection, request: alone, card: { ...UNSEEN, ...card }, context }, ids)
}

/**
 * Removes card and agent from an authorization whose card was only remembered. An authorization keeps
 * its first agent for good, so that agent must not be a guess.
 */
export function withoutSpender(asked: Asked): Asked {
  return { ...asked, authorization: { ...asked.authorization, cardId: null, agentId: null } }
}

interface Guess {
  readonly card: RememberedCard
  readonly vendor: KnownMerchant | undefined
}

/** Assumes an active card and agent, until the context is read. */
const UNSEEN = {
  status: 'active',
  providerStatus: null,
  agentStatus: 'active',
  isFrozen: false,
} as const

/** Converts a request into the common form of all paths. */
export function toAsked({ connection, request, card, context }: AskedOf, ids: AskedIds): Asked {
  const { organizationId } = connection
  const { merchant, currency } = request
  const { amount, total } = amountsOf(request, context.facts)
  const seller = sellerOf(merchant, context.vendor)
  const mayBePartial = connection.partialApprovals && request.partialSupported
  const spend: Spend = {
    transactionId: ids.transactionId,
    organizationId,
    agentId: card.agentId,
    path: 'card',
    amount,
    currency,
    vendor: seller.vendor,
    category: seller.category,
    reference: null,
    payee: null,
    holdMs: Number.POSITIVE_INFINITY,
    card: {
      cardId: card.id,
      mcc: merchant.mcc,
      highRisk: highRiskOf(merchant.mcc),
      total,
      partialUnit: mayBePartial ? minorUnitOf(currency) : null,
      stop: stopOf(card),
    },
  }
  const authorization = {
    id: ids.authorizationId,
    connectionId: connection.id,
    externalId: request.authorizationId,
    cardId: card.id,
    agentId: card.agentId,
    currency,
    vendor: spend.vendor,
    category: spend.category,
    merchant,
    merchantFlags: seller.flags,
  }
  const external = externalOf(connection, card, request, amount)
  return { spend, authorization, noted: { external, flags: seller.flags } }
}

/**
 * Returns the requested amount, and the total of the purchase if the request adds to an approved one
 * (approved by us or by the issuer alone). If nothing was approved before, the request is a purchase of
 * its own even if the issuer counts it as an increment, so it also counts as one.
 */
function amountsOf(
  { requestId, amount, total, currency }: CardRequest,
  facts: readonly Fact[],
): { readonly amount: Micros; readonly total: Micros | null } {
  const earlier = facts.filter(({ kind, id }) => kind !== 'request' || id !== requestId)
  const { approved, ungoverned } = balancesOf(inCurrency(earlier, currency))
  const before = approved.reduce((sum, request) => sum + request.amount, ungoverned)
  const added = total === null ? amount : total > before ? total - before : 0n
  return { amount: added, total: before > 0n && added > 0n ? before + added : null }
}

function externalOf(
  connection: CardConnection,
  card: AskedCard,
  request: CardRequest,
  asked: Micros,
): object {
  const { merchantAmount, merchant, authorizationId } = request
  const purchase = { connectionId: connection.id, cardId: card.id, authorizationId, merchant }
  const shown = externalOfPurchase(purchase)
  // Written out, because spreading an object costs ten times as much on the way of every request.
  return {
    connectionId: shown.connectionId,
    cardId: shown.cardId,
    authorizationId: shown.authorizationId,
    merchant: shown.merchant,
    requestId: request.requestId,
    index: request.index,
    type: request.type,
    initiator: request.initiator,
    requestedAmount: toUnits(asked),
    merchantAmount: merchantAmount === null ? null : toUnits(merchantAmount),
    merchantCurrency: request.merchantCurrency,
  }
}

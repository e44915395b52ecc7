import { toPublicId } from '../../core/id.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { TransactionFlag } from '../../core/transaction.ts'
import { newId } from '../../storage/new-id.ts'
import type { CardRequest } from './issuers/issuer.ts'
import { balancesOf } from './ledger/balances.ts'
import type { Fact } from './ledger/facts.ts'
import { minorUnitOf } from './mapping/currency.ts'
import { categoryOfMcc, highRiskOf } from './mapping/mcc.ts'
import { unrecognisedVendor } from './mapping/merchant.ts'
import { stopOf } from './registry/card.ts'
import type { CardConnection, OpenedConnection } from './registry/connection.ts'
import type { AskedCard, AskedContext } from './storage/asked-context.ts'
import type { NewAuthorization } from './storage/authorizations.ts'

/** What an issuer asked, as it is judged and kept. */
export interface Asked {
  readonly spend: Spend
  readonly authorization: NewAuthorization
  /** What the transaction's record says of it; nothing of a person. */
  readonly external: object
}

interface AskedOf {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly card: AskedCard
  readonly context: AskedContext
}

/** A request in the common form of all paths. */
export function toAsked({ connection, request, card, context }: AskedOf, now: Instant): Asked {
  const { organizationId } = connection
  const { merchant, currency } = request
  const { amount, total } = amountsOf(request, context.facts)
  const seller = sellerOf(request, context)
  const mayBePartial = connection.partialApprovals && request.partialSupported
  const spend: Spend = {
    transactionId: newId(now),
    organizationId,
    agentId: card.agentId,
    path: 'card',
    amount,
    currency,
    vendor: seller.vendor,
    category: context.vendor?.category ?? categoryOfMcc(merchant.mcc),
    reference: null,
    payee: null,
    holdMs: Number.POSITIVE_INFINITY,
    card: {
      mcc: merchant.mcc,
      highRisk: highRiskOf(merchant.mcc),
      total,
      partialUnit: mayBePartial ? minorUnitOf(currency) : null,
      stop: stopOf(card),
    },
  }
  const authorization = {
    id: newId(now),
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
  return { spend, authorization, external: externalOf(connection, card, request, amount) }
}

/**
 * What is asked for, and what all of the purchase comes to where more is asked for one that is
 * approved already, by us or by the issuer alone. Where nothing was, it is a purchase of its own,
 * whatever the issuer counts: so it is also counted as one.
 */
function amountsOf(
  { requestId, amount, total }: CardRequest,
  facts: readonly Fact[],
): { readonly amount: Micros; readonly total: Micros | null } {
  const earlier = facts.filter(({ kind, id }) => kind !== 'request' || id !== requestId)
  const { approved, ungoverned } = balancesOf(earlier)
  const before = approved.reduce((sum, request) => sum + request.amount, ungoverned)
  const added = total === null ? amount : total > before ? total - before : 0n
  return { amount: added, total: before > 0n && added > 0n ? before + added : null }
}

/**
 * The vendor that rules see. A name is the merchant's own text: where the directory knows ids of a
 * vendor, one with its name and another id is somebody else until the organization says otherwise.
 */
export function sellerOf(
  { merchant }: Pick<CardRequest, 'merchant'>,
  { vendor }: Pick<AskedContext, 'vendor'>,
): { readonly vendor: string; readonly flags: readonly TransactionFlag[] } {
  if (!vendor) return { vendor: unrecognisedVendor(merchant), flags: ['merchant_unrecognised'] }
  const isDrifted = vendor.matchedBy === 'name' && vendor.hasIds && merchant.id !== null
  if (isDrifted) return { vendor: unrecognisedVendor(merchant), flags: ['merchant_drift'] }
  return { vendor: vendor.host, flags: [] }
}

function externalOf(
  connection: CardConnection,
  card: AskedCard,
  request: CardRequest,
  asked: Micros,
): object {
  const { network, id, name, mcc, country } = request.merchant
  const { merchantAmount } = request
  return {
    connectionId: toPublicId('conn', connection.id),
    cardId: toPublicId('card', card.id),
    authorizationId: request.authorizationId,
    requestId: request.requestId,
    index: request.index,
    type: request.type,
    merchant: { name, id, network, mcc, country },
    initiator: request.initiator,
    requestedAmount: toUnits(asked),
    merchantAmount: merchantAmount === null ? null : toUnits(merchantAmount),
    merchantCurrency: request.merchantCurrency,
  }
}

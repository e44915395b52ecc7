import type { Static } from 'typebox'
import type { Decision } from '../../core/decision/decide.ts'
import { toPublicId } from '../../core/id.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Assurance, Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Decided } from '../../gateway/submission.ts'
import { toTimestamp } from '../../http/document/schemas.ts'
import { toDecisionFields, toPreviewFields } from '../decision-answer.ts'
import { type Asset, findAsset } from './offers/assets.ts'
import type { X402Payment } from './payment.ts'
import { type Delivery, isDelivered } from './resource/delivery.ts'
import type { PayAnswer } from './schemas.ts'
import type { SignedPayment } from './wallet/authorization.ts'

type Answer = Static<typeof PayAnswer>

const NOTHING = {
  price: null,
  payee: null,
  payment: null,
  resource: null,
  resourceError: null,
  settlement: null,
  hold: null,
  anomalies: [],
}

const NO_SETTLEMENT = {
  state: 'none',
  transaction: null,
  source: null,
  verified: false,
  settledAmount: null,
} as const

function toDecisionAnswer(decided: Decided) {
  return { ...toDecisionFields(decided), ...NOTHING, settlement: NO_SETTLEMENT }
}

export function toRejectedAnswer(decided: Decided): Answer {
  return { status: 'rejected', ...toDecisionAnswer(decided) }
}

/** The decision that this spend would get. The gateway records, holds and signs nothing. */
export function toPreviewAnswer(spend: Spend, decision: Decision, receivedAt: number) {
  return {
    ...toPreviewFields(spend, decision, receivedAt),
    ...NOTHING,
    settlement: NO_SETTLEMENT,
  }
}

/** Answers for a vendor that asked for no money. The gateway judged and held nothing. */
export function toFreeAnswer(
  { agentId, vendor }: { readonly agentId: string; readonly vendor: string },
  { resource, resourceError }: Delivery,
): Answer {
  return {
    status: 'no_payment_required',
    decision: null,
    remainingBudget: null,
    transactionId: null,
    evaluationDetails: null,
    mandateId: null,
    agentId,
    amount: null,
    vendor,
    category: null,
    flags: [],
    ...NOTHING,
    resource,
    resourceError,
  }
}

export function toPriceShape(asset: Asset, atomic: bigint): NonNullable<Answer['price']> {
  const { address, symbol, decimals, network, currency } = asset
  return { atomic: String(atomic), asset: address, symbol, decimals, network, currency }
}

export function toPayeeShape(address: string, assurance: Assurance) {
  return { address, assurance }
}

export function toSignedAnswer(
  decided: Decided,
  payment: X402Payment,
  signed: SignedPayment | undefined,
  now: Instant,
): Answer {
  const { authorization, version } = payment
  return {
    status: signedStatusOf(payment, signed !== undefined, now),
    ...toDecisionAnswer(decided),
    ...paidParts(decided, payment, null),
    payment: signed
      ? {
          headerName: signed.headerName,
          headerValue: signed.headerValue,
          payload: signed.payload,
          x402Version: version,
          nonce: authorization.nonce,
          validBefore: toTimestamp(authorization.validBefore * 1_000),
        }
      : null,
  }
}

/**
 * A retry gets the same header, and its status says whether the header can still be used. If the
 * header is missing, the status says that the caller who got it first may have used it.
 */
function signedStatusOf(
  { state, authorization }: X402Payment,
  hasHeader: boolean,
  now: Instant,
): Answer['status'] {
  if (state === 'settled') return 'settled'
  if (state === 'released') return 'not_paid'
  const isOfUse = hasHeader && now < authorization.validBefore * 1_000
  return isOfUse ? 'signed' : 'settlement_unknown'
}

export function toDeliveredAnswer(
  decided: Decided,
  payment: X402Payment,
  delivery: Delivery,
): Answer {
  const { resource, resourceError, receipt } = delivery
  return {
    status: statusOf(payment, isDelivered(delivery)),
    ...toDecisionAnswer(decided),
    ...paidParts(decided, payment, receipt),
    resource,
    resourceError,
  }
}

function statusOf({ state }: X402Payment, hasCome: boolean): Answer['status'] {
  if (state === 'settled') return hasCome ? 'paid' : 'paid_not_delivered'
  if (state === 'released') return 'not_paid'
  return hasCome ? 'delivered_unsettled' : 'settlement_unknown'
}

function paidParts(decided: Decided, payment: X402Payment, receipt: string | null) {
  const { network, asset, authorization, assurance, state } = payment
  const known = findAsset(network, asset)
  return {
    price: known ? toPriceShape(known, authorization.value) : null,
    payee: toPayeeShape(authorization.to, assurance),
    settlement: settlementOf(payment, decided.amount, receipt),
    hold: {
      id: toPublicId('txn', payment.id),
      state,
      releaseNotBefore: toTimestamp(authorization.validBefore * 1_000),
      budgetRemaining: toUnits(decided.remainingBudget),
    },
    anomalies: [...payment.anomalies],
  }
}

/** Passes on a vendor's claim about a transfer as unverified. */
function settlementOf(
  { state, proof, chainTransaction, mode }: X402Payment,
  amount: Micros,
  receipt: string | null,
): NonNullable<Answer['settlement']> {
  if (state === 'settled') {
    const isProven = proof === 'chain'
    return {
      state: 'settled',
      transaction: chainTransaction,
      source: isProven ? 'chain' : 'assumed',
      verified: isProven,
      settledAmount: toUnits(amount),
    }
  }
  if (state === 'released')
    return {
      ...NO_SETTLEMENT,
      source: proof === 'owner' ? 'assumed' : 'chain',
      verified: proof === 'chain',
    }
  if (receipt !== null) {
    return { ...NO_SETTLEMENT, state: 'pending', transaction: receipt, source: 'vendor' }
  }
  return { ...NO_SETTLEMENT, state: mode === 'sign' ? 'pending' : 'unknown' }
}

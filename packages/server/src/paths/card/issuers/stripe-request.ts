import { randomUUID } from 'node:crypto'
import type { EarlierRequest, Purchase, Request } from './purchase.ts'

/** The version of Stripe's API that these bodies follow. */
const VERSION = '2026-10-28.endive'

/** Builds the event by which Stripe requests a decision about an authorization. */
export function toStripeRequest(request: Request): object {
  const { purchase, held } = request
  return toStripeEvent('issuing_authorization.request', request.seconds, {
    ...toStripeAuthorization(request, { status: 'pending', amount: held, approved: held > 0 }),
    pending_request: {
      ...toAmounts(purchase, purchase.amount),
      is_amount_controllable: purchase.partialSupported,
      network_risk_score: null,
      amount_details: { atm_fee: null, cashback_amount: null },
    },
  })
}

interface State {
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  readonly amount: number
  readonly approved: boolean
  readonly transactions?: readonly object[]
}

/** Builds the authorization in the form of all Stripe events about it. */
export function toStripeAuthorization(
  { authorizationId, purchase, before, seconds }: Request,
  { status, amount, approved, transactions = [] }: State,
): object {
  return {
    id: authorizationId,
    object: 'issuing.authorization',
    ...toAmounts(purchase, amount),
    approved,
    status,
    authorization_method: 'online',
    card_presence: 'not_present',
    card: {
      id: purchase.card,
      object: 'issuing.card',
      brand: 'Visa',
      last4: '4242',
      status: 'active',
      currency: purchase.currency.toLowerCase(),
      livemode: false,
    },
    created: before[0]?.seconds ?? seconds,
    livemode: false,
    merchant_data: toStripeMerchant(purchase),
    metadata: {},
    pending_request: null,
    request_history: before.toReversed().map((earlier) => toHistory(earlier, purchase)),
    transactions,
  }
}

export function toStripeEvent(type: string, seconds: number, object: object, more = {}): object {
  return {
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: VERSION,
    created: seconds,
    data: { object, ...more },
    livemode: false,
    type,
  }
}

export function toStripeMerchant({ merchant }: Purchase): object {
  return {
    name: merchant.name,
    network_id: merchant.id,
    category_code: merchant.mcc,
    country: merchant.country,
    url: null,
  }
}

export function toAmounts({ currency }: Purchase, amount: number): object {
  const code = currency.toLowerCase()
  return { amount, currency: code, merchant_amount: amount, merchant_currency: code }
}

function toHistory({ amount, isApproved, reason, seconds }: EarlierRequest, purchase: Purchase) {
  return { ...toAmounts(purchase, amount), approved: isApproved, reason, created: seconds }
}

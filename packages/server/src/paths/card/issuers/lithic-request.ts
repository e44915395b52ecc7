import { randomUUID } from 'node:crypto'
import type { Purchase, Request } from './purchase.ts'

/** Builds the body that Lithic posts to Auth Stream Access before it approves. */
export function toLithicRequest({ authorizationId, purchase, seconds }: Request): object {
  const { amount, currency, card, partialSupported } = purchase
  return {
    event_type: 'card_authorization.approval_request',
    token: authorizationId,
    event_token: randomUUID(),
    status: 'AUTHORIZATION',
    amounts: { ...toLithicAmounts(purchase, amount), hold: { amount, currency } },
    card: { token: card, last_four: '4242', state: 'OPEN', type: 'VIRTUAL' },
    merchant: toLithicMerchant(purchase),
    network: 'VISA',
    transaction_initiator: 'CARDHOLDER',
    pos: { terminal: { partial_approval_capable: partialSupported } },
    created: toLithicTime(seconds),
  }
}

export function toLithicAmounts({ currency }: Purchase, amount: number) {
  return {
    cardholder: { amount, conversion_rate: '1.000000', currency },
    merchant: { amount, currency },
    settlement: null,
  }
}

export function toLithicMerchant({ merchant }: Purchase): object {
  return {
    acceptor_id: merchant.id,
    descriptor: merchant.name,
    mcc: merchant.mcc,
    country: merchant.country,
  }
}

export function toLithicTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

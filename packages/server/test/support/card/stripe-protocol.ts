import { randomUUID } from 'node:crypto'
import { signAsStripe } from '../../../src/paths/card/issuers/sign.ts'
import {
  toAmounts,
  toStripeAuthorization,
  toStripeEvent,
  toStripeMerchant,
  toStripeRequest,
} from '../../../src/paths/card/issuers/stripe-request.ts'
import type { Account, Movement, Protocol } from './protocol.ts'

/** Stripe Issuing, as far as the gateway sees it. */
export const stripeProtocol: Protocol = {
  newId: () => `iauth_${randomUUID()}`,
  waitMs: 2_000,
  asksTwice: false,
  sign: signAsStripe,
  toRequest: toStripeRequest,
  readAnswer,
  toEvents,
}

function readAnswer(body: unknown): { isApproved: boolean; amount?: number } | undefined {
  if (typeof body !== 'object' || body === null || !('approved' in body)) return undefined
  if (typeof body.approved !== 'boolean') return undefined
  const amount = 'amount' in body && typeof body.amount === 'number' ? { amount: body.amount } : {}
  return { isApproved: body.approved, ...amount }
}

/** A movement of money has its own event, followed by the changed authorization. */
function toEvents(account: Account): readonly object[] {
  const latest = account.movements.at(-1)
  if (latest === undefined) return []
  const money = latest.kind === 'capture' || latest.kind === 'refund'
  const moved = money
    ? [toStripeEvent('issuing_transaction.created', latest.seconds, toTransaction(account, latest))]
    : []
  // A forced capture had no authorization request, so there is no authorization to report.
  return account.before.length === 0 ? moved : [...moved, toAuthorizationEvent(account, latest)]
}

function toAuthorizationEvent(account: Account, latest: Movement): object {
  const isFirst = account.movements.length === 1
  const isDecision = latest.kind === 'authorization'
  const isApproved = account.before.some((request) => request.isApproved)
  const authorization = toStripeAuthorization(account, {
    status: account.status,
    // A lapsed amount may still be captured late, so Stripe leaves it; Stripe also shows declined
    // amounts.
    amount: isApproved && account.status !== 'expired' ? account.held : latest.amount,
    approved: isApproved,
    transactions: account.movements
      .filter(({ kind }) => kind === 'capture' || kind === 'refund')
      .map((movement) => toTransaction(account, movement)),
  })
  if (isFirst) {
    return toStripeEvent('issuing_authorization.created', account.seconds, authorization)
  }
  const previous = isDecision ? { request_history: [] } : { status: 'pending' }
  return toStripeEvent('issuing_authorization.updated', account.seconds, authorization, {
    previous_attributes: previous,
  })
}

/** Captures are negative, refunds positive. */
function toTransaction({ authorizationId, purchase, before }: Account, moved: Movement): object {
  const { id, kind, amount, seconds } = moved
  return {
    id: `ipi_${id}`,
    object: 'issuing.transaction',
    ...toAmounts(purchase, kind === 'capture' ? -amount : amount),
    authorization: before.length === 0 ? null : authorizationId,
    card: purchase.card,
    created: seconds,
    livemode: false,
    merchant_data: toStripeMerchant(purchase),
    type: kind,
  }
}

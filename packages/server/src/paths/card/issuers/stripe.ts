import { randomUUID } from 'node:crypto'
import { toMinor } from '../../../core/minor-unit.ts'
import {
  childOf,
  childOrNull,
  currencyOf,
  type Fields,
  flagOrNull,
  listOf,
  minorOf,
  mistakeIn,
  note,
  numberOrNull,
  readFields,
  secondsOf,
  textOf,
} from './fields.ts'
import type { CardRequest, CardVerdict, Issuer, IssuerAnswer, Unread } from './issuer.ts'
import { signAsStripe } from './sign.ts'
import { verifyStripe } from './signatures.ts'
import { readStripeEvent } from './stripe-events.ts'
import { readStripeCard, readStripeMerchant } from './stripe-parts.ts'
import { toStripeRequest } from './stripe-request.ts'
import type { TriggerAnswer } from './trigger.ts'

/** The API version of our answers; Stripe refuses an answer without it. */
const VERSION = '2026-10-28.endive'
/** Stripe waits two seconds, including the network time both ways. */
const DEADLINE_MS = 1_200

/** Stripe Issuing: the real-time authorization webhook, and the events about the outcome. */
export const stripe: Issuer = {
  provider: 'stripe',
  title: 'Stripe Issuing',
  asks: 'authorization',
  verify: verifyStripe,
  deadlineMs: DEADLINE_MS,
  readRequest,
  readEvent: readStripeEvent,
  answer,
  trigger: {
    waitMs: 2_000,
    country: 'US',
    newAuthorizationId: () => `iauth_${randomUUID()}`,
    toRequest: toStripeRequest,
    sign: signAsStripe,
    readAnswer,
  },
}

function readAnswer({
  approved,
  amount,
  metadata,
}: Readonly<Record<string, unknown>>): TriggerAnswer | undefined {
  if (approved === true) return { isApproved: true, isPartial: amount !== undefined }
  if (approved !== false) return undefined
  const isNoted = typeof metadata === 'object' && metadata !== null && 'purser_reason' in metadata
  return { isApproved: false, reason: String(isNoted ? metadata.purser_reason : undefined) }
}

function readRequest(body: unknown): CardRequest | Unread {
  const event = readFields(body)
  const type = textOf(event, 'type')
  if (type !== '' && type !== 'issuing_authorization.request') {
    return { unread: 'other', why: 'It is not an authorization request.' }
  }
  const authorization = childOf(childOf(event, 'data'), 'object')
  const authorizationId = textOf(authorization, 'id')
  // Increments have the same id and type as the first request. The number of earlier decisions tells
  // them apart, in any event of Stripe and any repetition.
  const index = listOf(authorization, 'request_history').length
  const request = {
    kind: 'request',
    requestId: `${authorizationId}:${index}`,
    authorizationId,
    index,
    isLive: flagOrNull(event, 'livemode'),
    card: readStripeCard(childOf(authorization, 'card')),
    ...readPending(childOf(authorization, 'pending_request')),
    merchant: readStripeMerchant(authorization),
    at: secondsOf(event, 'created'),
    echo: null,
  } as const
  return mistakeIn(event) ?? request
}

/**
 * The requested amount. The amount of the authorization itself does not help: it is the approved amount
 * so far, and 0 at first.
 */
function readPending(pending: Fields) {
  const currency = currencyOf(pending, 'currency')
  const amount = minorOf(pending, 'amount', currency)
  if (amount < 0n) note(pending, 'amount')
  const merchantCurrency = currencyOf(pending, 'merchant_currency')
  return {
    type: amount === 0n ? 'verification' : 'authorization',
    amount,
    // Stripe sends the addition. The approved total is ours to know: events that changed it may still
    // be on their way, and a difference would then be too small.
    total: null,
    currency,
    merchantAmount: minorOf(pending, 'merchant_amount', merchantCurrency),
    merchantCurrency,
    initiator: 'unknown',
    partialSupported: flagOrNull(pending, 'is_amount_controllable') === true && !hasCash(pending),
  } as const
}

/** The cash that a merchant hands out cannot be approved in part, so it is all or nothing. */
function hasCash(pending: Fields): boolean {
  const details = childOrNull(pending, 'amount_details')
  return details !== null && (numberOrNull(details, 'cashback_amount') ?? 0) > 0
}

/** Stripe gives the merchant no reason, so ours is stored on both sides as metadata. */
function answer(verdict: CardVerdict, request: CardRequest | Unread): IssuerAnswer {
  const headers = { 'content-type': 'application/json', 'stripe-version': VERSION }
  if ('unread' in request && request.unread === 'other') return { status: 200, headers, body: '{}' }
  const { isApproved, isPartial, approvedAmount, currency, code, transactionId } = verdict
  const body = {
    approved: isApproved,
    ...(isPartial && currency !== null ? { amount: toMinor(approvedAmount, currency) } : {}),
    metadata: {
      purser_decision: isApproved ? 'approved' : 'rejected',
      purser_reason: code,
      ...(transactionId === null ? {} : { purser_authorization: transactionId }),
    },
  }
  return { status: 200, headers, body: JSON.stringify(body) }
}

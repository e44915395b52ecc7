import { Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
import { keyInFlight } from '../../core/idempotency.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { OutboundResult } from '../../outbound/outbound-client.ts'
import { getOrganization } from '../../storage/organizations.ts'
import { toDeliveredAnswer, toFreeAnswer, toRejectedAnswer } from './answer.ts'
import { reconcile } from './chain/settlement.ts'
import { X402_LOG_EVENTS } from './log-events.ts'
import { readPaymentAnswer } from './offers/payment-required.ts'
import { findTerms } from './offers/terms.ts'
import { decide, type Paid, type PayParts, recall } from './pay.ts'
import type { PayRequest } from './pay-request.ts'
import type { PaymentKey, X402Payment } from './payment.ts'
import { X402_PROBLEMS } from './problems.ts'
import { judgeCall, requireAnswer } from './resource/call.ts'
import {
  callSeller,
  type Delivery,
  isDelivered,
  NOTHING_CAME,
  toDelivery,
} from './resource/delivery.ts'
import { findKept, keepDelivery } from './resource/kept-delivery.ts'
import { noteAnswer } from './resource/note-answer.ts'
import { endCall, takeCall } from './storage/deliveries.ts'
import { findPayment } from './storage/payments.ts'
import type { Funds } from './wallet/funds.ts'
import { neverSigned, type Signing, signDecided } from './wallet/signing.ts'

/** The lease covers the call's timeout plus this margin for all work around the call. */
const CALL_MARGIN_MS = 15_000
/** Limits how long the agent, after the vendor's answer, waits for a node. */
const LOOK_UP_MS = 2_000

/** Calls the vendor, pays the price if the mandate allows it, and returns the vendor's answer. */
export function payFetched(parts: PayParts, request: PayRequest): Promise<Paid> {
  return parts.slots.take(request, () => fetchAndPay(parts, request))
}

async function fetchAndPay(parts: PayParts, request: PayRequest): Promise<Paid> {
  const earlier = await recall(parts, request)
  if (earlier) return repeat(parts, request, earlier)
  await requireFetch(parts, request)
  const refusal = await judgeCall(parts, request)
  if (refusal) return { answer: refusal, isReplay: false }
  const first = requireAnswer(await callSeller(parts.outbound, request.url, request.call))
  if (first.status !== 402) {
    return { answer: toFreeAnswer(request, await toDelivery(first)), isReplay: false }
  }

  const terms = await findTerms(parts, request, readPaymentAnswer(first))
  const turn = turnFrom(parts.now(), request)
  const { decided, funds } = await decide(parts, request, terms, 'vendor', turn)
  if (decided.isReplay) return repeat(parts, request, decided)
  return decided.decision === 'rejected'
    ? rejected(decided)
    : payAndDeliver(parts, request, decided, turn, funds)
}

/** Returns the end of the lease. Until then no other request calls the vendor for this payment. */
function turnFrom(now: Instant, { call }: PayRequest): Instant {
  return now + call.timeoutMs + CALL_MARGIN_MS
}

/**
 * Makes the second call, which carries the payment. From here on the answer is always a success,
 * whatever the vendor does: a caller that saw an error would retry and pay twice.
 */
async function payAndDeliver(
  parts: PayParts,
  request: PayRequest,
  decided: Decided,
  turn: Instant,
  funds?: Funds,
): Promise<Paid> {
  const { payment, signed } = await signInTurn(parts, request, decided, turn, funds)
  if (!signed) {
    await giveTurnBack(parts, payment, turn)
    return { answer: toDeliveredAnswer(decided, payment, NOTHING_CAME), isReplay: true }
  }
  const result = await callSeller(parts.outbound, request.url, request.call, signed)
  const delivery = await toDelivery(result)
  // Store the delivery first: it was paid for, and must not be lost if this process dies.
  if (isDelivered(delivery)) await keep(parts, payment, delivery)
  const after = await lookUp(parts, await note(parts, payment, result))
  if (!isDelivered(delivery)) await leave(parts, after, delivery, turn)
  return { answer: toDeliveredAnswer(decided, after, delivery), isReplay: decided.isReplay }
}

/**
 * Releases the lease if signing fails: this request makes no call then, and must not block a retry.
 */
async function signInTurn(
  parts: PayParts,
  request: PayRequest,
  decided: Decided,
  turn: Instant,
  funds: Funds | undefined,
): Promise<Signing> {
  try {
    return await signDecided(parts, request, decided, funds)
  } catch (error) {
    await giveTurnBack(parts, { organizationId: request.organizationId, id: decided.id }, turn)
    throw error
  }
}

/**
 * Stores nothing while it is unknown whether the vendor took the payment: a retry may send the same
 * payment until it expires. Once the payment is settled, sending it again would be useless.
 */
async function leave(
  parts: PayParts,
  payment: X402Payment,
  delivery: Delivery,
  turn: Instant,
): Promise<void> {
  if (payment.state === 'settled') return keep(parts, payment, delivery)
  await giveTurnBack(parts, payment, turn)
}

async function giveTurnBack(parts: PayParts, payment: PaymentKey, turn: Instant): Promise<void> {
  try {
    await endCall(parts.db, payment, turn)
  } catch (err) {
    logEvent(parts.log, X402_LOG_EVENTS['x402.call_release_failed'], { err, id: payment.id })
  }
}

/**
 * Stores the delivery for an agent that does not receive the answer. A failure here must not fail
 * the answer to an agent that does.
 */
async function keep(parts: PayParts, payment: X402Payment, delivery: Delivery): Promise<void> {
  try {
    await keepDelivery(parts, payment, delivery)
  } catch (err) {
    logEvent(parts.log, X402_LOG_EVENTS['x402.delivery_not_stored'], { err, id: payment.id })
  }
}

/**
 * Stores the vendor's receipt before the chain is queried, so that the two can be compared. A
 * failure here must not fail the answer.
 */
async function note(
  parts: PayParts,
  payment: X402Payment,
  result: OutboundResult,
): Promise<X402Payment> {
  try {
    return await noteAnswer(parts, payment, result)
  } catch (err) {
    logEvent(parts.log, X402_LOG_EVENTS['x402.answer_not_stored'], { err, id: payment.id })
    return payment
  }
}

/** Answers a retry: returns the stored delivery, or sends the same payment again. */
async function repeat(parts: PayParts, request: PayRequest, decided: Decided): Promise<Paid> {
  if (decided.decision === 'rejected') return rejected(decided)
  const { db, clock } = parts
  // Run both queries at once. The clock then reads slightly early, so no lease looks expired that
  // is not.
  const [payment, now] = await Promise.all([
    findPayment(db, request.organizationId, decided.id),
    clock(db),
  ])
  if (!payment) throw new Error('An approved x402 payment was not stored.')
  if (payment.proof === 'unsigned') throw neverSigned()
  const kept = await findKept(parts, payment)
  const isOver = payment.state !== 'held' || now >= payment.authorization.validBefore * 1_000
  // Another request is still calling the vendor, so it is too early to report a failed delivery.
  if (!kept && isOver && isBeingCalled(payment, now)) throw keyInFlight(2)
  if (kept || isOver) {
    const after = await lookUp(parts, payment)
    return { answer: toDeliveredAnswer(decided, after, kept ?? NOTHING_CAME), isReplay: true }
  }
  // A sent payment cannot be recalled, but the gateway does not send it again for an agent that may
  // not spend now.
  if (!(await mayCall(parts, request))) {
    return { answer: toDeliveredAnswer(decided, payment, NOTHING_CAME), isReplay: true }
  }
  const turn = turnFrom(now, request)
  if (await takeCall(db, payment, { now, until: turn })) {
    return payAndDeliver(parts, request, decided, turn)
  }
  throw keyInFlight(2)
}

/** A released payment moved no money, so no call that is still running can deliver. */
function isBeingCalled({ callingUntil, state }: X402Payment, now: Instant): boolean {
  return state !== 'released' && callingUntil !== null && now < callingUntil
}

/**
 * Most vendors have settled when they answer. If the chain cannot confirm that now, the reconciler
 * does so later.
 */
async function lookUp(parts: PayParts, payment: X402Payment): Promise<X402Payment> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<X402Payment>((resolve) => {
    timer = setTimeout(() => resolve(payment), LOOK_UP_MS)
  })
  const looked = reconcile(parts, payment).catch((err: unknown) => {
    logEvent(parts.log, X402_LOG_EVENTS['x402.lookup_failed'], { err, id: payment.id })
    return payment
  })
  try {
    return await Promise.race([looked, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function rejected(decided: Decided): Paid {
  return { answer: toRejectedAnswer(decided), isReplay: decided.isReplay }
}

async function mayCall(parts: PayParts, request: PayRequest): Promise<boolean> {
  const { callsSellers } = await getOrganization(parts.db, request.organizationId)
  return callsSellers && (await judgeCall(parts, request)) === undefined
}

async function requireFetch({ db }: PayParts, { organizationId }: PayRequest): Promise<void> {
  const { callsSellers } = await getOrganization(db, organizationId)
  if (callsSellers) return
  throw new Problem(
    X402_PROBLEMS.x402_fetch_off,
    'The organization does not allow the gateway to call vendors. Allow it with PATCH /organization {"x402Fetch": true}, or send the 402 answer of the vendor as paymentRequired.',
  )
}

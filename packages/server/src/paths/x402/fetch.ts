import { agentNotFound } from '../../core/agent.ts'
import type { X402Payment } from '../../core/x402-payment.ts'
import { Problem } from '../../errors.ts'
import type { Outcome } from '../../gateway/attempt.ts'
import type { OutboundAnswer, OutboundFailure } from '../../outbound/outbound-client.ts'
import { findAgent } from '../../storage/agents.ts'
import { getOrganization } from '../../storage/organizations.ts'
import {
  endCall,
  findDelivery,
  findPayment,
  storeDelivery,
  takeCall,
} from '../../storage/x402-payments.ts'
import { toDeliveredAnswer, toFreeAnswer, toRejectedAnswer } from './answer.ts'
import { callVendor, type Delivery, NOTHING_CAME, toDelivery } from './delivery.ts'
import { callEnd, decide, type Paid, type PayParts, recall, signDecided } from './pay.ts'
import type { PayRequest } from './pay-request.ts'
import { readPaymentAnswer } from './payment-required.ts'
import { reconcile } from './settlement.ts'
import { findTerms } from './terms.ts'

const PURPOSE = 'x402-delivery'

/** Calls the vendor, pays what it asks if the mandate allows it, and gives back what it delivers. */
export async function payFetched(parts: PayParts, request: PayRequest): Promise<Paid> {
  const earlier = await recall(parts, request)
  if (earlier) return repeat(parts, request, earlier)
  await requireFetch(parts, request)
  await requireAgent(parts, request)
  const first = await callVendor(parts.outbound, request.url, request.call)
  if (first.kind === 'failure') throw unreachable(first)
  if (first.status >= 300 && first.status < 400) throw redirected(first)
  if (first.status !== 402) {
    return { answer: toFreeAnswer(request, await toDelivery(first)), isReplay: false }
  }

  const terms = await findTerms(parts, request, readPaymentAnswer(first))
  const outcome = await decide(parts, request, terms, 'gateway_observed')
  if (outcome.isReplay) return repeat(parts, request, outcome)
  return outcome.decision === 'rejected'
    ? rejected(outcome)
    : payAndDeliver(parts, request, outcome)
}

/**
 * The second call, with the payment. From here on the answer is always a success of ours, whatever
 * the vendor does: a caller that saw an error would try again, and pay again.
 */
async function payAndDeliver(
  parts: PayParts,
  request: PayRequest,
  outcome: Outcome,
): Promise<Paid> {
  const { payment, signed } = await signDecided(parts, request, outcome)
  const result = await callVendor(parts.outbound, request.url, request.call, signed)
  const delivery = await toDelivery(result)
  const paid = await delivered(parts, outcome, payment, delivery)
  try {
    await keep(parts, payment, paid.answer.status === 'settlement_unknown' ? undefined : delivery)
  } catch (err) {
    parts.log.warn({ err, id: payment.id }, 'What a vendor delivered could not be kept.')
  }
  return paid
}

/**
 * For the agent that does not hear the answer. Where it is not known whether the vendor took the
 * payment nothing is kept: the same payment may be sent again, until it is too old.
 */
function keep(
  { db, sealer }: PayParts,
  payment: X402Payment,
  delivery: Delivery | undefined,
): Promise<void> {
  if (!delivery) return endCall(db, payment)
  const text = JSON.stringify(delivery)
  return storeDelivery(db, payment, sealer.seal(payment.organizationId, purposeOf(payment), text))
}

/** The same request again: it is given what came the first time, or the same payment is sent again. */
async function repeat(parts: PayParts, request: PayRequest, outcome: Outcome): Promise<Paid> {
  if (outcome.decision === 'rejected') return rejected(outcome)
  const { db, sealer, now } = parts
  const { organizationId } = request
  const payment = await findPayment(db, organizationId, outcome.id)
  if (!payment) throw new Error('An approved x402 payment was not stored.')
  const sealed = await findDelivery(db, payment)
  if (sealed) {
    const delivery: Delivery = JSON.parse(sealer.open(organizationId, purposeOf(payment), sealed))
    return delivered(parts, outcome, payment, delivery)
  }
  const isOver = payment.state !== 'held' || now() >= payment.authorization.validBefore * 1_000
  if (isOver) return delivered(parts, outcome, payment, NOTHING_CAME)
  if (!(await takeCall(db, payment, { now: now(), until: callEnd(request, now()) }))) {
    throw new Problem(
      'idempotency_in_flight',
      'The first request with this Idempotency-Key has not been answered yet. Repeat this one shortly.',
      { retryAfterSeconds: 2 },
    )
  }
  return payAndDeliver(parts, request, outcome)
}

async function delivered(
  parts: PayParts,
  outcome: Outcome,
  payment: X402Payment,
  delivery: Delivery,
): Promise<Paid> {
  const after = await lookUp(parts, payment)
  return { answer: toDeliveredAnswer(outcome, after, delivery), isReplay: outcome.isReplay }
}

/** Most vendors have settled when they answer. If the chain cannot be asked now, it is asked later. */
async function lookUp(parts: PayParts, payment: X402Payment): Promise<X402Payment> {
  try {
    return await reconcile(parts, payment)
  } catch (err) {
    parts.log.warn({ err, id: payment.id }, 'The chain could not be asked about an x402 payment.')
    return payment
  }
}

function rejected(outcome: Outcome): Paid {
  return { answer: toRejectedAnswer(outcome), isReplay: outcome.isReplay }
}

function purposeOf({ id }: X402Payment): string {
  return `${PURPOSE}:${id}`
}

async function requireFetch({ db }: PayParts, { organizationId }: PayRequest): Promise<void> {
  const { x402Fetch } = await getOrganization(db, organizationId)
  if (x402Fetch) return
  throw new Problem(
    'x402_fetch_off',
    'The organization does not allow the gateway to call vendors. Turn it on with PATCH /organization {"x402Fetch": true}, or hand over the 402 as paymentRequired.',
  )
}

/** A vendor that wants no money is answered without a decision, which would have noticed. */
async function requireAgent({ db }: PayParts, request: PayRequest): Promise<void> {
  const { organizationId, agentId } = request
  if (!(await findAgent(db, organizationId, agentId))) throw agentNotFound(agentId)
}

function unreachable({ reason, message }: OutboundFailure): Problem {
  switch (reason) {
    case 'url_refused':
    case 'address_refused':
      // One text for all reasons: the inside of a network is not to be mapped by trying.
      return new Problem('url_not_allowed', 'The URL may not be called from here.')
    case 'timeout':
      return new Problem('upstream_timeout', `${message} Nothing was paid.`)
    case 'own_fault':
      return new Problem(
        'overloaded',
        'The vendor could not be called from here. Try again shortly.',
      )
    default:
      return new Problem('upstream_unreachable', `${message} Nothing was paid.`)
  }
}

function redirected({ status, headers }: OutboundAnswer): Problem {
  const { location = '' } = headers
  return new Problem(
    'upstream_redirect',
    `The vendor answered ${status}. Redirects are not followed; ask again with the URL it points to, so that it can be judged. Nothing was paid.`,
    { extra: { location: location.slice(0, 2_048) } },
  )
}

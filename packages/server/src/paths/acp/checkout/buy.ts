import type { Static } from 'typebox'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Decided } from '../../../gateway/submission.ts'
import type { CallSlots } from '../../call-slots.ts'
import { toDecisionFields, toPreviewFields } from '../../decision-answer.ts'
import type { Desk, FlowParts } from '../flow-parts.ts'
import { ACP_LOG_EVENTS } from '../log-events.ts'
import type { CheckoutAnswer } from '../schemas.ts'
import { findExternal } from '../storage/checkouts.ts'
import { carryOut } from './carry-out.ts'
import type { AcpCheckout } from './checkout.ts'
import { judge, type Prepared, prepare, toSpend, unlessDecided } from './judge.ts'
import type { CheckoutRequest } from './request.ts'
import type { Running } from './running.ts'
import { type External, externalOf, shownOf, toCheckoutShape } from './shown.ts'

export interface BuyParts extends FlowParts {
  /** Limits the number of concurrent purchases. */
  readonly slots: CallSlots
  readonly running: Running
}

/** The answer to an agent, and whether it replays an earlier one. */
export interface Bought {
  readonly answer: Static<typeof CheckoutAnswer>
  readonly isReplay: boolean
}

/**
 * An agent gets its answer within 30 seconds. A purchase without an outcome by then is
 * `processing`.
 */
const ANSWER_MS = 27_000
/** The reconciler makes all checks after this time. */
const LOOKS_MS = 20_000

/** Judges a session and completes it if the mandate allows it. */
export async function buy(parts: BuyParts, request: CheckoutRequest): Promise<Bought> {
  const earlier = await parts.gateway.recall(request.organizationId, request.idempotency)
  if (earlier) return repeat(parts, request, earlier)
  const purchase = parts.running.add(parts.slots.take(request, () => purchaseFor(parts, request)))
  const inTime = await parts.running.within(purchase, request.receivedAt + ANSWER_MS)
  if (inTime) return inTime
  const decided = await parts.gateway.recall(request.organizationId, request.idempotency)
  if (!decided) return purchase
  return { ...(await repeat(parts, request, decided)), isReplay: false }
}

async function purchaseFor(parts: BuyParts, request: CheckoutRequest): Promise<Bought> {
  const prepared = await unlessDecided(parts, request, prepare(parts, request))
  if ('earlier' in prepared) return repeat(parts, request, prepared.earlier)
  if (request.isDry) return { answer: await preview(parts, request, prepared), isReplay: false }
  const { decided, checkout } = await judge(parts, request, prepared, 'managed')
  if (!checkout) return repeat(parts, request, decided)
  const external = await finish(parts, prepared.desk, checkout, request.receivedAt + LOOKS_MS)
  return { answer: toAnswer(decided, external), isReplay: false }
}

/** From the hold on, every answer is a success: a caller that saw an error would buy again. */
export async function finish(
  parts: BuyParts,
  desk: Desk,
  checkout: AcpCheckout,
  until: number,
): Promise<External> {
  try {
    await carryOut(parts, desk, checkout, until)
    return (await findExternal(parts.db, checkout)) ?? externalOf(checkout)
  } catch (err) {
    logEvent(parts.log, ACP_LOG_EVENTS['acp.checkout_left'], { err, id: checkout.id })
    return externalOf(checkout)
  }
}

/** Answers a retry with the current state of the checkout. */
async function repeat(
  { db }: BuyParts,
  { organizationId }: CheckoutRequest,
  decided: Decided,
): Promise<Bought> {
  const external = await findExternal(db, { organizationId, id: decided.id })
  if (!external) throw new Error('The record of an ACP spend does not name its checkout session.')
  return { answer: toAnswer(decided, external), isReplay: decided.isReplay }
}

export function toAnswer(decided: Decided, external: External): Static<typeof CheckoutAnswer> {
  return { ...toDecisionFields(decided), ...external }
}

async function preview(
  { gateway, now }: BuyParts,
  request: CheckoutRequest,
  prepared: Prepared,
): Promise<Static<typeof CheckoutAnswer>> {
  const spend = toSpend(request, prepared, now())
  const decision = await gateway.preview(spend, undefined)
  const { session, merchantId } = prepared.terms
  const { vendor, sessionId } = request
  const version = prepared.desk.version.name
  const { currency } = session
  return {
    ...toPreviewFields(spend, decision, request.receivedAt),
    status: 'evaluated',
    failure: null,
    checkout: toCheckoutShape({
      sessionId,
      vendor,
      merchantId,
      version,
      currency,
      ...shownOf(session),
    }),
    order: null,
    authentication: null,
  }
}

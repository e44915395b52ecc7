import { Problem } from '../../../base/errors.ts'
import type { Spend } from '../../../core/spend.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Decided } from '../../../gateway/submission.ts'
import type { DecisionRow } from '../../../storage/decisions/store-decisions.ts'
import { newId } from '../../../storage/new-id.ts'
import { type Desk, type FlowParts, toDesk } from '../flow-parts.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import { noteExternal, storeCheckout } from '../storage/checkouts.ts'
import { LEASE_MS } from './advance.ts'
import type { AcpCheckout, CheckoutMode } from './checkout.ts'
import { lookAt } from './merchant-calls.ts'
import type { Asker, CheckoutRequest } from './request.ts'
import { sealSecrets } from './secrets.ts'
import { namingUse, requireUnused } from './session-use.ts'
import { type External, shownOf, toCheckoutShape } from './shown.ts'
import { findTerms, requireExpected, requireSession, type Terms } from './terms.ts'

/** A session that can be paid, with its terms and parties, before the decision. */
export interface Prepared {
  readonly desk: Desk
  readonly terms: Terms
}

/** Finds the amount, the payee and the way to pay. Decides nothing yet. */
export async function prepare(parts: FlowParts, request: CheckoutRequest): Promise<Prepared> {
  const desk = await openDesk(parts, request)
  const { sessionId } = request
  const place = { vendorId: desk.merchant.vendorId, sessionId }
  await requireUnused(parts, request, place)
  const session = requireSession(await lookAt(parts.outbound, desk, sessionId))
  requireExpected(session, request.expected)
  return { desk, terms: findTerms(session, desk, request, parts.now()) }
}

/**
 * Returns the prepared purchase, or the decision that was made meanwhile about the same request. A
 * problem of a retry may be caused by its own first attempt, and then the answer must not say that
 * nothing was decided.
 */
export async function unlessDecided<Ready extends object>(
  { gateway }: Pick<FlowParts, 'gateway'>,
  { organizationId, idempotency }: Asker,
  preparing: Promise<Ready>,
): Promise<Ready | { readonly earlier: Decided }> {
  try {
    return await preparing
  } catch (err) {
    const earlier = err instanceof Problem && (await gateway.recall(organizationId, idempotency))
    if (!earlier) throw err
    return { earlier }
  }
}

async function openDesk(parts: FlowParts, request: CheckoutRequest): Promise<Desk> {
  const { registry } = parts
  const { organizationId, vendor, agentId, instrumentId } = request
  const [merchant, instrument] = await Promise.all([
    registry.merchantByHost(organizationId, vendor),
    registry.instrumentFor(organizationId, agentId, instrumentId),
  ])
  if (!merchant) {
    throw new Problem(
      ACP_PROBLEMS.acp_vendor_unknown,
      `The directory has no entry for ${vendor} with "acp" settings. Create the entry with POST /vendors, or add "acp" to it with PATCH /vendors/:id.`,
    )
  }
  if (!instrument) {
    throw new Problem(
      ACP_PROBLEMS.acp_instrument_unknown,
      `There is no ${instrumentId === undefined ? '' : 'such '}instrument that this agent may use. Set the instruments with PATCH /organization {"acp": {"instruments": […]}}.`,
    )
  }
  const desk = toDesk(parts, merchant, instrument)
  if (desk) return desk
  throw new Problem(
    ACP_PROBLEMS.acp_vendor_unknown,
    `The directory entry of ${vendor} has version ${merchant.version} of ACP, which this gateway does not support.`,
  )
}

export function toSpend(
  request: Omit<CheckoutRequest, 'expected'>,
  { desk, terms }: Prepared,
  now: Instant,
): Spend {
  const { organizationId, agentId, vendor, category, reference } = request
  return {
    transactionId: newId(now),
    organizationId,
    agentId,
    path: 'acp',
    amount: terms.session.total,
    currency: terms.session.currency,
    vendor,
    category: desk.merchant.category ?? category,
    reference,
    payee: null,
    // The hold has no timeout: only merchant and token provider know when the money can no longer
    // move.
    holdMs: Number.POSITIVE_INFINITY,
    card: null,
  }
}

export interface Judged {
  readonly decided: Decided
  /** Undefined for a rejection, and for a replayed decision. */
  readonly checkout: AcpCheckout | undefined
}

/**
 * Judges the total, and stores the checkout in the transaction of the decision that allows it. From
 * then on the session is used up, and only the release of the hold frees it.
 */
export async function judge(
  { db, gateway, sealer, now }: FlowParts,
  request: CheckoutRequest,
  prepared: Prepared,
  mode: CheckoutMode,
): Promise<Judged> {
  const { reason, metadata, idempotency, permit, receivedAt, organizationId } = request
  const at = now()
  const spend = toSpend(request, prepared, at)
  const { buyer, billingAddress } = request
  const isSecret = buyer !== null || billingAddress !== null
  const key = { organizationId, id: spend.transactionId }
  const sealed = isSecret ? sealSecrets({ sealer }, key, { buyer, billingAddress }) : null
  const held = { ...toHeld(request, prepared, mode, at), id: spend.transactionId, sealed }
  let stored: AcpCheckout | undefined
  const deciding = gateway.decide({
    spend,
    reason,
    metadata,
    idempotency,
    askedBy: request.askedBy.id,
    ...(permit && { permit }),
    receivedAt,
    alongside: (decision) => {
      if (decision.decision === 'rejected') {
        return [noteExternal(organizationId, decision.id, toRejected(decision, held))]
      }
      stored = { ...held, mandateId: decision.mandateId }
      return [storeCheckout(stored)]
    },
  })
  const decided = await namingUse({ db }, request, held, deciding)
  return { decided, checkout: decided.isReplay ? undefined : stored }
}

/** Builds the `external` field of a rejected checkout. */
function toRejected({ code, details }: DecisionRow, held: AcpCheckout): External {
  const { next } = JSON.parse(details)
  return {
    status: 'failed',
    failure: { code, retryable: typeof next?.retryAfter === 'string' },
    checkout: toCheckoutShape(held),
    order: null,
    authentication: null,
  }
}

function toHeld(
  { organizationId, agentId, askedBy, vendor, sessionId }: CheckoutRequest,
  { desk, terms }: Prepared,
  mode: CheckoutMode,
  now: Instant,
): Omit<AcpCheckout, 'id' | 'sealed'> {
  const { session, handler, merchantId, tokenEndsAt } = terms
  return {
    organizationId,
    mode,
    state: 'held',
    step: 0,
    agentId,
    mandateId: null,
    askedBy: { kind: askedBy.kind, id: askedBy.id },
    vendorId: desk.merchant.vendorId,
    vendor,
    sessionId,
    version: desk.version.name,
    merchantId,
    handlerId: handler.id,
    psp: handler.psp,
    instrumentId: desk.instrument.id,
    currency: session.currency,
    maxMinor: session.totalMinor,
    tokenEndsAt,
    fingerprint: session.fingerprint,
    ...shownOf(session),
    tokenDigest: null,
    completions: 0,
    isDenied: false,
    isDoubtful: false,
    order: null,
    failure: null,
    authentication: null,
    resumed: null,
    refunds: {},
    heard: [],
    refunded: 0n,
    waitsUntil: null,
    checks: 0,
    nextCheckAt: now + LEASE_MS,
    createdAt: now,
  }
}

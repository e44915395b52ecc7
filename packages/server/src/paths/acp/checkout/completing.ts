import { setTimeout as pause } from 'node:timers/promises'
import type { Desk, FlowParts } from '../flow-parts.ts'
import type { CompletionOutcome, Session } from '../versions/version.ts'
import { advance, toClosing } from './advance.ts'
import { bookFlag, bookPaid, heldOf } from './booking.ts'
import type { AcpCheckout, Failure } from './checkout.ts'
import { hasLeft } from './checkout.ts'
import { advanceUnlessStopped, giveUp } from './giving-up.ts'
import { complete, type Looked, lookAt } from './merchant-calls.ts'
import { AUTHENTICATION_MS, keyOf } from './minting.ts'
import { openSecrets } from './secrets.ts'
import { canBeAsked, isPastEnd, type Step, type Stepped } from './steps.ts'

const TRIES_MAX = 3
/**
 * After this time the gateway does not send a completion again; the reconciler finds out its
 * outcome.
 */
const TRIES_MS = 20_000
const PAUSE_MAX_MS = 5_000
const PAYABLE: readonly string[] = ['ready_for_payment', 'authentication_required']

/**
 * Reads the session again, and completes it if it is still as judged. This call reveals the token,
 * so the state `completing` is committed before the call (ADR 40).
 */
export const completeSession: Step = async (parts, desk, checkout) => {
  const looked = await lookAt(parts.outbound, desk, checkout.sessionId)
  if (hasLeft(checkout) && 'outcome' in looked && looked.outcome.kind === 'completed') {
    return record(parts, desk, checkout, looked.outcome)
  }
  if (looked.kind !== 'session') return close(parts, desk, checkout, UNAVAILABLE)
  const failure = failureOf(desk, checkout, looked.session)
  if (failure) return close(parts, desk, checkout, failure)
  const begun = await advanceUnlessStopped(parts, desk, checkout, (locked) => ({
    ...locked,
    state: 'completing',
    completions: locked.completions + 1,
  }))
  if (begun?.state !== 'completing') return begun
  return record(parts, desk, begun, await send(parts, desk, begun, looked.session))
}

const UNAVAILABLE: Failure = { code: 'merchant_unavailable', retryable: true }

function close(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  failure: Failure,
): Promise<Stepped> {
  return advance(parts, checkout, (locked, place) => giveUp(parts, desk, locked, failure, place))
}

/** Returns why the session is not paid now, or undefined if it is as judged, or cheaper. */
function failureOf(desk: Desk, checkout: AcpCheckout, session: Session): Failure | undefined {
  if (!PAYABLE.includes(session.status)) {
    return { code: `session_${session.status}`, retryable: session.status === 'not_ready' }
  }
  const isAsJudged = session.fingerprint === checkout.fingerprint
  if (isAsJudged || isCheaper(desk, checkout, session)) return undefined
  const isMore = session.currency === checkout.currency && session.total > heldOf(checkout)
  return { code: isMore ? 'amount_changed' : 'session_changed', retryable: true }
}

/**
 * Returns whether the merchant sells the same items for less. A mandate that allows more allows
 * less.
 */
function isCheaper({ merchant }: Desk, checkout: AcpCheckout, session: Session): boolean {
  const { currency, lineItems, handlerId, merchantId } = checkout
  const handler = session.handlers.find(({ id }) => id === handlerId)
  const isAgreed = session.isWithoutHandlers && merchant.handler?.id === handlerId
  return (
    session.currency === currency &&
    session.total < heldOf(checkout) &&
    (handler?.merchantId ?? merchantId) === merchantId &&
    (handler !== undefined || isAgreed) &&
    itemsOf(session.lines) === itemsOf(lineItems)
  )
}

interface Line {
  readonly id: string
  readonly itemId: string
  readonly quantity: number
}

function itemsOf(lines: readonly Line[]): string {
  return JSON.stringify(lines.map(({ id, itemId, quantity }) => [id, itemId, quantity]).sort())
}

/**
 * Sends the completion, with retries. An Idempotency-Key alone does not protect from a second order
 * after an error of the merchant, so each retry reads the session first.
 */
async function send(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  session: Session,
): Promise<CompletionOutcome> {
  const { sessionId, completions } = checkout
  const body = toBody(parts, desk, checkout, session)
  const key = keyOf(checkout, `complete:${completions}`)
  const until = performance.now() + TRIES_MS
  for (let tries = 1; ; tries += 1) {
    const answered = await complete(parts.outbound, desk, { sessionId, key, body })
    const outcome = tries === 1 ? answered : ofRepeat(desk, answered)
    const isLast = tries === TRIES_MAX || performance.now() > until
    const known = isLast ? outcome : await learnMore(parts, desk, sessionId, outcome)
    if (known) return known
  }
}

/**
 * Reads the answer to a retry. A merchant that refuses a retry, for example with 401 or 429, says
 * nothing about the first request, which may have made the order. If the token provider cannot be
 * queried either, only a session that is shown as unpaid is a decline.
 */
function ofRepeat(desk: Desk, outcome: CompletionOutcome): CompletionOutcome {
  if (outcome.kind !== 'declined' || outcome.isShown || canBeAsked(desk)) return outcome
  return { kind: 'unknown', why: `The merchant refused the retry with ${outcome.code}.` }
}

/** Returns undefined if, by the merchant's session, the same request can be sent again. */
async function learnMore(
  { outbound }: FlowParts,
  desk: Desk,
  sessionId: string,
  outcome: CompletionOutcome,
): Promise<CompletionOutcome | undefined> {
  if (outcome.kind === 'in_flight') {
    await pause(Math.min(outcome.retryAfterMs, PAUSE_MAX_MS))
    return undefined
  }
  if (outcome.kind !== 'unknown') return outcome
  const looked = await lookAt(outbound, desk, sessionId)
  if (!('outcome' in looked)) return outcome
  return isUntouched(looked) ? undefined : looked.outcome
}

/** Returns whether the merchant shows the session as if it had received no completion. */
function isUntouched(looked: Looked): boolean {
  if (looked.kind !== 'session') return false
  const { status, errors, order } = looked.session
  return status === 'ready_for_payment' && errors.length === 0 && order === null
}

function toBody(
  parts: FlowParts,
  { version }: Desk,
  checkout: AcpCheckout,
  session: Session,
): object {
  const { token, buyer, billingAddress, authenticationResult } = openSecrets(parts, checkout)
  if (!token) throw new Error('A checkout has no token to complete it with.')
  const { handlerId, psp } = checkout
  const payment = { handlerId, psp, token: token.id, credentialType: token.credentialType }
  return version.completionOf(session, { ...payment, buyer, billingAddress, authenticationResult })
}

/** Stores the outcome that the merchant's answer proves. */
export function record(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  outcome: CompletionOutcome,
): Promise<Stepped> {
  switch (outcome.kind) {
    case 'completed':
      return recordPaid(parts, desk, checkout, outcome.session)
    case 'declined': {
      const { code, retryable } = outcome
      return advance(parts, checkout, (locked) =>
        toClosing(locked, { code, retryable }, { isDenied: true }),
      )
    }
    case 'authentication':
      return advance(parts, checkout, (locked, { now }) => ({
        ...locked,
        state: 'authenticating',
        authentication: {
          metadata: outcome.session?.authentication ?? null,
          continueUrl: outcome.session?.continueUrl ?? null,
        },
        waitsUntil: locked.waitsUntil ?? now + AUTHENTICATION_MS,
      }))
    case 'in_progress':
    case 'in_flight':
    case 'unknown':
      return advance(parts, checkout, (locked) => ({ ...locked, state: 'unknown' }))
  }
}

/**
 * Books the merchant's total as paid, if it is in the judged currency and within the token's
 * amount. Leaves any other total to the token provider, if it can be queried.
 */
export function recordPaid(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  session: Session,
): Promise<Stepped> {
  const isKnown = isBelievable(checkout, session)
  if (isKnown || (isAboveToken(checkout, session) && !canBeAsked(desk))) {
    return recordTotal(parts, checkout, session)
  }
  return doubt(parts, checkout, session)
}

/** Returns whether the token can have been charged for this total. An order of 0 needs no token. */
export function isBelievable(checkout: AcpCheckout, { currency, total }: Session): boolean {
  return currency === checkout.currency && total > 0n && total <= heldOf(checkout)
}

export function isAboveToken(checkout: AcpCheckout, { currency, total }: Session): boolean {
  return currency === checkout.currency && total > heldOf(checkout)
}

/**
 * Books the total. A merchant that can charge a token once may charge the rest of it, so the rest
 * stays held until the token is revoked or expires.
 */
export function recordTotal(
  parts: FlowParts,
  checkout: AcpCheckout,
  session: Session,
): Promise<Stepped> {
  const { total, order } = session
  const worth = heldOf(checkout)
  const isAbove = isAboveToken(checkout, session)
  const paid = isAbove ? worth : total
  const rest = worth - paid
  const flags = isAbove ? (['total_unproven'] as const) : []
  return advance(parts, checkout, async (locked, place) => ({
    ...(await bookPaid(parts, locked, place, { paid, order, rest, flags })),
    state: rest > 0n ? 'completed' : 'settled',
  }))
}

const UNPROVEN: Failure = { code: 'total_unproven', retryable: false }

/**
 * Handles an order with a total that proves nothing. From now on the merchant's word alone releases
 * nothing: the token provider, or a person, has to state the charge.
 */
function doubt(
  parts: FlowParts,
  checkout: AcpCheckout,
  { currency, order }: Session,
): Promise<Stepped> {
  const isOurs = currency === checkout.currency
  return advance(parts, checkout, async (locked, place) => {
    const failure = isOurs ? UNPROVEN : UNAVAILABLE
    const closing = toClosing(locked, failure)
    const doubted = { ...closing, isDoubtful: true }
    if (!isOurs) return doubted
    const shown = { ...doubted, order: order ?? locked.order }
    return bookFlag(parts, shown, place, 'total_unproven')
  })
}

/** Reads the session to find out the outcome of a completion without a known answer. */
export const lookAgain: Step = async (parts, desk, checkout) => {
  const looked = await lookAt(parts.outbound, desk, checkout.sessionId)
  const outcome = 'outcome' in looked ? looked.outcome : undefined
  if (outcome?.kind === 'in_progress') {
    const isOver = isPastEnd(checkout, await parts.clock(parts.db))
    return isOver ? close(parts, desk, checkout, UNAVAILABLE) : 'wait'
  }
  const isClear = outcome && outcome.kind !== 'unknown' && outcome.kind !== 'in_flight'
  return isClear
    ? record(parts, desk, checkout, outcome)
    : close(parts, desk, checkout, UNAVAILABLE)
}

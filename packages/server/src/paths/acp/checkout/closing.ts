import { toIso } from '../../../core/time/instant.ts'
import type { Desk, FlowParts } from '../flow-parts.ts'
import type { TokenState } from '../issuers/token-issuer.ts'
import type { CompletionOutcome, Session } from '../versions/version.ts'
import { advance } from './advance.ts'
import { bookPaid, bookUnpaid, requireMoney } from './booking.ts'
import { type AcpCheckout, type Failure, hasLeft, type Token } from './checkout.ts'
import { isAboveToken, isBelievable, recordPaid, recordTotal } from './completing.ts'
import { cancel, type Looked, lookAt } from './merchant-calls.ts'
import { issueOnce, keyOf, toToken } from './minting.ts'
import { openSecrets, withToken } from './secrets.ts'
import { canBeAsked, END_MARGIN_MS, isPastEnd, type Step, type Stepped } from './steps.ts'

/** The failure code of a checkout that the agent canceled. */
export const CANCELED = 'canceled'

/**
 * Verifies that nothing was bought, and only then releases the hold (ADR 40). The token must never
 * have left the gateway, or must be revoked or expired without a charge. If the gateway cannot
 * query the token provider, the merchant must also have denied a payment, and must never have shown
 * or reported an order.
 */
export const closeCheckout: Step = async (parts, desk, checkout) => {
  const { token } = openSecrets(parts, checkout)
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  const looked = hasLeft(checkout)
    ? await lookAt(parts.outbound, desk, checkout.sessionId)
    : undefined
  const outcome = await askMerchant(parts, desk, checkout, { looked, isOver })
  if (!hasLeft(checkout)) return closeUnsent(parts, desk, checkout)
  const shown = outcome?.kind === 'completed' ? outcome.session : undefined
  if (shown && isNews(desk, checkout, shown)) return recordPaid(parts, desk, checkout, shown)
  const isDenied = checkout.isDenied || outcome?.kind === 'declined'
  const state = token ? await desk.issuer.revoke(desk.instrument, token.id) : undefined
  if (state?.kind === 'over' && state.capturedMinor !== null) {
    return recordToken(parts, checkout, state.capturedMinor)
  }
  if (isOver) return endOverdue(parts, desk, checkout, { looked, shown, isDenied })
  return noteDenial(parts, desk, checkout, isDenied)
}

/**
 * Ends a checkout whose token never left the gateway and so cannot be charged: releases the hold
 * even if the token provider does not answer. Revokes the token if that is possible, and books a
 * charge if the provider reports one.
 */
async function closeUnsent(parts: FlowParts, desk: Desk, checkout: AcpCheckout): Promise<Stepped> {
  if (!canBeAsked(desk)) return release(parts, checkout)
  const { token } = openSecrets(parts, checkout)
  if (!token) {
    const found = await findToken(parts, desk, checkout)
    return found === 'wait' ? release(parts, checkout) : found
  }
  const state = await desk.issuer.revoke(desk.instrument, token.id)
  const isTold = state.kind === 'over' && state.capturedMinor !== null
  return isTold ? recordToken(parts, checkout, state.capturedMinor) : release(parts, checkout)
}

/**
 * Returns whether an order that the merchant shows changes anything. A doubtful order does so once.
 */
function isNews(desk: Desk, checkout: AcpCheckout, shown: Session): boolean {
  if (!checkout.isDoubtful || isBelievable(checkout, shown)) return true
  return isAboveToken(checkout, shown) && !canBeAsked(desk)
}

/** The merchant's statements about a checkout whose token has expired. */
interface Told {
  /** The session as read after the token's end. */
  readonly looked: Looked | undefined
  /** The session, if it is shown as completed. */
  readonly shown: Session | undefined
  /** Whether the merchant has ever stated that nothing was paid. */
  readonly isDenied: boolean
}

/**
 * Ends a checkout with an expired token if the outcome is certain: books the token's whole amount,
 * or releases the hold. A token in the agent's hands can be charged until its end, whatever the
 * merchant said before. So only the merchant's current session counts.
 */
function endOverdue(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  { looked, shown, isDenied }: Told,
): Promise<Stepped> {
  if (shown && isAboveToken(checkout, shown)) return recordTotal(parts, checkout, shown)
  const isUnpaid =
    checkout.mode === 'delegated' ? looked && unpaidCode(looked) !== undefined : isDenied
  return isUnpaid && isSafe(desk, checkout)
    ? releaseUnlessOrdered(parts, checkout, checkout.failure)
    : noteDenial(parts, desk, checkout, isDenied)
}

/**
 * Stores the merchant's denial. If only time can end the hold, also stores the earliest end for the
 * agent.
 */
async function noteDenial(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  isDenied: boolean,
): Promise<Stepped> {
  const failure = canBeAsked(desk) ? checkout.failure : withEnd(checkout)
  const isKnown = failure?.heldUntil === checkout.failure?.heldUntil
  if (isDenied === checkout.isDenied && isKnown) return 'wait'
  return advance(parts, checkout, (locked) => ({ ...locked, isDenied, failure }))
}

function withEnd({ failure, tokenEndsAt }: AcpCheckout): Failure | null {
  return failure && { ...failure, heldUntil: toIso(tokenEndsAt + END_MARGIN_MS) }
}

/**
 * Returns whether the merchant's statement is enough once the token has expired. A decline may
 * answer a repeated request whose token was charged before. So a token provider that can be queried
 * must confirm it.
 */
function isSafe(desk: Desk, checkout: AcpCheckout): boolean {
  return hasNoOrder(checkout) && !canBeAsked(desk)
}

/** A merchant that has reported an order contradicts itself if it denies the payment. */
function hasNoOrder({ order, isDoubtful }: AcpCheckout): boolean {
  return order === null && !isDoubtful
}

/**
 * Returns the merchant's statement about the session. Also cancels the session at the merchant if
 * the agent canceled the checkout, or if the token has expired without a known outcome: the
 * merchant then states the outcome. The answer to a cancel counts only if it shows the session as
 * canceled, expired or completed.
 */
async function askMerchant(
  { outbound }: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  { looked, isOver }: { readonly looked: Looked | undefined; readonly isOver: boolean },
): Promise<CompletionOutcome | undefined> {
  const { sessionId, mode, failure, isDenied } = checkout
  const shown = looked && 'outcome' in looked ? looked.outcome : undefined
  if (shown?.kind === 'completed' || shown?.kind === 'declined') return shown
  const isToBeCanceled = failure?.code === CANCELED || (isOver && hasLeft(checkout))
  if (mode === 'delegated' || isDenied || !isToBeCanceled) return shown
  const answer = await cancel(outbound, desk, { sessionId, key: keyOf(checkout, 'cancel') })
  const isEnd = answer?.kind === 'completed' || (answer?.kind === 'declined' && isGone(answer.code))
  return isEnd ? answer : shown
}

/** Requests a token that may exist again, with the same key, so that it can be revoked. */
async function findToken(parts: FlowParts, desk: Desk, checkout: AcpCheckout): Promise<Stepped> {
  const issued = await issueOnce(desk, checkout)
  const token: Token | undefined =
    issued.kind === 'issued'
      ? toToken(issued)
      : issued.kind === 'action'
        ? { id: issued.tokenId, credentialType: 'spt' }
        : undefined
  if (!token) return 'wait'
  return advance(parts, checkout, (locked) => withToken(parts, locked, token))
}

/**
 * Releases the hold unless an order was reported since the checkout was read. A token that never
 * left the gateway pays for no order.
 */
function releaseUnlessOrdered(
  parts: FlowParts,
  checkout: AcpCheckout,
  failure: Failure | null,
): Promise<Stepped> {
  return advance(parts, checkout, (locked, place) =>
    hasLeft(locked) && !hasNoOrder(locked)
      ? locked
      : bookUnpaid(parts, { ...locked, failure }, place),
  )
}

function release(parts: FlowParts, checkout: AcpCheckout): Promise<Stepped> {
  return advance(parts, checkout, (locked, place) => bookUnpaid(parts, locked, place))
}

/** Books the amount that the provider reports for a token that is over. */
function recordToken(
  parts: FlowParts,
  checkout: AcpCheckout,
  capturedMinor: number,
): Promise<Stepped> {
  if (capturedMinor === 0) return release(parts, checkout)
  const paid = requireMoney(capturedMinor, checkout.currency)
  return advance(parts, checkout, async (locked, place) => ({
    ...(await bookPaid(parts, locked, place, { paid })),
    state: 'settled',
  }))
}

/**
 * Revokes the rest of the token after the order is booked. If the token provider does not report
 * the charge, only the merchant's statement is known, and the transaction is flagged for a person
 * to compare.
 */
export const retireToken: Step = async (parts, desk, checkout) => {
  const { token } = openSecrets(parts, checkout)
  const state: TokenState = token
    ? await desk.issuer.revoke(desk.instrument, token.id)
    : { kind: 'unknown', why: 'The token is not known.' }
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  if (state.kind !== 'over' && !isOver) return 'wait'
  const captured = state.kind === 'over' ? state.capturedMinor : null
  const paid = requireMoney(captured ?? 0, checkout.currency)
  const flags = captured === null ? REST_UNPROVEN : []
  return advance(parts, checkout, async (locked, place) => ({
    ...(await bookPaid(parts, locked, place, { paid, flags })),
    state: 'settled',
  }))
}

export const REST_UNPROVEN = ['rest_unproven'] as const

/**
 * Waits for the payer's authentication. A person may have completed the session at the merchant.
 */
export const awaitPayer: Step = async (parts, desk, checkout) => {
  const now = await parts.clock(parts.db)
  const isOver = checkout.waitsUntil === null || now >= checkout.waitsUntil
  const looked = hasLeft(checkout)
    ? await lookAt(parts.outbound, desk, checkout.sessionId)
    : undefined
  const outcome = looked && 'outcome' in looked ? looked.outcome : undefined
  if (outcome?.kind === 'completed') return recordPaid(parts, desk, checkout, outcome.session)
  if (!isOver) return 'wait'
  return advance(parts, checkout, (locked) => ({
    ...locked,
    state: 'closing',
    failure: { code: 'authentication_timeout', retryable: true },
    isDenied: locked.isDenied || outcome?.kind === 'declined',
  }))
}

/**
 * Follows a token in the agent's hands. Its provider reports the charge. If the provider cannot be
 * queried, only the merchant knows: nothing was charged if it still shows no payment after the
 * token's end.
 */
export const followToken: Step = async (parts, desk, checkout) => {
  const { token } = openSecrets(parts, checkout)
  if (!token) throw new Error('The gateway handed out a token but has not stored it.')
  const state = await desk.issuer.inspect(desk.instrument, token.id)
  if (state.kind === 'over' && state.capturedMinor !== null) {
    return recordToken(parts, checkout, state.capturedMinor)
  }
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  const looked = await lookAt(parts.outbound, desk, checkout.sessionId)
  const outcome = 'outcome' in looked ? looked.outcome : undefined
  // A session that was paid in a different way is not ours, and the token provider would know of
  // our charge.
  if (outcome?.kind === 'completed' && state.kind !== 'open') {
    return recordPaid(parts, desk, checkout, outcome.session)
  }
  const unpaid = isOver && isSafe(desk, checkout) ? unpaidCode(looked) : undefined
  if (unpaid !== undefined) {
    return releaseUnlessOrdered(parts, checkout, { code: unpaid, retryable: true })
  }
  if (outcome?.kind !== 'declined' || !isGone(outcome.code)) return 'wait'
  const { code } = outcome
  return advance(parts, checkout, (locked) => ({
    ...locked,
    state: 'closing',
    failure: { code, retryable: false },
    isDenied: true,
  }))
}

/** States in which a session waits for its payment. */
const UNPAID: readonly string[] = ['ready_for_payment', 'not_ready', 'authentication_required']

/**
 * Returns the reason why nothing was paid, if the merchant shows that. A payment in progress may
 * succeed.
 */
function unpaidCode(looked: Looked): string | undefined {
  if (looked.kind === 'unavailable') return undefined
  if (looked.kind === 'absent') return looked.isTold ? 'session_gone' : undefined
  if (looked.outcome.kind === 'declined') return looked.outcome.code
  if (looked.kind === 'unreadable') return undefined
  const { status, order } = looked.session
  return UNPAID.includes(status) && order === null ? 'token_unused' : undefined
}

/** A declined payment can be retried with the same token; a session that has ended cannot. */
function isGone(code: string): boolean {
  return code === 'session_canceled' || code === 'session_expired'
}

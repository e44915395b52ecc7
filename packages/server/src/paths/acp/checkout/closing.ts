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

/** The failure of a checkout that the agent has given up. */
export const CANCELED = 'canceled'

/**
 * Makes certain that nothing was bought, and gives the hold back only then: the token must never have
 * left the gateway, or be revoked, or past its end, without a charge. Where the issuer cannot be asked,
 * the merchant must have said so as well, and must never have shown or told of an order.
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
 * Nobody outside has the token, so nobody can charge it, and the hold is given back whatever its issuer
 * says. Where the token can be revoked, it is.
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

/** Whether an order that the merchant shows changes anything: a doubtful one does so once. */
function isNews(desk: Desk, checkout: AcpCheckout, shown: Session): boolean {
  if (!checkout.isDoubtful || isBelievable(checkout, shown)) return true
  return isAboveToken(checkout, shown) && !canBeAsked(desk)
}

/** What the merchant has told of a checkout whose token is over. */
interface Told {
  /** Asked after the token's end. */
  readonly looked: Looked | undefined
  /** The order that it shows. */
  readonly shown: Session | undefined
  /** Whether it has said at any time that nothing was paid. */
  readonly isDenied: boolean
}

/**
 * The token is over: books all that it was worth, or gives the hold back, where that is certain. A token
 * that the agent has can be charged until its end, whatever the merchant said before: only what it shows
 * now counts.
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

/** Where only time can end the hold, the agent is told until when it stays at least. */
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
 * Whether the word of the merchant is enough once the token is over. A decline may be that of a repeat
 * with a token that was charged before: who can be asked has to say.
 */
function isSafe(desk: Desk, checkout: AcpCheckout): boolean {
  return hasNoOrder(checkout) && !canBeAsked(desk)
}

/** A merchant that has spoken of an order contradicts itself when it says that nothing was paid. */
function hasNoOrder({ order, isDoubtful }: AcpCheckout): boolean {
  return order === null && !isDoubtful
}

/**
 * What the merchant says of the session. One that the agent has given up is canceled there too. So is
 * one whose token has ended and of which nothing is known: then the merchant says what became of it.
 * Its answer counts only where it shows the session as canceled, expired or completed.
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

/** A token that may have been made is asked for again with the same key, so that it can be revoked. */
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

/** An order may have been told of since the checkout was read. A token that nobody has pays for none. */
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

/** The token is over, and the issuer says what was charged with it. */
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
 * The order is made and booked: takes back what the token is still worth. Where the issuer does not say
 * what was charged, that is known from the merchant alone, and a person should compare it.
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

/** The payer has not proved anything yet. A person may have completed the session at the merchant. */
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
 * The agent has the token. Its issuer says what was charged with it. Where the issuer cannot be asked,
 * only the merchant can tell: nothing was, if it still shows no payment once the token is over.
 */
export const followToken: Step = async (parts, desk, checkout) => {
  const { token } = openSecrets(parts, checkout)
  if (!token) throw new Error('A token was handed out that is not known.')
  const state = await desk.issuer.inspect(desk.instrument, token.id)
  if (state.kind === 'over' && state.capturedMinor !== null) {
    return recordToken(parts, checkout, state.capturedMinor)
  }
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  const looked = await lookAt(parts.outbound, desk, checkout.sessionId)
  const outcome = 'outcome' in looked ? looked.outcome : undefined
  // A session that was paid otherwise is none of ours, and the issuer would know.
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

/** Why nothing was paid, where the merchant shows that. What is under way may be paid. */
function unpaidCode(looked: Looked): string | undefined {
  if (looked.kind === 'unavailable') return undefined
  if (looked.kind === 'absent') return looked.isTold ? 'session_gone' : undefined
  if (looked.outcome.kind === 'declined') return looked.outcome.code
  if (looked.kind === 'unreadable') return undefined
  const { status, order } = looked.session
  return UNPAID.includes(status) && order === null ? 'token_unused' : undefined
}

/** A declined payment can be tried again with the same token; a session that has ended cannot. */
function isGone(code: string): boolean {
  return code === 'session_canceled' || code === 'session_expired'
}

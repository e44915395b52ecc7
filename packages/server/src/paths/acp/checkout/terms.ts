import { Problem } from '../../../base/errors.ts'
import { toUnits } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Desk } from '../flow-parts.ts'
import type { Objection, UsableInstrument } from '../issuers/token-issuer.ts'
import type { AcpMerchant } from '../merchant.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import type { Session, SessionHandler, SessionStatus } from '../versions/version.ts'
import type { Looked } from './merchant-calls.ts'
import type { Expected } from './request.ts'

/** A session that ends sooner cannot be paid in time. */
const TIME_LEFT_MIN_MS = 60_000
const TOKEN_MS = 15 * 60_000

const PAYABLE: readonly string[] = ['ready_for_payment', 'authentication_required']

/** Advice for the agent if a session cannot be paid now. Ended sessions have a common text. */
const NEXT: Readonly<Partial<Record<SessionStatus, string>>> = {
  not_ready: 'Complete the session at the merchant; its messages name what is missing.',
  requires_escalation: 'A person must continue it at the merchant.',
  in_progress: 'Look at it again later.',
}

/** The caller's choice of the way to pay. Undefined fields leave it open. */
export interface Wish {
  readonly handlerId: string | undefined
  /** The merchant id to pay. */
  readonly payee?: string
}

/** The session, the way to pay and the payee of a checkout. */
export interface Terms {
  readonly session: Session
  readonly handler: SessionHandler
  /** The merchant id that is paid. The directory allows it. */
  readonly merchantId: string
  readonly tokenEndsAt: Instant
}

/** Returns the merchant's session, or throws the reason why it cannot be decided. */
export function requireSession(looked: Looked): Session {
  switch (looked.kind) {
    case 'session':
      return looked.session
    case 'absent':
      throw new Problem(
        ACP_PROBLEMS.acp_session_not_found,
        'The merchant has no such checkout session. Nothing was decided. Check checkoutSessionId, vendor, and apiBaseUrl of the directory entry.',
      )
    case 'unreadable':
      throw new Problem(
        ACP_PROBLEMS.acp_invalid_session,
        `The merchant returned a session that is malformed or ambiguous. ${looked.why} Nothing was decided.`,
      )
    case 'unavailable':
      throw new Problem(
        ACP_PROBLEMS.acp_merchant_unavailable,
        `${looked.why} Nothing was decided. ${looked.advice}`,
      )
  }
}

/**
 * Finds a way to pay the session, or throws. Everything that is not known to be allowed is refused.
 */
export function findTerms(
  session: Session,
  { merchant, instrument, issuer }: Desk,
  wish: Wish,
  now: Instant,
): Terms {
  requireReady(session, now)
  const handler = chooseHandler(withAgreed(session, merchant), instrument, wish)
  const merchantId = requirePayee(handler, merchant)
  const { profileId } = merchant
  const objection = issuer.objectionTo({ profileId, currency: session.currency.toLowerCase() })
  if (objection) throw noToken(objection)
  const tokenEndsAt = Math.min(now + TOKEN_MS, session.expiresAt ?? Number.POSITIVE_INFINITY)
  return { session, handler, merchantId, tokenEndsAt }
}

function noToken({ message }: Objection): Problem {
  return new Problem(ACP_PROBLEMS.acp_unsupported_handler, `${message} Nothing was decided.`)
}

function requireReady({ status, expiresAt, total, order }: Session, now: Instant): void {
  if (!PAYABLE.includes(status) || order) {
    throw new Problem(
      ACP_PROBLEMS.acp_session_not_ready,
      `The session is ${status} at the merchant, not ready_for_payment. Nothing was decided. ${NEXT[status] ?? 'Open a new session to buy again.'}`,
      { extra: { sessionStatus: status } },
    )
  }
  if (expiresAt !== null && expiresAt < now + TIME_LEFT_MIN_MS) {
    throw new Problem(
      ACP_PROBLEMS.acp_session_not_ready,
      'The session or its quote expires within a minute. Ask the merchant for a new one.',
      { extra: { sessionStatus: 'expired' } },
    )
  }
  if (total > 0n) return
  throw new Problem(
    ACP_PROBLEMS.acp_invalid_session,
    'The total of the session is zero, so nothing can be paid.',
  )
}

/** Checks the agent's expectations. They do not change the payment. */
export function requireExpected({ total, currency }: Session, expected: Expected): void {
  const said =
    expected.amount !== undefined && expected.amount !== total
      ? `not the expected ${toUnits(expected.amount)}`
      : expected.maxAmount !== undefined && total > expected.maxAmount
        ? `more than the expected ${toUnits(expected.maxAmount)}`
        : expected.currency !== undefined && expected.currency !== currency
          ? `not in the expected ${expected.currency}`
          : undefined
  if (said === undefined) return
  throw new Problem(
    ACP_PROBLEMS.acp_expectation_failed,
    `The total of the session is ${toUnits(total)} ${currency}, ${said}. Nothing was decided.`,
    { extra: { total: toUnits(total), currency } },
  )
}

const NAMES_NONE = 'The session names no payment handler, or not the requested one.'

/** Uses the directory's way to pay for a session that names none. */
function withAgreed(session: Session, { handler }: AcpMerchant): Session {
  if (!session.isWithoutHandlers || !handler) return session
  return { ...session, handlers: [{ ...AGREED, ...handler }] }
}

/** The directory alone determines the payee, too. */
const AGREED = {
  name: 'directory',
  merchantId: null,
  needsDelegatedToken: true,
  needsCardData: false,
  isSellerBacked: false,
}

function chooseHandler(
  { handlers, isWithoutHandlers }: Session,
  { issuer }: UsableInstrument,
  { handlerId: wished, payee }: Wish,
): SessionHandler {
  const usable = handlers.filter(
    ({ needsDelegatedToken, needsCardData, isSellerBacked, psp, merchantId }) =>
      needsDelegatedToken &&
      (payee === undefined || (merchantId ?? payee) === payee) &&
      !needsCardData &&
      !isSellerBacked &&
      (issuer !== 'stripe' || psp.toLowerCase() === 'stripe'),
  )
  const chosen = wished === undefined ? usable[0] : usable.find(({ id }) => id === wished)
  if (chosen) return chosen
  const said = isWithoutHandlers
    ? `${NAMES_NONE} If the merchant told you its payment handler, add it with PATCH /vendors/:id {"acp": {"handler": {"id": …, "psp": …}}}.`
    : wished === undefined
      ? 'The session offers no payment handler that accepts a delegated token, needs no card data, and fits the instrument.'
      : 'The requested payment handler is not offered, or accepts no delegated token that fits the instrument.'
  const hint =
    issuer === 'stripe'
      ? ' An instrument of the token provider stripe fits only handlers whose psp is stripe.'
      : ''
  throw new Problem(ACP_PROBLEMS.acp_unsupported_handler, `${said}${hint}`)
}

/**
 * Returns the merchant id to pay. The merchant's answer names it, so the directory has to allow it.
 * The first version of the protocol does not name it: then the directory must have exactly one.
 */
function requirePayee({ merchantId }: SessionHandler, { merchantIds }: AcpMerchant): string {
  const [only, ...others] = merchantIds
  const named = merchantId ?? (others.length === 0 ? only : undefined)
  if (named !== undefined && merchantIds.includes(named)) return named
  throw new Problem(
    ACP_PROBLEMS.acp_merchant_mismatch,
    'The session names a merchant id that the directory does not allow for this vendor. Do not add it unless the merchant confirms it.',
  )
}

import { type Fields, fieldsOf, readCode } from './merchant-text.ts'
import { readStatus } from './read-session.ts'
import type { CompletionOutcome, Session, Unreadable } from './version.ts'

/** Statuses that prove that the request was not carried out, unless the code contradicts that. */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 406, 411, 412, 413, 415, 422, 429, 431, 451,
])

/**
 * Codes that a merchant may return for the retry of a request that it already carried out. The
 * first request may then have made an order.
 */
const TELLS_OF_ANOTHER = /already|complet|conflict|duplicate|in_flight|in_progress|paid|process/

const IN_FLIGHT = 'idempotency_in_flight'
const RETRY_AFTER_MS = 1_000
const RETRY_AFTER_MAX_MS = 60_000

/**
 * Returns the outcome that this answer proves. A merchant without a clear answer may still have
 * charged the token. So an answer is a decline only if it cannot mean a charge.
 */
export function readOutcome(
  readSession: (body: unknown) => Session | Unreadable,
  { status, body, retryAfter }: MerchantAnswer,
): CompletionOutcome {
  const code = readCode(fieldsOf(body)['code'])
  if (status >= 200 && status < 300) return readShown(readSession(body), fieldsOf(body))
  if (status === 409 && code === IN_FLIGHT) {
    return { kind: 'in_flight', retryAfterMs: toMs(retryAfter) }
  }
  if (!REFUSALS.has(status)) return unknown(`The merchant answered ${status}.`)
  if (code === 'requires_3ds') return { kind: 'authentication', session: null }
  if (code !== null && TELLS_OF_ANOTHER.test(code)) {
    return unknown(`The merchant answered ${status} with ${code}.`)
  }
  const retryable = status === 429
  return { kind: 'declined', code: code ?? `merchant_${status}`, retryable, isShown: false }
}

interface MerchantAnswer {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | undefined
}

/** Reads the outcome of a payment from its session, with a decline among the messages. */
function readShown(session: Session | Unreadable, body: Fields): CompletionOutcome {
  const readable = 'unreadable' in session ? null : session
  const status = readStatus(body)
  switch (status) {
    case 'completed':
      if (!readable) return unknown('The merchant shows a completed session without a clear total.')
      return readCompleted(readable)
    // These can no longer be paid, so their totals need not be readable.
    case 'canceled':
    case 'expired':
      return readable?.order
        ? unknown(`The merchant shows an order for a session that is ${status}.`)
        : { kind: 'declined', code: `session_${status}`, retryable: false, isShown: true }
    case 'authentication_required':
    case 'requires_escalation':
      return { kind: 'authentication', session: readable }
    case 'in_progress':
      return 'status' in body
        ? { kind: 'in_progress' }
        : unknown('The answer of the merchant is not a session.')
    case 'ready_for_payment':
    case 'not_ready':
      return readUnpaid(readable)
  }
}

function readCompleted(session: Session): CompletionOutcome {
  const isContradiction = session.order === null && session.errors.includes('payment_declined')
  return isContradiction
    ? unknown('The merchant shows a completed session with a declined payment.')
    : { kind: 'completed', session }
}

/**
 * A session that is open again with an error was not paid. A session without an error may be
 * unchanged since before the request arrived.
 */
function readUnpaid(session: Session | null): CompletionOutcome {
  if (!session) return unknown('The merchant shows an open session that cannot be read.')
  const { errors, order } = session
  if (order) return unknown('The merchant shows an order for a session that is open.')
  if (errors.includes('requires_3ds')) return { kind: 'authentication', session }
  const code = errors.includes('payment_declined') ? 'payment_declined' : errors[0]
  if (code === undefined) return unknown('The merchant shows the session as open.')
  return { kind: 'declined', code, retryable: code === 'rate_limited', isShown: true }
}

function unknown(why: string): CompletionOutcome {
  return { kind: 'unknown', why }
}

/** Reads seconds, as the protocol sends them. A date or an invalid value counts as one second. */
function toMs(retryAfter: string | undefined): number {
  const ms = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : RETRY_AFTER_MS
  return Math.min(Math.max(ms, RETRY_AFTER_MS), RETRY_AFTER_MAX_MS)
}

import { parseStrictJson } from '../../../base/strict-json.ts'
import type {
  OutboundClient,
  OutboundFailure,
  OutboundResult,
} from '../../../outbound/outbound-client.ts'
import type { AcpMerchant } from '../merchant.ts'
import { type Hide, hideIn } from '../versions/hiding.ts'
import { fieldsOf } from '../versions/merchant-text.ts'
import type { CheckoutVersion, CompletionOutcome, Session } from '../versions/version.ts'

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 1_048_576

export interface Seller {
  readonly merchant: AcpMerchant
  readonly version: CheckoutVersion
  readonly hide: Hide
}

/** The result of reading a session from the merchant. */
export type Looked =
  /** `outcome`: the state of its payment, from the same answer. */
  | { readonly kind: 'session'; readonly session: Session; readonly outcome: CompletionOutcome }
  /**
   * `isTold`: the answer is an error of the protocol, so it does not come from a wrong URL or a
   * server in between.
   */
  | { readonly kind: 'absent'; readonly isTold: boolean }
  | { readonly kind: 'unreadable'; readonly why: string; readonly outcome: CompletionOutcome }
  | { readonly kind: 'unavailable'; readonly why: string; readonly advice: string }

/** Fetches a session. It is the only source of amount, currency, payee and lines. */
export async function lookAt(
  outbound: OutboundClient,
  seller: Seller,
  sessionId: string,
): Promise<Looked> {
  const result = await call(outbound, seller, 'GET', addressOf(seller, sessionId))
  if (result.kind === 'failure') return toUnavailable(result)
  const { status } = result
  if (status === 404 || status === 410)
    return { kind: 'absent', isTold: isError(seller, sessionId, result) }
  if (status !== 200) {
    return {
      kind: 'unavailable',
      why: `The merchant answered ${status}.`,
      advice: adviceFor(status),
    }
  }
  const body = readBody(seller, sessionId, result)
  const outcome = outcomeOf(seller, sessionId, result)
  const session = seller.version.readSession(body)
  if ('unreadable' in session) return { kind: 'unreadable', why: session.unreadable, outcome }
  if (session.id === sessionId) return { kind: 'session', session, outcome }
  return { kind: 'unreadable', why: 'It is not the requested session.', outcome }
}

/** Asks the merchant to make the order. The same key with the same body makes at most one order. */
export async function complete(
  outbound: OutboundClient,
  seller: Seller,
  { sessionId, key, body }: { readonly sessionId: string; readonly key: string; body: object },
): Promise<CompletionOutcome> {
  const url = `${addressOf(seller, sessionId)}/complete`
  return outcomeOf(seller, sessionId, await call(outbound, seller, 'POST', url, { key, body }))
}

/**
 * Asks the merchant to cancel a session. Returns undefined unless the answer shows the session: a
 * refusal says why the merchant did not cancel, and nothing about an earlier payment.
 */
export async function cancel(
  outbound: OutboundClient,
  seller: Seller,
  { sessionId, key }: { readonly sessionId: string; readonly key: string },
): Promise<CompletionOutcome | undefined> {
  const url = `${addressOf(seller, sessionId)}/cancel`
  const result = await call(outbound, seller, 'POST', url, { key, body: {} })
  const isShown = result.kind === 'answer' && result.status >= 200 && result.status < 300
  return isShown ? outcomeOf(seller, sessionId, result) : undefined
}

function addressOf({ merchant }: Seller, sessionId: string): string {
  return `${merchant.apiBaseUrl}/checkout_sessions/${encodeURIComponent(sessionId)}`
}

function call(
  outbound: OutboundClient,
  { merchant, version }: Seller,
  method: 'GET' | 'POST',
  url: string,
  sent?: { readonly key: string; readonly body: object },
): Promise<OutboundResult> {
  return outbound.call({
    method,
    url,
    headers: {
      authorization: `Bearer ${merchant.credential}`,
      'api-version': version.name,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(sent && { 'content-type': 'application/json', 'idempotency-key': sent.key }),
    },
    ...(sent && { body: JSON.stringify(sent.body) }),
    timeoutMs: TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
  })
}

function outcomeOf(seller: Seller, sessionId: string, result: OutboundResult): CompletionOutcome {
  if (result.kind === 'failure') return { kind: 'unknown', why: result.message }
  const body = readBody(seller, sessionId, result)
  const { id } = fieldsOf(body)
  // An ended session is believed without its other fields, but not if its id is wrong.
  if (result.status < 300 && typeof id === 'string' && id !== sessionId) {
    return {
      kind: 'unknown',
      why: 'The merchant returned a different session than the requested one.',
    }
  }
  return seller.version.readOutcome(result.status, body, result.headers['retry-after'])
}

/** Returns whether the answer is an error in the protocol's format. */
function isError(
  seller: Seller,
  sessionId: string,
  result: Extract<OutboundResult, { kind: 'answer' }>,
): boolean {
  const { type, code } = fieldsOf(readBody(seller, sessionId, result))
  return typeof type === 'string' && typeof code === 'string'
}

/**
 * Returns undefined for invalid or incomplete JSON; every version treats that as unreadable. Hides
 * secrets that the merchant echoes, but keeps the requested session id.
 */
function readBody(
  { hide }: Seller,
  sessionId: string,
  { body, cut }: Extract<OutboundResult, { kind: 'answer' }>,
): unknown {
  if (cut !== null) return undefined
  try {
    const read = parseStrictJson(body)
    return hideIn(read, (text) => (text === sessionId ? text : hide(text)))
  } catch {
    return undefined
  }
}

function toUnavailable({ reason, message }: OutboundFailure): Looked {
  const isRefused = reason === 'url_refused' || reason === 'address_refused'
  if (!isRefused) return { kind: 'unavailable', why: message, advice: LATER }
  const why = 'The gateway may not call the address of the merchant.'
  return { kind: 'unavailable', why, advice: 'Check apiBaseUrl of its directory entry.' }
}

const LATER = 'Try again later.'

/** Most refusals are caused by mistakes in the directory entry, which a retry does not fix. */
function adviceFor(status: number): string {
  if (status === 401 || status === 403) {
    return 'It rejects the credential of its directory entry. Set the right one with PATCH /vendors/:id.'
  }
  const mayPass = status === 408 || status === 429 || status >= 500
  return mayPass ? LATER : 'Check apiBaseUrl and version of its directory entry.'
}

import { parseStrictJson } from '../../../base/strict-json.ts'
import type {
  OutboundClient,
  OutboundFailure,
  OutboundRequest,
  OutboundResult,
} from '../../../outbound/outbound-client.ts'
import { type Fields, isFields, readCode } from '../versions/merchant-text.ts'
import type { Issued } from './token-issuer.ts'

/** A look, a token and a completion fit into the time in which a checkout is answered. */
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 1_048_576

/** What an issuer said, or why nothing is known of it. */
export type IssuerAnswer =
  /** `body` is undefined where it is not whole, or not an object of JSON. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: Fields | undefined }
  /** Nothing of the request has left this machine. */
  | { readonly kind: 'unsent'; readonly code: string; readonly retryable: boolean }
  | { readonly kind: 'unknown'; readonly why: string }

/** Calls an issuer once. What it says is never logged or quoted: it may repeat a token. */
export async function callIssuer(
  outbound: OutboundClient,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<IssuerAnswer> {
  const limits = { timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
  return toIssuerAnswer(await outbound.call({ ...request, ...limits }))
}

function toIssuerAnswer(result: OutboundResult): IssuerAnswer {
  if (result.kind === 'failure') return toFailure(result)
  const { status, body, cut } = result
  return { kind: 'answer', status, body: cut === null ? readObject(body) : undefined }
}

function toFailure({ reason, message, remoteAddress }: OutboundFailure): IssuerAnswer {
  switch (reason) {
    case 'url_refused':
    case 'address_refused':
      return { kind: 'unsent', code: 'issuer_not_allowed', retryable: false }
    case 'dns_failed':
    case 'connect_failed':
    case 'tls_failed':
    case 'own_fault':
      return UNREACHABLE
    case 'timeout':
      // Without an address nobody was called. With one, the request may have arrived.
      return remoteAddress === null ? UNREACHABLE : { kind: 'unknown', why: message }
    case 'connection_lost':
    case 'bad_answer':
      return { kind: 'unknown', why: message }
  }
}

const UNREACHABLE = { kind: 'unsent', code: 'issuer_unreachable', retryable: true } as const

function readObject(body: Buffer): Fields | undefined {
  try {
    const value = parseStrictJson(body)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Refusals of the request itself. Any other status may follow after something was done. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422, 429])
const TOO_MANY = 429

/**
 * What an answer proves that is no token. `error` is what the issuer says of the reason. A key that
 * was used for another body proves nothing: with that body a token may have been made.
 */
export function toRefusal(status: number, error: Fields | undefined): Issued {
  const code = readCode(error?.['code']) ?? readCode(error?.['type'])
  if (!REFUSALS.has(status) || isAboutKey(error) || (status === 422 && code === null)) {
    return { kind: 'unknown', why: `The issuer answered ${status}, which may follow a token.` }
  }
  return { kind: 'refused', code: code ?? `issuer_${status}`, retryable: status === TOO_MANY }
}

function isAboutKey(error: Fields | undefined): boolean {
  return [error?.['code'], error?.['type']].some(
    (name) => typeof name === 'string' && name.startsWith('idempotency'),
  )
}

import { parseStrictJson } from '../../../base/strict-json.ts'
import type {
  OutboundClient,
  OutboundFailure,
  OutboundRequest,
  OutboundResult,
} from '../../../outbound/outbound-client.ts'
import { type Fields, isFields, readCode } from '../versions/merchant-text.ts'
import type { Issued } from './token-issuer.ts'

/** Limits each call, so that a read, a token and a completion fit into the time for an answer. */
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 1_048_576

/** A token provider's answer, or the reason why there is none. */
export type IssuerAnswer =
  /** `body` is undefined if it is incomplete, or not a JSON object. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: Fields | undefined }
  /** No part of the request has left this machine. */
  | { readonly kind: 'unsent'; readonly code: string; readonly retryable: boolean }
  | { readonly kind: 'unknown'; readonly why: string }

/**
 * Calls a token provider once. Its answer is never logged or quoted, because it may contain a
 * token.
 */
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
      // Without a remote address no connection was made. With one, the request may have arrived.
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

/**
 * Statuses that refuse the request itself. Any other status may follow a request that took effect.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422, 429])
const TOO_MANY = 429

/**
 * Interprets an answer without a token. `error` is the provider's reason. An error about a reused
 * idempotency key proves nothing: the request with the other body may have created a token.
 */
export function toRefusal(status: number, error: Fields | undefined): Issued {
  const code = readCode(error?.['code']) ?? readCode(error?.['type'])
  if (!REFUSALS.has(status) || isAboutKey(error) || (status === 422 && code === null)) {
    return {
      kind: 'unknown',
      why: `The token provider answered ${status} and may still have created a token.`,
    }
  }
  return { kind: 'refused', code: code ?? `issuer_${status}`, retryable: status === TOO_MANY }
}

function isAboutKey(error: Fields | undefined): boolean {
  return [error?.['code'], error?.['type']].some(
    (name) => typeof name === 'string' && name.startsWith('idempotency'),
  )
}

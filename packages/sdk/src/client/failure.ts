import { ConnectionError, type PurserError } from './errors.ts'
import type { Settings } from './options.ts'
import type { ApiRequest } from './request.ts'

/** The circumstances of one attempt. */
export interface AttemptOptions {
  readonly idempotencyKey: string | null
  /** Whether an earlier attempt may have taken effect. */
  readonly outcomeUnknown: boolean
  /** How much time the call has left. */
  readonly leftMs: number
  /** How long this attempt may take. */
  readonly mostMs: number
  readonly signal?: AbortSignal | undefined
}

/** The codes of failures before the request left this machine, in Node and Bun. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused/
/** Deno has no code for them. No URL, which its message quotes, contains these spaces. */
const NOT_CONNECTED = /client error \(Connect\)/

/** Returns the error for an attempt that got no response, or only a part of it. */
export function failureOf(
  error: unknown,
  late: AbortSignal,
  { apiKey, baseUrl }: Settings,
  { method }: ApiRequest,
  options: AttemptOptions,
): PurserError {
  const { idempotencyKey, leftMs, mostMs, signal } = options
  const outcomeUnknown = options.outcomeUnknown || (method !== 'GET' && !isNotSent(error))
  if (signal?.aborted) return abortedBy(signal, options, outcomeUnknown)
  const facts = { idempotencyKey, outcomeUnknown, cause: withoutKey(error, apiKey) }
  if (late.aborted) {
    return new ConnectionError('The gateway did not answer in time.', {
      ...facts,
      code: leftMs <= mostMs ? 'timeout' : 'attempt_timeout',
    })
  }
  return new ConnectionError(`The connection to ${baseUrl} failed. ${facts.cause.message}`, {
    ...facts,
    code: 'network_error',
  })
}

export function abortedBy(
  { reason }: AbortSignal,
  { idempotencyKey }: AttemptOptions,
  outcomeUnknown: boolean,
): PurserError {
  const facts = { code: 'aborted', idempotencyKey, outcomeUnknown, cause: reason }
  return new ConnectionError('The caller aborted the call.', facts)
}

/** The fields of errors of the runtimes. */
interface Failure {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly cause?: unknown
}

function isNotSent(error: unknown): boolean {
  const { code, cause } = Object(error) as Failure
  const inner = Object(cause) as Failure
  const codes = `${code} ${inner.code}`
  return NOT_SENT.test(codes) || NOT_CONNECTED.test(`${inner.message}`)
}

/** Errors of some HTTP libraries hold the request, and with it the key. */
function withoutKey(error: unknown, apiKey: string | null): Error {
  const { name, message, code, cause } = Object(error) as Failure
  const inner = Object(cause) as Failure
  const text = [message, inner.message].filter((it) => it !== undefined && it !== '').join(': ')
  const copy = new Error(apiKey === null ? text : text.replaceAll(apiKey, '…'))
  return Object.assign(copy, { name: String(name ?? 'Error'), code: code ?? inner.code })
}

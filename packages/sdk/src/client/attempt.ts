import type { Problem } from '../generated/types/index.ts'
import type { Answer } from './call.ts'
import { ConnectionError, errorOf, type PurserError } from './errors.ts'
import { type AttemptOptions, abortedBy, failureOf } from './failure.ts'
import type { Settings } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { ApiRequest } from './request.ts'
import { readRetryAfter, TIMER_MS_MAX } from './retry.ts'

/** The gateway answers with these codes before it has changed anything or sent a payment. */
const NOT_BEGUN = /^(overloaded|upstream_\w+|chain_\w+)$/
/** Sends a request once. Throws a `PurserError` for everything but a usable answer. */
export async function attempt<T>(
  settings: Settings,
  request: ApiRequest,
  prepared: Prepared,
  options: AttemptOptions,
): Promise<Answer<T>> {
  const { response, text } = await exchange(settings, request, prepared, options)
  if (response.ok) return readAnswer<T>(response, text, request, options)
  const gone = request.method === 'DELETE' && response.status === 404 && options.outcomeUnknown
  if (gone) return deletedBefore<T>(response, request)
  throw refusalOf(response, text ?? '', request, options)
}

interface Exchanged {
  readonly response: Response
  /** Null if the request reads its answer itself. */
  readonly text: string | null
}

async function exchange(
  settings: Settings,
  request: ApiRequest,
  { url, init }: Prepared,
  options: AttemptOptions,
): Promise<Exchanged> {
  if (options.signal?.aborted) throw abortedBy(options.signal, options, options.outcomeUnknown)
  const late = new AbortController()
  const timerMs = Math.min(options.mostMs, options.leftMs, TIMER_MS_MAX)
  const timer = setTimeout(() => late.abort(), timerMs)
  const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal
  try {
    const response = await settings.fetch(url, { ...init, signal })
    const isRead = response.ok && request.read !== undefined
    return { response, text: isRead ? null : await response.text() }
  } catch (error) {
    throw failureOf(error, late.signal, settings, request, options)
  } finally {
    clearTimeout(timer)
  }
}

async function readAnswer<T>(
  response: Response,
  text: string | null,
  { method, read }: ApiRequest,
  { idempotencyKey, outcomeUnknown }: AttemptOptions,
): Promise<Answer<T>> {
  const requestId = response.headers.get('x-request-id')
  if (text === null) return { data: (await read?.(response)) as T, response, requestId }
  const data = parse(text)
  if (data !== undefined) return { data: data as T, response, requestId }
  // A proxy can cut an answer without a trace. Other servers send pages.
  const isCut = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  throw new ConnectionError(
    isCut
      ? 'The answer of the gateway was cut off.'
      : `The answer (${response.status}) is not JSON. Is \`baseUrl\` the address of a Purser gateway?`,
    {
      ...{ code: isCut ? 'network_error' : 'invalid_response', requestId, idempotencyKey },
      ...(!isCut && { status: response.status }),
      outcomeUnknown: outcomeUnknown || method !== 'GET',
    },
  )
}

/** After a lost answer, a DELETE that finds nothing meets its own effect. */
function deletedBefore<T>(response: Response, { path }: ApiRequest): Answer<T> {
  const [, resource = '', id = ''] = path.split('/')
  const effect = resource === 'api-keys' ? 'revoked' : 'deleted'
  const data = { id: decodeURIComponent(id), [effect]: true }
  return { data: data as T, response, requestId: response.headers.get('x-request-id') }
}

/** Returns the error for a response that is not a success. */
function refusalOf(
  response: Response,
  text: string,
  { method }: ApiRequest,
  { idempotencyKey, outcomeUnknown }: AttemptOptions,
): PurserError {
  const { status } = response
  const facts = { idempotencyKey, requestId: response.headers.get('x-request-id') }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const place = response.headers.get('location')
    return new ConnectionError(
      `The gateway redirects${place ? ` to ${withoutQuery(place)}` : ''}. Set \`baseUrl\` to that address: the client follows no redirect.`,
      { ...facts, code: 'redirect_refused', status, outcomeUnknown },
    )
  }
  const problem = asProblem(parse(text))
  const detail = problem?.detail ?? `The answer is ${status}, not from a gateway.`
  // A proxy or a broken commit says nothing of the outcome.
  const isLost = status >= 500 && method !== 'GET' && !NOT_BEGUN.test(problem?.code ?? '')
  return errorOf(detail, {
    ...facts,
    status,
    problem,
    code: problem?.code ?? `http_${status}`,
    outcomeUnknown: outcomeUnknown || isLost,
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
  })
}

function asProblem(body: unknown): Problem | null {
  const problem = Object(body) as Partial<Problem>
  const isProblem = typeof problem.code === 'string' && typeof problem.detail === 'string'
  return isProblem ? (problem as Problem) : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A query can hold secrets. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '')
}

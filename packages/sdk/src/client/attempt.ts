import type { Answer } from './call.ts'
import { ConnectionError, errorOf, PurserError } from './errors.ts'
import { badOption, type Settings } from './options.ts'
import type { Problem } from './problem.ts'
import type { ApiRequest } from './request.ts'
import { readRetryAfter, TIMER_MS_MAX } from './retry.ts'

/** The circumstances of one attempt. */
export interface AttemptOptions {
  readonly idempotencyKey: string | null
  /** Whether an earlier attempt may have taken effect. */
  readonly outcomeUnknown: boolean
  /** How much time the call has left. */
  readonly leftMs: number
  /** How long this attempt may take. */
  readonly mostMs: number
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** The codes of failures before the request left this machine, in Node and Bun. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ConnectionRefused/
/** Deno has no code for them. No URL, which its message quotes, contains these spaces. */
const NOT_CONNECTED = /client error \(Connect\)/

/** The gateway answers with these codes before it has changed anything or sent a payment. */
const NOT_BEGUN = /^(overloaded|upstream_\w+|chain_\w+|signer_unavailable)$/

/** Sends a request once. Throws a `PurserError` for everything but a usable answer. */
export async function attempt<T>(
  settings: Settings,
  request: ApiRequest,
  options: AttemptOptions,
): Promise<Answer<T>> {
  const late = new AbortController()
  const timerMs = Math.min(options.mostMs, options.leftMs, TIMER_MS_MAX)
  const timer = setTimeout(() => late.abort(), timerMs)
  const limit = late.signal
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    options.signal?.throwIfAborted()
    const response = await settings.fetch(urlOf(settings, request), {
      method: request.method,
      headers: headersOf(settings, request, options),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      // The key is for this gateway, and for no other host that a redirect names.
      redirect: 'manual',
      credentials: settings.apiKey === null ? 'same-origin' : 'omit',
      signal,
    })
    if (response.ok) return await readAnswer<T>(response, request)
    if (response.status === 404 && request.method === 'DELETE' && options.outcomeUnknown) {
      return deletedBefore<T>(response, request)
    }
    throw await refusalOf(response, request, options)
  } catch (error) {
    throw PurserError.is(error) ? error : failureOf(error, limit, request, options)
  } finally {
    clearTimeout(timer)
  }
}

function urlOf({ baseUrl }: Settings, { path, query }: ApiRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return `${baseUrl}/api/v1${path}${text && `?${text}`}`
}

function headersOf(
  { apiKey }: Settings,
  { accept, body }: ApiRequest,
  { idempotencyKey, headers }: AttemptOptions,
): Record<string, string> {
  const own = {
    accept: accept ?? 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  }
  // `fetch` would join both values, so that a key of the caller would protect nothing.
  const twice = Object.keys(headers ?? {}).find((name) => name.toLowerCase() in own)
  if (twice === undefined) return { ...headers, ...own }
  throw badOption(
    `The client sets the header \`${twice}\` itself. Leave it out; \`apiKey\` and \`idempotencyKey\` are options.`,
  )
}

async function readAnswer<T>(response: Response, { read }: ApiRequest): Promise<Answer<T>> {
  const requestId = response.headers.get('x-request-id')
  if (read) return { data: (await read(response)) as T, response, requestId }
  const text = await response.text()
  const data = parse(text)
  if (data === undefined) {
    throw new ConnectionError(
      `The answer (${response.status}) is not JSON. Is \`baseUrl\` the address of a Purser gateway?`,
      { code: 'invalid_response', status: response.status, requestId },
    )
  }
  return { data: data as T, response, requestId }
}

/** After a lost answer, a DELETE that finds nothing meets its own effect. */
function deletedBefore<T>(response: Response, { path }: ApiRequest): Answer<T> {
  const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  const data = path.startsWith('/api-keys/')
    ? { id, revoked: true, revokedKeys: 1 }
    : { id, deleted: true, archived: false }
  return { data: data as T, response, requestId: response.headers.get('x-request-id') }
}

/** Returns the error for a response that is not a success. */
async function refusalOf(
  response: Response,
  { method }: ApiRequest,
  { idempotencyKey, outcomeUnknown }: AttemptOptions,
): Promise<PurserError> {
  const { status } = response
  const facts = { idempotencyKey, requestId: response.headers.get('x-request-id') }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    const place = response.headers.get('location')
    return new ConnectionError(
      `The gateway redirects${place ? ` to ${withoutQuery(place)}` : ''}. The client follows no redirect, because the API key is for the gateway alone. Set \`baseUrl\` to the final address.`,
      { ...facts, code: 'redirect_refused', status, outcomeUnknown },
    )
  }
  const problem = asProblem(parse(await response.text()))
  const detail = problem?.detail ?? `The answer was ${status} without a problem document.`
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

/** Returns the error for an attempt that got no response, or only a part of it. */
function failureOf(
  error: unknown,
  limit: AbortSignal,
  { method }: ApiRequest,
  { idempotencyKey, outcomeUnknown, leftMs, mostMs, signal }: AttemptOptions,
): PurserError {
  const isSent = !isNotSent(error)
  const facts = {
    idempotencyKey,
    outcomeUnknown: outcomeUnknown || (method !== 'GET' && isSent),
    cause: error,
  }
  if (signal?.aborted) {
    return new ConnectionError('The caller aborted the call.', { ...facts, code: 'aborted' })
  }
  if (limit.aborted) {
    return new ConnectionError('The gateway did not answer in time.', {
      ...facts,
      code: leftMs <= mostMs ? 'timeout' : 'attempt_timeout',
    })
  }
  return new ConnectionError('The connection to the gateway failed.', {
    ...facts,
    code: 'network_error',
  })
}

function isNotSent(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  const inner = Object(cause) as { code?: unknown; message?: unknown }
  return NOT_SENT.test(`${code} ${inner.code}`) || NOT_CONNECTED.test(`${inner.message}`)
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

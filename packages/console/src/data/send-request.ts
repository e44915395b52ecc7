import { PurserError } from '@purser/sdk'

export interface RawRequest {
  readonly method: string
  /** The path below the address of the gateway, with its query. */
  readonly path: string
  /** JSON. */
  readonly body?: string | undefined
  /** The key of a POST or PATCH: a repetition with it takes effect once. */
  readonly idempotencyKey: string
}

/** An answer as it came, also one that is an error. */
export interface RawAnswer {
  readonly status: number
  readonly requestId: string | null
  readonly durationMs: number
  readonly text: string
  /** Whether the text is only the first part of a long answer. */
  readonly isCut: boolean
}

const SHOWN_MAX = 65_536
const TIMEOUT_MS = 60_000
const MUST_PROVE = /"code":"(unauthenticated|reauthentication_required)"/

/**
 * Sends a request of the API reference with the session. It throws only if there is no answer, or
 * if the person must sign in or give the password first; `useAction` then sends it again.
 */
export async function sendRequest(request: RawRequest): Promise<RawAnswer> {
  const { method, path, body, idempotencyKey } = request
  const hasKey = method === 'POST' || method === 'PATCH'
  const startedAt = performance.now()
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(hasKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { text, isCut } = await readSome(response)
    const { status } = response
    const code = status === 401 || status === 403 ? MUST_PROVE.exec(text)?.[1] : undefined
    if (code) throw new PurserError('The gateway asks who you are.', { code, status })
    const durationMs = Math.round(performance.now() - startedAt)
    return { status, requestId: response.headers.get('x-request-id'), durationMs, text, isCut }
  } catch (cause) {
    if (PurserError.is(cause)) throw cause
    throw new PurserError('The gateway did not answer.', {
      ...{ code: 'connection_failed', outcomeUnknown: method !== 'GET', cause },
    })
  }
}

/** The beginning of the body. An export has no end that a page could wait for. */
async function readSome(response: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', isCut: false }
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    text += decoder.decode(value, { stream: true })
    if (text.length > SHOWN_MAX) {
      await reader.cancel()
      return { text: text.slice(0, SHOWN_MAX), isCut: true }
    }
  }
}

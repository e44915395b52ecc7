import { type AttemptOptions, attempt } from './attempt.ts'
import type { Answer, CallOptions } from './call.ts'
import { PurserError } from './errors.ts'
import { readNumber, type Settings } from './options.ts'
import type { ApiRequest } from './request.ts'
import { pause, waitBefore } from './retry.ts'

/** The gateway answers within seconds, so a silent attempt is given up before the call is. */
const ATTEMPT_MS_MAX = 30_000

/** Sends a request until it is answered, its retries are used up, or its time is over. */
export async function send<T>(
  settings: Settings,
  request: ApiRequest,
  options: CallOptions = {},
): Promise<Answer<T>> {
  const { retries, waitMs, end } = limitsOf(settings, request, options)
  const idempotencyKey = keyOf(request, options)
  let outcomeUnknown = false
  for (let retry = 1; ; retry += 1) {
    const isLast = retry > retries
    const leftMs = end - performance.now()
    const mostMs = isLast ? leftMs : ATTEMPT_MS_MAX + waitMs
    const circumstances: AttemptOptions = {
      ...options,
      ...{ idempotencyKey, outcomeUnknown, leftMs, mostMs },
    }
    const result = await attempt<T>(settings, request, circumstances).catch(asPurserError)
    if (!(result instanceof PurserError)) return result
    const pauseMs = isLast ? Number.POSITIVE_INFINITY : waitBefore(retry, result)
    if (pauseMs >= end - performance.now()) throw result
    await pause(pauseMs, options.signal)
    if (options.signal?.aborted) throw result
    outcomeUnknown = result.outcomeUnknown
  }
}

function limitsOf(settings: Settings, { waitMs = 0 }: ApiRequest, options: CallOptions) {
  const retries = readNumber('retries', options.retries, settings.retries, 0)
  const timeoutMs = readNumber('timeoutMs', options.timeoutMs, settings.timeoutMs, 1)
  return { retries, waitMs, end: performance.now() + timeoutMs + waitMs }
}

function asPurserError(error: unknown): PurserError {
  if (error instanceof PurserError) return error
  throw error
}

function keyOf({ method }: ApiRequest, { idempotencyKey }: CallOptions): string | null {
  if (method !== 'POST' && method !== 'PATCH') return null
  return idempotencyKey ?? crypto.randomUUID()
}

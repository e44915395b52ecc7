import { randomId } from '../base/random-id.ts'
import { attempt } from './attempt.ts'
import type { Answer, CallOptions } from './call.ts'
import { PurserError } from './errors.ts'
import { badOption, checkNames, readNumber, type Settings } from './options.ts'
import { prepare } from './prepare.ts'
import type { ApiRequest } from './request.ts'
import { pause, waitBefore } from './retry.ts'

/** The gateway answers within seconds, so a silent attempt is given up before the call is. */
const ATTEMPT_MS_MAX = 30_000
const IDEMPOTENCY_KEY = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** Sends a request until it is answered, its retries are used up, or its time is over. */
export async function send<T>(
  settings: Settings,
  request: ApiRequest,
  options: CallOptions = {},
): Promise<Answer<T>> {
  checkNames(options, 'signal timeoutMs retries idempotencyKey headers')
  const { retries, waitMs, end } = limitsOf(settings, request, options)
  const idempotencyKey = keyOf(request, options)
  const prepared = prepare(settings, request, idempotencyKey, options.headers)
  let outcomeUnknown = false
  for (let retry = 1; ; retry += 1) {
    const isLast = retry > retries
    const leftMs = end - performance.now()
    const mostMs = isLast ? leftMs : ATTEMPT_MS_MAX + waitMs
    const { signal } = options
    const circumstances = { idempotencyKey, outcomeUnknown, leftMs, mostMs, signal }
    const sent: Promise<Answer<T>> = attempt(settings, request, prepared, circumstances)
    const result = await sent.catch(asPurserError)
    if (!(result instanceof PurserError)) return result
    const pauseMs = isLast ? Number.POSITIVE_INFINITY : waitBefore(retry, result)
    if (pauseMs >= end - performance.now()) throw result
    await pause(pauseMs, options.signal)
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
  if (idempotencyKey === undefined) return randomId()
  // A key that is lost on the way would make the repetition a second request.
  if (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return idempotencyKey
  }
  throw badOption('`idempotencyKey` is a text of 1 to 255 printable ASCII characters.')
}

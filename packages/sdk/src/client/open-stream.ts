import { attempt } from './attempt.ts'
import type { CallOptions } from './call.ts'
import { ConnectionError, PurserError } from './errors.ts'
import { readNumber, type Settings } from './options.ts'
import { prepare } from './prepare.ts'
import type { ApiRequest } from './request.ts'
import { pause, waitBefore } from './retry.ts'

/** A stream that goes on after the connection breaks. */
export interface Resumable<T> {
  /** The request that continues where the values ended that were yielded last. */
  request(): ApiRequest
  /** Reads one connection to its end. */
  read(body: ReadableStream<Uint8Array>): AsyncIterable<T>
  /** Whether the stream goes on after a connection that ended without an error. */
  readonly isEndless: boolean
  /** How long the gateway may take to answer. Default: the time of a call. */
  readonly answerMsMax?: number
  /** Called when a connection is open, before its first value. */
  readonly onConnected?: (() => void) | undefined
  /** Called before each wait for the next connection; without an error if the gateway ended it. */
  readonly onDisconnected?: ((error: PurserError | null, retryInMs: number) => void) | undefined
}

/** A gateway that stops ends its streams; another one takes over. */
const RECONNECT_MS = 500

/** How often a stream has failed in a row. */
interface Failures {
  count: number
}

/**
 * Yields the values of a stream, over as many connections as it takes. Gives up after `retries`
 * failures in a row; a value that arrives begins a new count. An endless stream never gives up.
 * Ends without an error when the signal is aborted.
 */
export async function* resume<T>(
  settings: Settings,
  stream: Resumable<T>,
  options: CallOptions = {},
): AsyncGenerator<T> {
  const { retries = settings.retries, signal } = options
  const retriesMax = stream.isEndless ? Number.POSITIVE_INFINITY : retries
  const failures = { count: 0 }
  while (!signal?.aborted) {
    const error = yield* readOnce(settings, stream, options, failures)
    if (signal?.aborted) return
    if (!error && !stream.isEndless) return
    const pauseMs = error ? waitAfter(error, failures, retriesMax) : RECONNECT_MS
    stream.onDisconnected?.(error ?? null, pauseMs)
    await pause(pauseMs, signal)
  }
}

/** Reads one connection to its end, and returns the error that ended it. */
async function* readOnce<T>(
  settings: Settings,
  stream: Resumable<T>,
  options: CallOptions,
  failures: Failures,
): AsyncGenerator<T, PurserError | undefined> {
  try {
    const body = await openStream(settings, stream, options)
    stream.onConnected?.()
    for await (const value of stream.read(body)) {
      failures.count = 0
      yield value
      // One chunk can hold a hundred values.
      if (options.signal?.aborted) break
    }
    return undefined
  } catch (error) {
    if (PurserError.is(error)) return error
    throw error
  }
}

/** Returns how long to wait. Throws the error if no further connection helps. */
function waitAfter(error: PurserError, failures: Failures, retriesMax: number): number {
  failures.count += 1
  const pauseMs = waitBefore(failures.count, error)
  if (failures.count > retriesMax || pauseMs === Number.POSITIVE_INFINITY) throw error
  return pauseMs
}

/** Opens one connection. Its time limit ends with the head of the answer. */
async function openStream<T>(
  settings: Settings,
  stream: Resumable<T>,
  options: CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const request = stream.request()
  const read = async (response: Response) => {
    const type = response.headers.get('content-type') ?? ''
    if (response.body && type.startsWith(request.accept ?? '')) return response.body
    await response.body?.cancel()
    throw new ConnectionError('The answer is not a stream of a Purser gateway.', {
      code: 'invalid_response',
      status: response.status,
    })
  }
  const prepared = prepare(settings, request, null, options.headers)
  const answer = await attempt<ReadableStream<Uint8Array>>(
    settings,
    { ...request, read },
    prepared,
    {
      ...{ idempotencyKey: null, outcomeUnknown: false, signal: options.signal },
      // A stream has no end, so a slow answer is the failure of one attempt.
      leftMs: Number.POSITIVE_INFINITY,
      mostMs:
        stream.answerMsMax ?? readNumber('timeoutMs', options.timeoutMs, settings.timeoutMs, 1),
    },
  )
  return answer.data
}

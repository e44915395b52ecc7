import type { CallOptions } from './call.ts'
import { ConnectionError, PurserError } from './errors.ts'
import type { Settings } from './options.ts'
import type { ApiRequest } from './request.ts'
import { pause, waitBefore } from './retry.ts'
import { send } from './send.ts'

/** A stream that goes on after the connection breaks. */
export interface Resumable<T> {
  /** The request that continues where the values ended that were yielded last. */
  request(): ApiRequest
  /** Reads one connection to its end. */
  read(body: ReadableStream<Uint8Array>): AsyncIterable<T>
  /** Whether the stream goes on after a connection that ended without an error. */
  readonly isEndless: boolean
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
    if (error) await pauseAfter(error, failures, retriesMax, signal)
    else if (!stream.isEndless) return
    else await pause(RECONNECT_MS, signal)
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
    const body = await openStream(settings, stream.request(), options)
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

async function pauseAfter(
  error: PurserError,
  failures: Failures,
  retriesMax: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  failures.count += 1
  const pauseMs = waitBefore(failures.count, error)
  if (failures.count > retriesMax || pauseMs === Number.POSITIVE_INFINITY) throw error
  await pause(pauseMs, signal)
}

/** Opens a stream, without retries. The time limit of the call ends with the head of the answer. */
export async function openStream(
  settings: Settings,
  request: ApiRequest,
  options: CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const read = async (response: Response) => {
    const type = response.headers.get('content-type') ?? ''
    if (response.body && type.startsWith(request.accept ?? '')) return response.body
    await response.body?.cancel()
    throw new ConnectionError('The answer is not a stream of a Purser gateway.', {
      code: 'invalid_response',
      status: response.status,
    })
  }
  const answer = await send<ReadableStream<Uint8Array>>(
    settings,
    { ...request, read },
    { ...options, retries: 0 },
  )
  return answer.data
}

import type { ReadableStream } from 'node:stream/web'
import { describeFailure } from './network-failure.ts'

export interface Gateway {
  readonly url: string
  readonly apiKey: string
}

export type OpenedStream =
  | { readonly kind: 'open'; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** A retry would not help. */
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Opens the stream of events after the event `after`, or of new events only if `after` is empty.
 */
export async function openStream(
  gateway: Gateway,
  after: string,
  signal: AbortSignal,
): Promise<OpenedStream> {
  try {
    const response = await fetch(`${gateway.url}/api/v1/events`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${gateway.apiKey}`,
        ...(after !== '' && { 'last-event-id': after }),
      },
      // Follow no redirect: the key is for the gateway that the user named, not for a different
      // host.
      redirect: 'manual',
      signal,
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.status === 200 && isStream && response.body) {
      return { kind: 'open', body: response.body }
    }
    const text = await response.text()
    return toRefusal(gateway.url, response.status, text)
  } catch (error) {
    return { kind: 'unavailable', reason: describeFailure(error) }
  }
}

function toRefusal(url: string, status: number, text: string): OpenedStream {
  const mayPass = status >= 500 || status === 408 || status === 429
  if (mayPass) return { kind: 'unavailable', reason: `it answered ${status}` }
  return { kind: 'refused', message: refusalMessage(url, status, text) }
}

function refusalMessage(url: string, status: number, text: string): string {
  const detail = readDetail(text)
  if (detail === undefined) {
    return `${url} answered ${status} without events. Is it the address of a Purser gateway? Set it with --url or PURSER_URL.`
  }
  if (status === 401) {
    return `The gateway at ${url} refuses the API key: it is mistyped, expired or revoked. Set another one with PURSER_API_KEY or --api-key.`
  }
  return `The gateway at ${url} refused the request (${status}). ${detail}`
}

/**
 * Returns the sentence of a problem document. Returns undefined for any other answer, which is not
 * from a gateway.
 */
function readDetail(text: string): string | undefined {
  try {
    const problem: unknown = JSON.parse(text)
    const isProblem = typeof problem === 'object' && problem !== null && 'detail' in problem
    return isProblem && typeof problem.detail === 'string' ? problem.detail : undefined
  } catch {
    return undefined
  }
}

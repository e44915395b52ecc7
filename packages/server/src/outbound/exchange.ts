import type { Connection } from './connections.ts'
import { type OutboundFailure, toExchangeFailure, toTimeoutFailure } from './failures.ts'

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  readonly url: string
  /** `Host` is ignored: it follows from the URL, and the URL was judged. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** The limit in wall-clock time for everything: DNS, connecting, TLS and the response. */
  readonly timeoutMs: number
  /** How much of the response body is kept. The rest is not read. */
  readonly answerBytesMax: number
}

export interface OutboundAnswer {
  readonly kind: 'answer'
  readonly status: number
  /** Names are in lower case. The values of a repeated name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As received: nothing is decompressed. */
  readonly body: Buffer
  /**
   * Why the body is incomplete. It is `size` also if the body came in far more pieces than needed.
   */
  readonly cut: null | 'size' | 'timeout' | 'reset'
  readonly remoteAddress: string
}

const NO_HEAD_YET = 0

/**
 * Each piece costs about as much as a kilobyte, however small it is. The limit is high enough for a
 * seller that streams word by word, and too low for one that sends byte by byte.
 */
const PIECES_FREE = 10_000
const PIECE_BYTES_MIN = 256

interface Route {
  readonly connection: Connection
  readonly address: string
  readonly path: string
}

/**
 * Sends one request on a borrowed connection and reads the response. It settles at the deadline at
 * the latest, in any state of the connection.
 *
 * Once the head of the response has arrived, the result is an answer, and `cut` says how its body
 * ended.
 */
export function exchange(
  { connection, address, path }: Route,
  request: OutboundRequest,
  deadline: AbortSignal,
): Promise<OutboundAnswer | OutboundFailure> {
  return new Promise((resolve, reject) => {
    let status = NO_HEAD_YET
    let headers: OutboundAnswer['headers'] = {}
    const chunks: Buffer[] = []
    let bytesLeft = request.answerBytesMax
    let bytes = 0
    let isSettled = false

    function settle(result: OutboundAnswer | OutboundFailure): void {
      // undici also reports an end that we caused ourselves.
      if (isSettled) return
      isSettled = true
      deadline.removeEventListener('abort', onDeadline)
      if (result.kind === 'answer' && result.cut === null) connection.release()
      else connection.destroy()
      resolve(result)
    }

    function answer(cut: OutboundAnswer['cut']): OutboundAnswer {
      // Even a single chunk is copied, because chunks are views of much larger buffers.
      const body = Buffer.concat(chunks)
      return { kind: 'answer', status, headers, body, cut, remoteAddress: address }
    }

    function onDeadline(): void {
      const hasHead = status !== NO_HEAD_YET
      settle(hasHead ? answer('timeout') : toTimeoutFailure(request.timeoutMs, address))
    }

    function onError(error: Error): void {
      const hasHead = status !== NO_HEAD_YET
      const result = hasHead ? answer('reset') : toExchangeFailure(error, address)
      if (result) settle(result)
      else {
        connection.destroy()
        reject(error)
      }
    }

    if (deadline.aborted) return onDeadline()
    deadline.addEventListener('abort', onDeadline)
    connection.send(
      {
        path,
        method: request.method,
        headers: toSentHeaders(request.headers),
        body: request.body ?? null,
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, received, receivedHeaders) => {
          const isInterim = received < 200
          if (isInterim) return
          status = received
          headers = toFlatHeaders(receivedHeaders)
        },
        onResponseData: (_controller, chunk) => {
          if (isSettled) return
          chunks.push(chunk.subarray(0, bytesLeft))
          bytesLeft -= chunk.length
          bytes += chunk.length
          const isInPieces = chunks.length > PIECES_FREE + bytes / PIECE_BYTES_MIN
          if (bytesLeft < 0 || isInPieces) settle(answer('size'))
        },
        onResponseEnd: () => settle(answer(null)),
        onResponseError: (_controller, error) => onError(error),
      },
    )
  })
}

/**
 * Requests an uncompressed response unless the caller sets the header: nothing here decompresses.
 */
function toSentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent: Record<string, string> = { 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'host') sent[name.toLowerCase()] = value
  }
  return sent
}

function toFlatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers)
  // `fromEntries` is safe when a hostile header is called `__proto__`.
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}

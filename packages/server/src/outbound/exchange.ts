import type { Connection } from './connections.ts'
import { type OutboundFailure, toExchangeFailure, toTimeoutFailure } from './failures.ts'

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  readonly url: string
  /** `Host` is ignored: it follows from the URL, which is what was judged. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Wall clock for everything: DNS, connect, TLS, answer. */
  readonly timeoutMs: number
  /** How much of the answer's body is kept; what comes after it is not read. */
  readonly answerBytesMax: number
}

export interface OutboundAnswer {
  readonly kind: 'answer'
  readonly status: number
  /** Names in lower case; the values of a name that came more than once are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As received: nothing is decompressed. */
  readonly body: Buffer
  /** Why the body is not whole. */
  readonly cut: null | 'size' | 'timeout' | 'reset'
  readonly remoteAddress: string
}

const NO_HEAD_YET = 0

interface Route {
  readonly connection: Connection
  readonly address: string
  readonly path: string
}

/**
 * One request and its answer, on a connection that was lent for it. Settles at the deadline at the
 * latest, whatever the connection is doing then.
 *
 * Once the head of the answer is there, the result is an answer; `cut` tells how its body ended.
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
    let isSettled = false

    function settle(result: OutboundAnswer | OutboundFailure): void {
      // undici also reports the end that we put to it ourselves.
      if (isSettled) return
      isSettled = true
      deadline.removeEventListener('abort', onDeadline)
      if (result.kind === 'answer' && result.cut === null) connection.release()
      else connection.destroy()
      resolve(result)
    }

    function answer(cut: OutboundAnswer['cut']): OutboundAnswer {
      // A copy, also of a single chunk: chunks are views of much larger buffers.
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
          if (bytesLeft < 0) settle(answer('size'))
        },
        onResponseEnd: () => settle(answer(null)),
        onResponseError: (_controller, error) => onError(error),
      },
    )
  })
}

/** Compression has to be asked for: what nobody unpacks should not come packed. */
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
  // Built from entries, because a hostile header may be called `__proto__`.
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}

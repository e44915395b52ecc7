import { type IncomingMessage, request as requestHttp } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/**
 * A `fetch` on Node's own HTTP client, for the SDK. It follows no redirect. (The fetch of Node 20
 * never settles on a connection that is closed as soon as it is open, for example by a tunnel
 * without a target. It also takes longer to load.)
 */
export const nodeFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = new URL(String(input))
  // Only TLS needs it, and it loads the cryptography.
  const request = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
  const { method = 'GET', body, signal } = init
  const headers = { ...(init.headers as Record<string, string>) }
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false, ...(signal && { signal }) })
    call.once('error', reject)
    call.once('response', (response) => {
      toResponse(response).then(resolve, reject)
    })
    call.end(typeof body === 'string' ? body : undefined)
  })
}

async function toResponse(message: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers } = message
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const init = { status, headers: flat }
  if (status === 204 || status === 304) return new Response(null, init)
  // A whole text is cheaper than a stream, and most answers are short.
  const isShort = /\bjson\b/.test(headers['content-type'] ?? '')
  if (isShort) return new Response(await readAll(message), init)
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, init)
}

/** The largest accepted answer. Real answers of the gateway are smaller. */
const ANSWER_BYTES_MAX = 64_000_000

async function readAll(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of message as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
  }
  return Buffer.concat(pieces)
}

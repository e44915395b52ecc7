import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { nodeRequest } from '../node-request.ts'

/**
 * A `fetch` on Node's own HTTP client, for the SDK. It follows no redirect. (The fetch of Node 20
 * never settles on a connection that is closed as soon as it is open, for example by a tunnel
 * without a target. It also takes longer to load.)
 */
export const nodeFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = new URL(String(input))
  const request = nodeRequest(url)
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
  const isShort = status === 204 || status === 304 || /\bjson\b/.test(headers['content-type'] ?? '')
  if (isShort) return toShortResponse(status, headers, await readAll(message))
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, {
    status,
    headers: flat,
  })
}

/** The parts of a `Response` that the SDK reads. The first `Response` of a process costs 20 ms. */
function toShortResponse(status: number, headers: IncomingHttpHeaders, text: string): Response {
  const parts: Pick<Response, 'ok' | 'status' | 'type' | 'body' | 'text'> & {
    readonly headers: Pick<Headers, 'get'>
  } = {
    ok: status >= 200 && status < 300,
    status,
    type: 'default',
    body: null,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    text: async () => text,
  }
  return parts as Response
}

/** The largest accepted answer. Real answers of the gateway are smaller. */
const ANSWER_BYTES_MAX = 64_000_000

async function readAll(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of message as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
  }
  return Buffer.concat(pieces).toString()
}

import type { Bytes } from '../base/bytes.ts'
import { WebhookVerificationError } from './error.ts'

/** The bytes of a request, or their text. */
export type RawBody = string | ArrayBuffer | ArrayBufferView

const HOW = `The signature covers the raw bytes of the request, and a parsed body has lost them. Pass the raw body:
- Fetch-style servers (Hono, Next.js route handlers, Workers, Deno, Bun): await request.text(), before anything else reads the body; in Hono await c.req.text().
- Next.js pages: export const config = { api: { bodyParser: false } }, and read the stream.
- Express: put express.raw({ type: '*/*' }) on this route, before express.json(), and pass request.body; or use expressWebhook.
- Fastify: use fastifyWebhook, which takes the raw body in its own scope.`

/** Returns the bytes of a raw body. Throws if the body was parsed: its bytes are unknown then. */
export function bytesOf(body: unknown): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) {
    const { buffer, byteOffset, byteLength } = body
    // A copy: the caller could change the bytes while they are being verified.
    return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength))
  }
  if (isArrayBuffer(body)) return new Uint8Array(body.slice(0))
  throw bodyNotRaw()
}

export function bodyNotRaw(): WebhookVerificationError {
  return new WebhookVerificationError('body_not_raw', HOW)
}

/** An `ArrayBuffer` of a different realm, such as a frame, is not an instance of ours. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
}

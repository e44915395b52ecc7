import { bodyNotRaw, type RawBody } from './raw-body.ts'
import { maxBytesOf, receive, UnfinishedBody, type WebhookHandlerOptions } from './receive.ts'

/**
 * Makes a handler for servers that pass a `Request` and take a `Response`: Hono, Next.js route
 * handlers, Workers, Deno and Bun.
 *
 * @example
 * // Next.js, app/hook/route.ts
 * export const POST = webhookHandler({ secret, onEvent: (event) => store(event.id, event) })
 * // Hono
 * app.post('/hook', (c) => webhookHandler({ secret, onEvent })(c.req.raw))
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') {
      return new Response(null, { status: 405, headers: { allow: 'POST' } })
    }
    const readBody = () => readRequest(request, maxBytesOf(options))
    return new Response(null, { status: await receive(readBody, request.headers, options) })
  }
}

/** Returns undefined if the body is larger than allowed. It stops reading there. */
async function readRequest(request: Request, maxBytes: number): Promise<RawBody | undefined> {
  if (request.bodyUsed) throw bodyNotRaw()
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  const reader = request.body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new UnfinishedBody('The sender did not complete the body.', { cause })
    })
    if (done) break
    size += value.length
    if (size > maxBytes) {
      // The response does not wait for it, and it is no error if the sender has left.
      void reader.cancel().catch(() => {})
      return undefined
    }
    parts.push(value)
  }
  return joinBytes(parts, size)
}

export function joinBytes(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

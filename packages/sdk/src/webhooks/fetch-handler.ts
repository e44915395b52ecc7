import { readBytes } from '../base/bytes.ts'
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
  try {
    return await readBytes(request.body, maxBytes)
  } catch (cause) {
    throw new UnfinishedBody('The sender did not complete the body.', { cause })
  }
}

import { joinBytes } from '../base/bytes.ts'
import { bodyNotRaw, type RawBody } from './raw-body.ts'
import { maxBytesOf, receive, UnfinishedBody, type WebhookHandlerOptions } from './receive.ts'

/** The part of an Express request that the handler uses. A request of `node:http` has it too. */
export interface ExpressRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Set by a body parser. */
  readonly body?: unknown
  /** Set by Google Cloud Functions, and by programs that keep the raw body beside the parsed one. */
  readonly rawBody?: unknown
  readonly readableDidRead?: boolean | undefined
}

/** The part of an Express response that the handler uses. */
export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(): unknown
}

/**
 * Makes a handler for Express 4 and 5, and for `node:http`. It reads the raw body itself, or takes
 * the one of `express.raw()`. Behind `express.json()` it answers 500, and the error says how to get
 * the raw body.
 *
 * @example
 * app.post('/hook', expressWebhook({ secret, onEvent: (event) => store(event.id, event) }))
 * app.use(express.json()) // after the webhook
 */
export function expressWebhook(
  options: WebhookHandlerOptions,
): (request: ExpressRequest, response: ExpressResponse) => Promise<void> {
  return async (request, response) => {
    const readBody = () => readNodeRequest(request, maxBytesOf(options))
    const status =
      request.method === 'POST' ? await receive(readBody, request.headers, options) : 405
    response.statusCode = status
    if (status === 405) response.setHeader('allow', 'POST')
    // The rest of the body is not read, so the connection cannot be used again.
    if (status === 413) response.setHeader('connection', 'close')
    response.end()
  }
}

/** Returns undefined if the body is larger than allowed. */
async function readNodeRequest(
  request: ExpressRequest,
  maxBytes: number,
): Promise<RawBody | undefined> {
  const kept = [request.rawBody, request.body].find(isRaw)
  if (kept !== undefined) return kept
  // Express 4 sets an empty object if no parser has read the body.
  const isParsed = Object.keys(request.body ?? {}).length > 0
  if (isParsed || request.readableDidRead) throw bodyNotRaw()
  if (Number(request.headers['content-length']) > maxBytes) return undefined
  return readStream(request, maxBytes)
}

async function readStream(request: ExpressRequest, maxBytes: number): Promise<RawBody | undefined> {
  // Not `for await`: leaving that loop early would destroy the connection before the response.
  const chunks = request[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await chunks.next().catch((cause) => {
      throw new UnfinishedBody('The sender did not complete the body.', { cause })
    })
    if (done) return joinBytes(parts, size)
    // The stream gives texts if the program has called `setEncoding`.
    const part = typeof value === 'string' ? new TextEncoder().encode(value) : value
    size += part.length
    if (size > maxBytes) return undefined
    parts.push(part)
  }
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || ArrayBuffer.isView(body)
}

import { encodeBase64 } from '../base/bytes.ts'
import { refusal } from './refusal.ts'

/** A body that can be sent again unchanged. */
export type X402Body = string | URLSearchParams | Blob | ArrayBuffer | ArrayBufferView

/** The part of `RequestInit` that the gateway can send to a vendor. */
export interface X402RequestInit {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: X402Body | null
  readonly signal?: AbortSignal | null
}

/** The request to the vendor, as the gateway takes it. */
export interface VendorRequest {
  readonly url: string
  readonly method: string
  readonly request?: {
    readonly headers: Record<string, string>
    readonly body?: string
    readonly bodyEncoding?: 'utf8' | 'base64'
  }
  /** The signals of the caller. */
  readonly signals: AbortSignal[]
}

interface EncodedBody {
  readonly body: string
  readonly bodyEncoding: 'utf8' | 'base64'
  /** The media type that `fetch` would send with this body. */
  readonly type?: string
}

/** The gateway drops these headers: they belong to the connection, to a person or to the payment. */
const NOT_FORWARDED =
  /^(host|authorization|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|forwarded|proxy-.*|x-forwarded-.*|x-real-ip|payment-.*|x-payment.*)$/i

const HOW_TO_PASS = 'Pass the body as a string, URLSearchParams, Blob, ArrayBuffer or typed array'

/**
 * Reads the arguments of `fetch`. Refuses everything that the gateway would drop or that a retry
 * could not send again, because the vendor would then be paid for a different request.
 */
export async function readVendorRequest(
  input: string | URL | Request,
  init: X402RequestInit = {},
): Promise<VendorRequest> {
  const given = typeof input === 'object' && 'url' in input ? input : undefined
  const method = (init.method ?? given?.method ?? 'GET').toUpperCase()
  const own = init.body ?? undefined
  if (own === undefined && given) requireNoBody(given, method)
  const { type, ...encoded } = own === undefined ? NO_BODY : await encode(own)
  const forwarded = readHeaders(init.headers ?? given?.headers, type)
  return {
    url: readUrl(given?.url ?? String(input)),
    method,
    ...((encoded.body !== undefined || forwarded.length > 0) && {
      request: { headers: Object.fromEntries(forwarded), ...encoded },
    }),
    signals: [init.signal, given?.signal].filter((it) => it !== undefined && it !== null),
  }
}

const NO_BODY: Partial<EncodedBody> = {}

function requireNoBody({ body }: Request, method: string): void {
  // Some browsers have no `Request.body`, so only null says that there is none.
  if (body === null || /^(GET|HEAD)$/.test(method)) return
  throw refusal(
    `The body of a Request can be read only once. ${HOW_TO_PASS}, such as \`await request.text()\`.`,
  )
}

async function encode(body: unknown): Promise<EncodedBody> {
  if (typeof body === 'string') {
    return { body, bodyEncoding: 'utf8', type: 'text/plain;charset=UTF-8' }
  }
  if (body instanceof URLSearchParams) {
    const type = 'application/x-www-form-urlencoded;charset=UTF-8'
    return { body: String(body), bodyEncoding: 'utf8', type }
  }
  if (body instanceof Blob) {
    return { ...inBase64(new Uint8Array(await body.arrayBuffer())), type: body.type }
  }
  if (body instanceof ArrayBuffer) return inBase64(new Uint8Array(body))
  if (ArrayBuffer.isView(body)) {
    return inBase64(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  }
  throw refusal(whyNot(body))
}

function inBase64(bytes: Uint8Array): EncodedBody {
  return { body: encodeBase64(bytes), bodyEncoding: 'base64' }
}

function whyNot(body: unknown): string {
  if (body instanceof FormData) {
    return 'FormData is encoded differently each time. Encode it once: `const form = new Response(formData)`, then pass `await form.arrayBuffer()` as the body and `form.headers` as the headers.'
  }
  const isStream = Symbol.asyncIterator in Object(body) || 'getReader' in Object(body)
  return isStream
    ? `A stream can be read only once. ${HOW_TO_PASS}, such as \`await new Response(stream).arrayBuffer()\`.`
    : `The body has a type that cannot be sent. ${HOW_TO_PASS}; for JSON, pass \`JSON.stringify(value)\`.`
}

function readHeaders(given: X402RequestInit['headers'], type?: string): [string, string][] {
  const headers = new Headers(given)
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  const all = [...headers]
  for (const [name, value] of all) {
    if (NOT_FORWARDED.test(name)) {
      throw refusal(
        `The gateway does not forward the header \`${name}\` to a vendor. Leave it out, or call the vendor yourself with \`createPurserScheme\` of \`@purser/sdk/x402\`.`,
      )
    }
    if (!/^[\t\x20-\x7e]*$/.test(value)) {
      throw refusal(`The gateway forwards only ASCII in the header \`${name}\`.`)
    }
  }
  return all
}

function readUrl(text: string): string {
  try {
    const url = new URL(text)
    // A fragment never leaves the caller.
    url.hash = ''
    return url.href
  } catch {
    throw refusal('The URL must be absolute, such as `https://api.example.com/data`.')
  }
}

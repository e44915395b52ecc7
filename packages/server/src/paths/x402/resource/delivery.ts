import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Static } from 'typebox'
import { parseStrictJson } from '../../../base/strict-json.ts'
import type {
  OutboundAnswer,
  OutboundClient,
  OutboundFailure,
  OutboundResult,
} from '../../../outbound/outbound-client.ts'
import type { SellerCall } from '../pay-request.ts'
import type { Resource, ResourceError } from '../schemas.ts'
import { readReceipt } from './receipt.ts'

/** A vendor's answer in the form that the agent gets. */
export interface Delivery {
  readonly resource: Static<typeof Resource> | null
  readonly resourceError: Static<typeof ResourceError> | null
  /** The transaction that the vendor's receipt names: a hint, never a proof. */
  readonly receipt: string | null
  /** Set if the vendor delivered and the stored copy is removed. */
  readonly isGone?: true
}

/** Parsing blocks all other requests, so a larger document is passed on as text. */
const JSON_BYTES_MAX = 256 * 1_024
const ANSWER_BYTES_MAX = 5 * 1_024 * 1_024

/** An agent may not set headers of the connection, the gateway or the payment. */
const NOT_SENT =
  /^(host|authorization|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|forwarded|proxy-.*|x-forwarded-.*|x-real-ip|payment-.*|x-payment.*)$/i
/**
 * Other headers are left out: Node would refuse them, and the call would fail after the payment.
 */
const SENDABLE = /^[\t\x20-\x7e]*$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NOT_GIVEN =
  /^(set-cookie|set-cookie2|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|proxy-.*|alt-svc|strict-transport-security)$/i

type Decode = (packed: Buffer, limits: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

export function callSeller(
  outbound: OutboundClient,
  url: string,
  { method, headers, body, timeoutMs }: SellerCall,
  payment?: { readonly headerName: string; readonly headerValue: string },
): Promise<OutboundResult> {
  const sent = Object.entries(headers).filter(
    ([name, value]) => NAME.test(name) && SENDABLE.test(value) && !NOT_SENT.test(name),
  )
  return outbound.call({
    method,
    url,
    headers: {
      ...Object.fromEntries(sent),
      ...(payment && { [payment.headerName.toLowerCase()]: payment.headerValue }),
    },
    ...(body && { body }),
    timeoutMs,
    answerBytesMax: ANSWER_BYTES_MAX,
  })
}

export async function toDelivery(result: OutboundResult): Promise<Delivery> {
  if (result.kind === 'failure') return { ...NOTHING_CAME, resourceError: toError(result) }
  const { status, headers } = result
  const { bytes, isWhole, isUnpacked } = await unpack(result)
  const kept = Object.entries(headers).filter(
    ([name]) => !NOT_GIVEN.test(name) && !(isUnpacked && name === 'content-encoding'),
  )
  return {
    resource: {
      status,
      headers: Object.fromEntries(kept),
      ...toBody(bytes, headers['content-type'] ?? '', isWhole),
      truncated: !isWhole,
    },
    resourceError: null,
    receipt: readReceipt(headers)?.transaction ?? null,
  }
}

/** Returns whether the vendor says that it delivered. */
export function isDelivered({ resource, isGone }: Delivery): boolean {
  if (isGone) return true
  return resource !== null && resource.status >= 200 && resource.status < 300
}

export const NOTHING_CAME: Delivery = { resource: null, resourceError: null, receipt: null }

function toError({ reason, message }: OutboundFailure): Static<typeof ResourceError> {
  const isRefused = reason === 'url_refused' || reason === 'address_refused'
  // The agent must not learn to which address the name resolves now.
  if (isRefused) return { code: 'url_not_allowed', message: 'The gateway may not call this URL.' }
  return { code: reason, message }
}

/**
 * The gateway requests no compression. If a vendor compresses anyway, unpacks its answer within the
 * same limit.
 */
async function unpack({
  headers,
  body,
  cut,
}: OutboundAnswer): Promise<{ bytes: Buffer; isWhole: boolean; isUnpacked: boolean }> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decode = DECODERS.get(encoding)
  const isUnpacked = decode !== undefined || encoding === 'identity'
  if (!decode || body.length === 0) return { bytes: body, isWhole: cut === null, isUnpacked }
  try {
    const bytes = await decode(body, { maxOutputLength: ANSWER_BYTES_MAX })
    return { bytes, isWhole: cut === null, isUnpacked }
  } catch {
    // The unpacked answer is too large, or the content encoding is wrong. Either way there is
    // nothing to pass on.
    return { bytes: Buffer.alloc(0), isWhole: false, isUnpacked }
  }
}

function toBody(
  bytes: Buffer,
  type: string,
  isWhole: boolean,
): Pick<Static<typeof Resource>, 'body' | 'bodyEncoding'> {
  const text = toText(bytes)
  if (text === undefined) return { body: bytes.toString('base64'), bodyEncoding: 'base64' }
  if (isWhole && bytes.length <= JSON_BYTES_MAX && /\bjson\b/i.test(type)) {
    try {
      return { body: parseExactJson(bytes), bodyEncoding: 'json' }
    } catch {
      // The body is not JSON, or has numbers that parsing would change.
    }
  }
  return { body: text, bodyEncoding: 'utf8' }
}

function toText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Matches numbers, and also strings, because digits inside a string are not a number. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Parses a document only if serializing it would give back the same values, and throws otherwise.
 * For example, a JavaScript number would turn a paid-for id 9007199254740993 into 9007199254740992.
 */
function parseExactJson(bytes: Buffer): unknown {
  const value = parseStrictJson(bytes)
  for (const [token] of bytes.toString('utf8').matchAll(TOKENS)) {
    if (!token.startsWith('"') && !isExact(token)) throw new Error('A number would be altered.')
  }
  return value
}

function isExact(number: string): boolean {
  return toScientific(number) === toScientific(String(Number(number)))
}

/** Normalizes a number: 1.50, 15e-1 and 1.5 get the same text. */
function toScientific(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const place = Number(exponent) - fraction.length + digits.length - significant.length
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${place}`
}

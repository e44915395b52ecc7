import { type Bytes, decodeBase64, encodeHex, joinBytes } from '../base/bytes.ts'
import { WebhookVerificationError } from './error.ts'
import type { WebhookEvent } from './events.ts'
import { bytesOf, type RawBody } from './raw-body.ts'
import { requireHeader, type WebhookHeaders } from './read-header.ts'
import { importSecrets, type WebhookSecret } from './secret-keys.ts'

export interface VerifyWebhookOptions {
  /**
   * Verifies `X-Service-Signature` instead of `webhook-signature`. This signature covers only the
   * body, so a captured request can be replayed at any time. The event's `id` is then the hash of
   * the body, because an attacker can change the header `webhook-id`.
   */
  readonly bodyOnly?: boolean
  /** The current time in milliseconds since 1970. Set it to verify a recorded request. */
  readonly now?: number
}

const TOLERANCE_SECONDS = 300
/** The gateway sends at most two. Each one costs a hash of the body. */
const SIGNATURES_MAX = 8
const HEX = /^[0-9a-f]{64}$/i

/**
 * Verifies a webhook of the gateway and returns its event. Rejects with a
 * `WebhookVerificationError`, whose `code` names the cause.
 *
 * @param rawBody the body as it arrived, before any parser
 * @param secret the webhook secret; during a rotation `[newSecret, oldSecret]`
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, secret)
 * if (event.event === 'transaction.rejected') console.log(event.id, event.data.reason)
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  { bodyOnly = false, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  // A text such as 'false', from a setting, allows nothing.
  const isBodyOnly = bodyOnly === true
  const { id, time, message, signatures } = isBodyOnly
    ? await readBodySignature(headers, body)
    : readSignature(headers, body)
  const keys = await importSecrets(secret, isBodyOnly)
  // The runtime compares in constant time.
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, message)),
  )
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches. The sender does not have this secret, or the body was changed: pass the raw bytes, and after a rotation the new secret.',
    )
  }
  checkTime(time, now)
  return { ...parseEvent(body), id }
}

interface Signed {
  readonly id: string
  /** When the gateway signed, in seconds since 1970. Undefined if the signature does not cover it. */
  readonly time: number | undefined
  readonly message: Bytes
  readonly signatures: readonly Bytes[]
}

/** Reads the headers of Standard Webhooks, whose signature covers the id, the time and the body. */
function readSignature(headers: WebhookHeaders, body: Bytes): Signed {
  const id = requireHeader(headers, 'webhook-id')
  const timestamp = requireHeader(headers, 'webhook-timestamp')
  const listed = requireHeader(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'header_invalid',
      'The header webhook-timestamp is not a number of seconds since 1970.',
    )
  }
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = joinBytes([start, body], start.length + body.length)
  const signatures = listed
    // Servers join a repeated header with commas.
    .split(/,?\s+/, SIGNATURES_MAX)
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []))
  return { id, time: Number(timestamp), message, signatures }
}

async function readBodySignature(headers: WebhookHeaders, body: Bytes): Promise<Signed> {
  const hex = requireHeader(headers, 'x-service-signature')
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  const id = `sha256_${encodeHex(hash)}`
  const signatures = HEX.test(hex)
    ? [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))]
    : []
  return { id, time: undefined, message: body, signatures }
}

function checkTime(time: number | undefined, now: number): void {
  if (time === undefined) return
  const age = now / 1_000 - time
  // Written so that a `now` that is not a number does not pass.
  if (Math.abs(age) <= TOLERANCE_SECONDS) return
  const seconds = Math.round(age)
  throw new WebhookVerificationError(
    'timestamp_out_of_range',
    `The request was signed ${Math.abs(seconds)} s ${seconds > 0 ? 'ago' : 'in the future'}, and ${TOLERANCE_SECONDS} s are allowed. Either this is a replay of an old request, or the clock of this machine is wrong.`,
  )
}

function parseEvent(body: Bytes): WebhookEvent {
  const event = parseJson(body)
  const isEvent =
    typeof event?.event === 'string' &&
    typeof event.timestamp === 'string' &&
    typeof event.data === 'object' &&
    event.data !== null
  if (isEvent) return event
  throw new WebhookVerificationError(
    'body_invalid',
    'The signature is right, but the body is not an event of the gateway. Check which program signs with this secret.',
  )
}

/** The caller checks the fields of the value that are used. */
function parseJson(body: Bytes): WebhookEvent | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) ?? undefined
  } catch {
    return undefined
  }
}

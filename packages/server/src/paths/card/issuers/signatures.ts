import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signed message: the received bytes, and the headers about them. */
export interface SignedBytes {
  readonly body: Buffer
  header(name: string): string | undefined
}

/**
 * The largest difference between our clock and the sender's, in seconds, both ways. Stripe's own
 * package refuses only old signatures; a signature from the future could be kept and used later.
 */
const TOLERANCE_SECONDS = 300
/** Senders that rotate their secret sign with both. No sender has more than a few. */
const SIGNATURES_MAX = 10

export type Verify = (signed: SignedBytes, secret: string, nowSeconds: number) => boolean

/** `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`, over `<t>.<body>`. */
export const verifyStripe: Verify = ({ body, header }, secret, nowSeconds) => {
  const fields = (header('stripe-signature') ?? '').split(',').map(toField)
  const time = fields.find(([name]) => name === 't')?.[1] ?? ''
  if (!isTimely(time, nowSeconds)) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  const given = fields.filter(([name]) => name === 'v1').map(([, value]) => value)
  return isAmong(expected, given, 'hex')
}

/** Standard Webhooks: `webhook-signature: v1,<base64> [v1,<base64>]`, over `<id>.<time>.<body>`. */
export const verifyStandardWebhook: Verify = ({ body, header }, secret, nowSeconds) => {
  const id = header('webhook-id') ?? ''
  const time = header('webhook-timestamp') ?? ''
  if (id === '' || !isTimely(time, nowSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  const given = (header('webhook-signature') ?? '')
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [part.slice('v1,'.length)] : []))
  return isAmong(expected, given, 'base64')
}

/** Half of what a hash of this kind makes use of; anybody could guess a key that is much shorter. */
const KEY_BYTES_MIN = 16

/** Characters that are no base64 would be passed over, and a key of nothing is everybody's key. */
export function isStandardWebhookSecret(secret: string): boolean {
  const digits = secret.replace(/^whsec_/, '')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(digits)
  return isBase64 && Buffer.from(digits, 'base64').length >= KEY_BYTES_MIN
}

function toField(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function isTimely(time: string, nowSeconds: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(Number(time) - nowSeconds) <= TOLERANCE_SECONDS
}

/** Compares every signature, so that the time taken does not reveal which one came close. */
function isAmong(expected: Buffer, given: readonly string[], encoding: 'hex' | 'base64'): boolean {
  return given
    .slice(0, SIGNATURES_MAX)
    .map((text) => Buffer.from(text, encoding))
    .map((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected))
    .includes(true)
}

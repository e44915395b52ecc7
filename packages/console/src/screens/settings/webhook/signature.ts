export interface SignedInput {
  /** The whole secret, with its prefix `whsec_`. */
  readonly secret: string
  /** The header `webhook-id`. */
  readonly id: string
  /** The header `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: string
  /** The body as it was sent, byte for byte. */
  readonly body: string
}

export interface Signatures {
  /** The header `X-Service-Signature`: covers the body alone. */
  readonly serviceSignature: string
  /** The header `webhook-signature`: covers the id and the time as well. Null for a bad secret. */
  readonly webhookSignature: string | null
}

/** Computes both signatures as docs/guide-webhooks.md describes them. Nothing leaves the page. */
export async function computeSignatures(input: SignedInput): Promise<Signatures> {
  const { secret, id, timestamp, body } = input
  const bodyBytes = new TextEncoder().encode(body)
  const own = await hmac(new TextEncoder().encode(secret), bodyBytes)
  const key = keyOf(secret)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const standard = key === null ? null : await hmac(key, signed)
  return {
    serviceSignature: toHex(own),
    webhookSignature: standard === null ? null : `v1,${toBase64(standard)}`,
  }
}

/** Browsers have WebCrypto only over HTTPS and on the own machine. */
export function canComputeSignatures(): boolean {
  return globalThis.crypto?.subtle !== undefined
}

/** Whether the beginning that the log keeps of a signature fits the computed one. */
export function fitsBeginning(computed: string | null, logged: string | undefined): boolean | null {
  if (computed === null || logged === undefined) return null
  const beginnings = logged.split(' ').map((one) => one.replace(/(…|\.\.\.)$/, ''))
  if (beginnings.every((one) => one.length < 6)) return null
  return beginnings.some((one) => one.length >= 6 && computed.startsWith(one))
}

async function hmac(key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>) {
  // WebCrypto refuses an empty key, which no secret has.
  const raw = key.length === 0 ? new Uint8Array(1) : key
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

/** The key of Standard Webhooks: the base64 behind `whsec_`. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(secret.replace(/^whsec_/, ''))
    return text === '' ? null : Uint8Array.from(text, (one) => one.charCodeAt(0))
  } catch {
    return null
  }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

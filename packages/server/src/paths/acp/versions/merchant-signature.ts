import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../../core/time/instant.ts'

const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i
const TOLERANCE_MS = 300_000

/**
 * Whether a merchant has signed these bytes just now: `Merchant-Signature: t=<seconds>,v1=<hex>`, an
 * HMAC-SHA256 over the time, a point and the raw body. The time is compared in both directions,
 * because a signature from the future could be kept for later.
 */
export function isSignedByMerchant({ header, body, secret }: SignedRequest, now: Instant): boolean {
  const [, seconds = '', signature = ''] = HEADER.exec(header ?? '') ?? []
  if (seconds === '') return false
  if (Math.abs(now - Number(seconds) * 1_000) > TOLERANCE_MS) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

interface SignedRequest {
  readonly header: string | undefined
  readonly body: Buffer
  readonly secret: string
}

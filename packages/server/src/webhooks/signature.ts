import { createHmac } from 'node:crypto'
import type { Instant } from '../core/time/instant.ts'
import { WEBHOOK_SECRET_PREFIX } from '../storage/secrets/webhook-secret.ts'

export interface SigningSecrets {
  readonly current: string
  /** The previous secret, which signs only in the scheme that allows several signatures. */
  readonly previous: string | undefined
}

/**
 * The headers that let a receiver check a request. Two schemes over the same bytes:
 *
 * - `x-service-signature`: hex HMAC-SHA256 of the raw body, keyed with the whole secret as shown. There
 *   is room for one signature, so a new secret takes over at once.
 * - Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, keyed with the decoded
 *   part of the secret. Its list of signatures also holds the previous secret's while that is valid.
 */
export function signatureHeaders(
  secrets: SigningSecrets,
  id: string,
  at: Instant,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000))
  const all = [secrets.current, ...(secrets.previous === undefined ? [] : [secrets.previous])]
  return {
    'x-service-signature': createHmac('sha256', secrets.current).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': all
      .map((secret) => standardSignature(secret, `${id}.${timestamp}.${body}`))
      .join(' '),
  }
}

function standardSignature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

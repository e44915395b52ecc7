import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Makes a secret in the format of the gateway's own. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

/**
 * Returns the headers of a webhook, as the gateway signs it with one secret: `x-service-signature`
 * over the body, and those of Standard Webhooks. (The server has the same function, but takes a
 * second to load. A test compares the two.)
 */
export function signEvent(
  secret: string,
  id: string,
  atMs: number,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

import { createHmac, randomUUID } from 'node:crypto'

/** The headers by which Stripe proves that a body is its own. */
export function signAsStripe(body: string, secret: string, seconds: number) {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${signature}` }
}

/** The same for Lithic, as Standard Webhooks describes it. */
export function signAsLithic(body: string, secret: string, seconds: number) {
  const id = `msg_${randomUUID()}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
}

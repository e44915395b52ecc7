import { createHmac, randomUUID } from 'node:crypto'

/** Returns the headers with Stripe's signature of a body. */
export function signAsStripe(body: string, secret: string, seconds: number) {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${signature}` }
}

/** Returns the headers with Lithic's signature, which follows Standard Webhooks. */
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

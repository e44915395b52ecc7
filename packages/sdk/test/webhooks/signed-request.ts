import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const BODY = JSON.stringify({
  event: 'mandate.budget.warning',
  timestamp: '2026-11-15T09:30:00.000Z',
  data: {
    mandateId: 'mnd_019a85617c5e7d409b5e6f1f0a3c2b11',
    agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
    budgetTotal: 100,
    budgetSpent: 80,
    percentUsed: 80,
  },
})

/** Signs a body with the stock library of Standard Webhooks. */
export function signedHeaders(
  secret: string,
  body: string = BODY,
  { id = 'evt_1', at = new Date() }: { id?: string; at?: Date } = {},
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

import { randomUUID } from 'node:crypto'
import { toLithicRequest } from './lithic-request.ts'
import type { Purchase } from './purchase.ts'
import { signAsLithic, signAsStripe } from './sign.ts'
import { toStripeRequest } from './stripe-request.ts'

/** The URL for an authorization, and the credentials of its sender. */
export type Recipient =
  | { readonly provider: 'stripe' | 'lithic'; readonly url: string; readonly secret: string }
  | {
      readonly provider: 'generic'
      readonly url: string
      readonly apiKey: string
      readonly connectionId: string
    }

/** A request that is ready to be sent, and the time limit of its sender. */
export interface CardRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly waitMs: number
}

/** The time that each issuer waits before it decides by itself. */
const WAIT_MS = { stripe: 2_000, lithic: 6_000, generic: 6_000 }

/** Builds one authorization request in the format of the connection's issuer. */
export function toCardRequest(
  recipient: Recipient,
  purchase: Purchase,
  /** The amount in units of the currency, for issuers that send it in this form. */
  units: number,
  seconds: number,
): CardRequest {
  const { provider } = recipient
  const waitMs = WAIT_MS[provider]
  if (provider === 'generic') {
    const headers = { authorization: `Bearer ${recipient.apiKey}` }
    return { body: toGeneric(recipient.connectionId, purchase, units, seconds), headers, waitMs }
  }
  const isStripe = provider === 'stripe'
  const authorizationId = isStripe ? `iauth_${randomUUID()}` : randomUUID()
  const request = { authorizationId, purchase, before: [], held: 0, seconds }
  const body = JSON.stringify(isStripe ? toStripeRequest(request) : toLithicRequest(request))
  const sign = isStripe ? signAsStripe : signAsLithic
  return { body, headers: sign(body, recipient.secret, seconds), waitMs }
}

function toGeneric(
  connectionId: string,
  { card, currency, merchant, partialSupported }: Purchase,
  units: number,
  seconds: number,
): string {
  const authorizationId = randomUUID()
  return JSON.stringify({
    connectionId,
    requestId: `${authorizationId}-1`,
    authorizationId,
    type: units === 0 ? 'verification' : 'initial',
    card: { externalId: card },
    amount: units,
    currency,
    merchant,
    partialApprovalSupported: partialSupported,
    occurredAt: new Date(seconds * 1_000).toISOString(),
  })
}

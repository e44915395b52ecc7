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

/** Callers of our own API choose for themselves how long they wait. */
const WAIT_MS = { stripe: 2_000, lithic: 6_000, generic: 6_000 }

/** Builds one authorization request in the format of the connection's issuer. */
export function toCardRequest(
  recipient: Recipient,
  purchase: Purchase,
  /** The amount in units of the currency, for issuers that send it in this form. */
  units: number,
  seconds: number,
): CardRequest {
  if (!recipient.issuer) {
    const headers = { authorization: `Bearer ${recipient.apiKey}` }
    const body = toGeneric(recipient.connectionId, purchase, units, seconds)
    return { body, headers, waitMs: GENERIC_WAIT_MS }
  }
  const { waitMs, newAuthorizationId, toRequest, sign } = recipient.issuer.trigger
  const authorizationId = newAuthorizationId()
  const request = { authorizationId, purchase, before: [], held: 0, seconds }
  const body = JSON.stringify(toRequest(request))
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

import { randomUUID } from 'node:crypto'
import type { Purchase } from '@purser/server'
import type { Recipient } from './recipient.ts'

/** A request that is ready to be sent, and the time limit of its sender. */
export interface CardRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly waitMs: number
}

/** The timeout of callers of our own API, which is their own choice. */
const GENERIC_WAIT_MS = 6_000

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

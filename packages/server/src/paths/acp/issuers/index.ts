import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import { createDelegatePayment } from './delegate-payment.ts'
import { createStripeTokens } from './stripe-spt.ts'
import type { IssuerName, TokenIssuer } from './token-issuer.ts'

export type Issuers = Readonly<Record<IssuerName, TokenIssuer>>

interface IssuerParts {
  readonly outbound: OutboundClient
  /** Which preview of Stripe's API is spoken. */
  readonly stripeVersion: string
}

/** Everybody who can make payment tokens. */
export function createIssuers({ outbound, stripeVersion }: IssuerParts): Issuers {
  return {
    stripe: createStripeTokens(outbound, stripeVersion),
    delegate_payment: createDelegatePayment(outbound),
  }
}

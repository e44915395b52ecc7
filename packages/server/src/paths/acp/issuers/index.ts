import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import { createDelegatePayment } from './delegate-payment.ts'
import { createStripeTokens } from './stripe-spt.ts'
import type { IssuerName, TokenIssuer } from './token-issuer.ts'

export type Issuers = Readonly<Record<IssuerName, TokenIssuer>>

interface IssuerParts {
  readonly outbound: OutboundClient
  /** The preview version of Stripe's API. */
  readonly stripeVersion: string
}

/** Creates all token providers. */
export function createIssuers({ outbound, stripeVersion }: IssuerParts): Issuers {
  return {
    stripe: createStripeTokens(outbound, stripeVersion),
    delegate_payment: createDelegatePayment(outbound),
  }
}

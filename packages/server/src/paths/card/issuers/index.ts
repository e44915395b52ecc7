import type { Issuer, Provider } from './issuer.ts'
import { lithic } from './lithic.ts'
import { stripe } from './stripe.ts'

/** The issuers that call us in their own protocol. Any other one is adapted to the generic endpoints. */
export const ISSUERS: Readonly<Record<Exclude<Provider, 'generic'>, Issuer>> = { stripe, lithic }

/** By when each kind of connection is answered unless it says otherwise, well before the issuer's own limit. */
export const DEADLINE_MS: Readonly<Record<Provider, number>> = {
  stripe: stripe.deadlineMs,
  lithic: lithic.deadlineMs,
  generic: 1_500,
}

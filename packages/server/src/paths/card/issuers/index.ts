import type { Issuer, Provider } from './issuer.ts'
import { lithic } from './lithic.ts'
import { stripe } from './stripe.ts'

/**
 * The issuers that call us in their own protocol. Everything that differs between issuers is in their
 * definitions: doors, addresses, deadlines, checks of secrets and `purser trigger card` follow from
 * this list. Any other issuer is adapted to the generic endpoints.
 */
export const ISSUERS: readonly Issuer[] = [stripe, lithic]

export const GENERIC: Provider = 'generic'
/** By when a generic connection is answered unless it says otherwise. */
export const GENERIC_DEADLINE_MS = 1_500

export function findIssuer(issuers: readonly Issuer[], provider: Provider): Issuer | undefined {
  return issuers.find((issuer) => issuer.provider === provider)
}

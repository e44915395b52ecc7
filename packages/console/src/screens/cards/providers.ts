import type { CardProvider } from '@purser/sdk'
import { CARD_ISSUERS } from '../../generated/card-issuers.ts'

interface ProviderName {
  readonly provider: CardProvider
  readonly title: string
}

/** The issuer that a new connection and the examples begin with. */
export const [FIRST_ISSUER] = CARD_ISSUERS

/** Programs of the organization that call the gateway for an issuer. They sign nothing. */
export const OWN_INTEGRATION = 'generic' satisfies CardProvider

/** Everything that a connection can be with, in the order of the choice. */
export const PROVIDERS: readonly ProviderName[] = [
  ...CARD_ISSUERS,
  { provider: OWN_INTEGRATION, title: 'Own integration' },
]

/** A newer gateway may have an issuer that this page does not know. */
export function providerName(provider: CardProvider): string {
  return PROVIDERS.find((known) => known.provider === provider)?.title ?? provider
}

import type { Provider } from '../issuers/issuer.ts'

/** Where an issuer sends what it asks and what it tells. */
export interface IngestAddresses {
  readonly authorizationUrl: string
  readonly eventsUrl: string
}

/** Stands for a token that is not shown again. */
const HIDDEN = '…'

/** How each issuer calls what it asks; an issuer that uses our own API has no address of its own. */
const ASKS: Readonly<Record<Provider, string | null>> = {
  stripe: 'authorization',
  lithic: 'asa',
  generic: null,
}

export function hasIngest(provider: Provider): boolean {
  return ASKS[provider] !== null
}

/** Below the address of the gateway, or whole where somebody has said what that is. */
export function ingestOf(
  provider: Provider,
  token: string = HIDDEN,
  gatewayUrl = '',
): IngestAddresses | null {
  const asks = ASKS[provider]
  if (asks === null) return null
  const below = `${gatewayUrl}/ingest/${provider}/${token}`
  return { authorizationUrl: `${below}/${asks}`, eventsUrl: `${below}/events` }
}

import type { Issuer } from '../issuers/issuer.ts'

/** The URLs to which an issuer sends its authorization requests and its events. */
export interface IngestAddresses {
  readonly authorizationUrl: string
  readonly eventsUrl: string
}

/** Replaces a token that is not shown again. */
const HIDDEN = '…'

/**
 * The last path segment for each issuer's requests. Null: the issuer uses our own API and has no
 * address.
 */
const ASKS: Readonly<Record<Provider, string | null>> = {
  stripe: 'authorization',
  lithic: 'asa',
  generic: null,
}

export function hasIngest(provider: Provider): boolean {
  return ASKS[provider] !== null
}

/** Returns paths, or full URLs if the gateway's public URL is configured. */
export function ingestOf(
  issuer: Issuer | undefined,
  token: string = HIDDEN,
  gatewayUrl = '',
): IngestAddresses | null {
  return issuer ? addressesOf(issuer, token, gatewayUrl) : null
}

export function addressesOf(
  { provider, asks }: Issuer,
  token: string,
  gatewayUrl = '',
): IngestAddresses {
  const below = `${gatewayUrl}/ingest/${provider}/${token}`
  return { authorizationUrl: `${below}/${asks}`, eventsUrl: `${below}/events` }
}

import type { Issuer } from '../issuers/issuer.ts'

/** The URLs to which an issuer sends its authorization requests and its events. */
export interface IngestAddresses {
  readonly authorizationUrl: string
  readonly eventsUrl: string
}

/** Replaces a token that is not shown again. */
const HIDDEN = '…'

/**
 * Returns paths, or full URLs if the gateway's public URL is configured. Null without an issuer: a
 * generic connection calls our own API and has no address.
 */
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

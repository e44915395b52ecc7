import type { Issuer } from '@purser/server'

/** The URL for an authorization, and the credentials of its sender. */
export type Recipient =
  | { readonly issuer: Issuer; readonly url: string; readonly secret: string }
  | {
      readonly issuer: undefined
      readonly url: string
      readonly apiKey: string
      readonly connectionId: string
    }

export interface RecipientOptions {
  readonly url: string
  readonly secret?: string | undefined
  readonly apiKey?: string
  readonly connection?: string
}

const INGEST = /\/ingest\/([^/]+)\/[^/]+\/([^/]+)\/?$/

/** Returns the recipient of the request, or the missing argument. No message repeats a secret. */
export function toRecipient(
  { url, secret, apiKey, connection }: RecipientOptions,
  issuers: readonly Issuer[],
): Recipient | { readonly mistake: string } {
  const [, provider, door] = INGEST.exec(url) ?? []
  const issuer = issuers.find((known) => known.provider === provider)
  if (issuer && door === 'events') {
    return { mistake: '--url is the URL for events; use the one for authorizations' }
  }
  if (issuer) {
    if (!secret) return { mistake: 'no signing secret: set PURSER_CARD_SECRET' }
    return { issuer, url, secret }
  }
  if (!connection) {
    return {
      mistake:
        'set --connection for a generic connection, or --url to the authorization URL of another one',
    }
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey ?? '')) {
    return { mistake: 'no issuer has this address: set --url to the URL of the gateway' }
  }
  const api = `${url.replace(/\/api\/v1$/, '')}/api/v1/gateway/card/authorize`
  return { issuer, url: api, apiKey: apiKey ?? '', connectionId: connection }
}

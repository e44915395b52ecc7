import type { Issuer } from '@purser/server'

/** Where an authorization is sent, and what proves who sends it. */
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
  readonly secret?: string
  readonly apiKey?: string
  readonly connection?: string
}

const INGEST = /\/ingest\/([^/]+)\/[^/]+\/([^/]+)\/?$/

/** Whom the request is for, or what is missing to send it. No message repeats a secret. */
export function toRecipient(
  { url, secret, apiKey, connection }: RecipientOptions,
  issuers: readonly Issuer[],
): Recipient | { readonly mistake: string } {
  const [, provider, door] = INGEST.exec(url) ?? []
  const issuer = issuers.find((known) => known.provider === provider)
  if (issuer && door === 'events') {
    return { mistake: '--url is the address for events; give the one for authorizations' }
  }
  if (issuer) {
    if (!secret) return { mistake: 'set PURSER_CARD_SECRET or give --secret: what it signs with' }
    return { issuer, url, secret }
  }
  if (!connection) {
    return {
      mistake:
        'give --connection for a generic connection, or the authorization URL of another as --url',
    }
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey ?? '')) {
    return { mistake: 'set PURSER_API_KEY or give --api-key: an API key such as psr_test_…' }
  }
  const api = `${url.replace(/\/api\/v1$/, '')}/api/v1/gateway/card/authorize`
  return { issuer, url: api, apiKey: apiKey ?? '', connectionId: connection }
}

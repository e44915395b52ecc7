import { createHash, randomBytes } from 'node:crypto'
import type { Provider } from '../issuers/issuer.ts'

/** Whoever knows the token can knock; only who has the secrets is let in. */
const TOKEN_BYTES = 32
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/
/** For how long the token and the secrets before a change are accepted as well. */
export const OVERLAP_MS = 24 * 60 * 60 * 1_000

export interface NewToken {
  /** Shown once. */
  readonly token: string
  readonly hash: Buffer
}

export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** Undefined for what cannot be a token: nobody need be asked about it. */
export function readToken(token: string): Buffer | undefined {
  return TOKEN_FORM.test(token) ? hashOf(token) : undefined
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Where an issuer sends what it asks and what it tells, below the address of the gateway. */
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

export function ingestOf(provider: Provider, token: string = HIDDEN): IngestAddresses | null {
  const asks = ASKS[provider]
  if (asks === null) return null
  const below = `/ingest/${provider}/${token}`
  return { authorizationUrl: `${below}/${asks}`, eventsUrl: `${below}/events` }
}

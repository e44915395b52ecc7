import type { FieldError } from '../../../base/errors.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Statement } from '../../../storage/engine/database.ts'
import { OVERLAP_MS } from '../../../storage/ingest-tokens.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { Issuer } from '../issuers/issuer.ts'
import { replaceSecret, type SealedConnection } from '../storage/connections.ts'
import { secretPurpose } from '../storage/sealed-values.ts'
import { SECRET_KINDS, type SecretKind } from './connection.ts'

export type GivenSecrets = Partial<Readonly<Record<SecretKind, string>>>

const HINT_CHARACTERS = 4
/** Half the length of a SHA-256 hash; a much shorter key could be guessed. */
const KEY_BYTES_MIN = 16

/** Checks rules about an issuer's secrets that the schema cannot express. */
export function secretErrors(provider: Provider, secrets: GivenSecrets | undefined): FieldError[] {
  if (secrets === undefined) return []
  if (!hasIngest(provider)) {
    const message = "are not allowed: callers of the gateway's own API use an API key"
    return [{ path: '/secrets', code: 'not_allowed', message }]
  }
  if (provider !== 'lithic') return []
  return SECRET_KINDS.filter((kind) => isWeak(secrets[kind])).map((kind) => ({
    path: `/secrets/${kind}`,
    code: 'format',
    message: 'must be base64, after whsec_ or without it, as Lithic shows it',
  }))
}

/**
 * The decoder skips characters that are not base64, so a bad secret could become an empty key, which
 * anyone can sign with.
 */
function isWeak(secret: string | undefined): boolean {
  if (secret === undefined) return false
  const digits = secret.replace(/^whsec_/, '')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(digits)
  return !isBase64 || Buffer.from(digits, 'base64').length < KEY_BYTES_MIN
}

/**
 * Replaces the secrets of a connection. An unchanged secret is left as it is, so that setting it again
 * does not push out the previous one.
 */
export function changeSecrets(
  sealer: Sealer,
  organizationId: string,
  connection: Pick<SealedConnection, 'id'> & Partial<Pick<SealedConnection, 'sealed'>>,
  secrets: GivenSecrets,
  now: Instant,
): Statement[] {
  return SECRET_KINDS.flatMap((kind) => {
    const value = secrets[kind]
    const purpose = secretPurpose(connection.id, kind)
    const current = connection.sealed?.[kind].current ?? null
    const isSame = current !== null && sealer.open(organizationId, purpose, current) === value
    if (value === undefined || isSame) return []
    const sealed = sealer.seal(organizationId, purpose, value)
    const hint = value.slice(-HINT_CHARACTERS)
    const previousUntil = now + OVERLAP_MS
    return [replaceSecret(organizationId, connection.id, { kind, sealed, hint, previousUntil })]
  })
}

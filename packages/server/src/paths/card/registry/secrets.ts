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

/**
 * Checks rules about an issuer's secrets that the schema cannot express. A generic connection has no
 * issuer.
 */
export function secretErrors(
  issuer: Issuer | undefined,
  secrets: GivenSecrets | undefined,
): FieldError[] {
  if (secrets === undefined) return []
  if (!issuer) {
    const message = "are not allowed: callers of the gateway's own API use an API key"
    return [{ path: '/secrets', code: 'not_allowed', message }]
  }
  return SECRET_KINDS.flatMap((kind) => {
    const secret = secrets[kind]
    const message = secret === undefined ? undefined : issuer.whyNoSecret?.(secret)
    return message === undefined ? [] : [{ path: `/secrets/${kind}`, code: 'format', message }]
  })
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

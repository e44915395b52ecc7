import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import { toMicros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import { newToken, OVERLAP_MS, replaceIngestToken } from '../../../storage/ingest-tokens.ts'
import { newId } from '../../../storage/new-id.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import { GENERIC_DEADLINE_MS } from '../issuers/index.ts'
import type { Issuer } from '../issuers/issuer.ts'
import type { SealedConnection } from '../storage/connections.ts'
import type { CardConnection } from './connection.ts'
import type { ConnectionChange, ConnectionSchemas } from './connection-schemas.ts'
import { changeSecrets, type GivenSecrets, secretErrors } from './secrets.ts'

const UNSET = { hint: null, previousUntil: null }

/** Without an issuer, the connection is a generic one. */
export function newConnection(
  issuer: Issuer | undefined,
  { provider, name }: Pick<Static<ConnectionSchemas['ConnectionInput']>, 'provider' | 'name'>,
  livemode: boolean,
  at: Instant,
): CardConnection {
  return {
    id: newId(at),
    provider,
    name,
    livemode,
    status: 'active',
    failMode: 'closed',
    failOpenMaxAmount: null,
    deadlineMs: issuer?.deadlineMs ?? GENERIC_DEADLINE_MS,
    partialApprovals: false,
    pauseOnOverCapture: false,
    authorizationSecret: UNSET,
    eventsSecret: UNSET,
    lastRequestAt: null,
    lastEventAt: null,
    unheardSince: null,
    createdAt: at,
    updatedAt: at,
    updatedBy: null,
  }
}

/** Returns the connection after the change. Throws if its settings contradict each other. */
export function withSettings(
  issuer: Issuer | undefined,
  connection: CardConnection,
  body: Partial<Static<typeof ConnectionChange>>,
  at: Instant,
  updatedBy: string,
): CardConnection {
  const { failOpenMaxAmount, secrets, rotateToken, ...others } = body
  const next = {
    ...connection,
    ...others,
    ...(failOpenMaxAmount !== undefined && {
      failOpenMaxAmount: failOpenMaxAmount === null ? null : toMicros(failOpenMaxAmount),
    }),
    updatedAt: at,
    updatedBy,
  }
  const isUnbounded = next.failMode === 'open' && next.failOpenMaxAmount === null
  const errors = [
    ...(isUnbounded ? [UNBOUNDED] : []),
    ...(rotateToken && !issuer ? [NO_TOKEN] : []),
    ...secretErrors(issuer, secrets),
  ]
  if (errors.length > 0) throw invalidFields(errors)
  return next
}

const UNBOUNDED: FieldError = {
  path: '/failOpenMaxAmount',
  code: 'required',
  message:
    'is required, because failMode is open: the highest amount to approve without a decision',
}

const NO_TOKEN: FieldError = {
  path: '/rotateToken',
  code: 'not_allowed',
  message: 'is not allowed: a generic connection has no ingest token',
}

interface Credentials {
  readonly secrets: GivenSecrets | undefined
  readonly isTokenNew: boolean
}

/**
 * Stores new secrets and a new token, if there are any. Returns the token, which is not stored in plain
 * text.
 */
export function storeCredentials(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  connection: Pick<SealedConnection, 'id'> & Partial<Pick<SealedConnection, 'sealed'>>,
  { secrets = {}, isTokenNew }: Credentials,
  at: Instant,
): string | undefined {
  const { id } = connection
  const changes = changeSecrets(sealer, organizationId, connection, secrets, at)
  for (const statement of changes) tx.send(statement)
  if (!isTokenNew) return undefined
  const { token, hash } = newToken()
  const replaced = replaceIngestToken(organizationId, id, hash, at + OVERLAP_MS)
  for (const statement of replaced) tx.send(statement)
  return token
}

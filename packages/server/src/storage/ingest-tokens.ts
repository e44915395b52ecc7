import { createHash, randomBytes } from 'node:crypto'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Statement } from './engine/database.ts'

/*
 * A token is part of a URL that third parties' servers call. It identifies the connection or vendor
 * that the call is about. The token alone authorizes nothing: calls must also prove the secret.
 */

const TOKEN_BYTES = 32
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/
/** For how long the previous token or secret stays valid after a rotation. */
export const OVERLAP_MS = 24 * 60 * 60 * 1_000

/** The target of a token: a connection to a card issuer, or a vendor of the directory. */
export interface IngestToken {
  readonly organizationId: string
  readonly connectionId: string
  readonly endsAt: Instant | null
}

export interface NewToken {
  /** Shown once. */
  readonly token: string
  readonly hash: Buffer
}

export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** Returns undefined for a text that cannot be a token, so that no query is spent on it. */
export function readToken(token: string): Buffer | undefined {
  return TOKEN_FORM.test(token) ? hashOf(token) : undefined
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Every request to such a URL begins with this query. Callers bound how many run at once. */
export async function findIngestToken(
  db: Queryable,
  hash: Buffer,
): Promise<IngestToken | undefined> {
  const [row] = await db.query<IngestToken>({
    name: 'find-ingest-token',
    text: `select organization_id as "organizationId", connection_id as "connectionId",
                  ends_at as "endsAt"
           from ingest_tokens where token_hash = $1`,
    values: [hash],
    isUnshared: true,
  })
  return row
}

/**
 * Creates a new token for a connection or vendor whose lock the caller holds. The previous token
 * stays valid until `previousUntil`, and no older one does: a second rotation ends the first token
 * at once.
 */
export function replaceIngestToken(
  organizationId: string,
  connectionId: string,
  hash: Buffer,
  previousUntil: Instant,
): Statement[] {
  return [
    {
      text: `delete from ingest_tokens
             where organization_id = $1 and connection_id = $2 and ends_at is not null`,
      values: [organizationId, connectionId],
    },
    {
      text: `update ingest_tokens set ends_at = $3
             where organization_id = $1 and connection_id = $2 and ends_at is null`,
      values: [organizationId, connectionId, toIso(previousUntil)],
    },
    {
      text: `insert into ingest_tokens (token_hash, organization_id, connection_id)
             values ($3, $1, $2)`,
      values: [organizationId, connectionId, hash],
    },
  ]
}

/** Ends all tokens of the connection or vendor at once. The caller holds its lock. */
export function removeIngestTokens(organizationId: string, connectionId: string): Statement {
  return {
    text: 'delete from ingest_tokens where organization_id = $1 and connection_id = $2',
    values: [organizationId, connectionId],
  }
}

/** Removes expired tokens, a bounded number per call. Returns the number removed. */
export async function removeEndedTokens(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from ingest_tokens where token_hash in (
        select token_hash from ingest_tokens where ends_at <= $1 limit 1000)
      returning 1`,
    values: [toIso(now)],
  })
  return rows.length
}

import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement } from '../../../storage/engine/database.ts'

/** To which connection a token leads. */
export interface IngestToken {
  readonly organizationId: string
  readonly connectionId: string
  readonly endsAt: Instant | null
}

/** Every request of an issuer begins with this; whoever asks bounds how many there are at once. */
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
 * A new token for a connection whose lock the caller holds. The one before is accepted until then,
 * and none that is older: whoever changes it twice has cut off the first.
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

/** Removes tokens past their time, a bounded number at once; gives the number removed. */
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

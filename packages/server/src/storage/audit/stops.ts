import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'

/** A break in an organization's feed: its next number does not come after the last leaf. */
export interface FeedBreak {
  /** The number of the last leaf. */
  readonly lastLeaf: bigint
  /** The next number of the feed, which should be greater than `lastLeaf` and is not. */
  readonly nextNumber: bigint
}

/** Stores that sealing has stopped. The first stop is kept. */
export function stopLog(
  organizationId: string,
  { lastLeaf, nextNumber }: FeedBreak,
  at: Instant,
): Statement {
  return {
    text: `insert into audit_stops (organization_id, last_leaf, next_number, stopped_at)
           values ($1, $2, $3, $4) on conflict (organization_id) do nothing`,
    values: [organizationId, lastLeaf, nextNumber, toIso(at)],
  }
}

/** Returns undefined if the audit log is not stopped. */
export async function findStop(
  db: Queryable,
  organizationId: string,
): Promise<FeedBreak | undefined> {
  const [row] = await db.query<FeedBreak>({
    text: `select last_leaf as "lastLeaf", next_number as "nextNumber"
           from audit_stops where organization_id = $1`,
    values: [organizationId],
  })
  return row
}

/** Whether any audit log is stopped, for monitoring of the installation. */
export async function hasStoppedLog(db: Queryable): Promise<boolean> {
  const rows = await db.query({
    name: 'has-stopped-log',
    text: 'select 1 from audit_stops limit 1',
  })
  return rows.length > 0
}

/**
 * Reads the ends of the feed and the audit log again. The caller holds the lock of the audit log.
 */
export async function readEnds(
  tx: Tx,
  organizationId: string,
  size: number,
): Promise<{ readonly feedEnd: bigint; readonly lastLeaf: bigint | null }> {
  const [row] = await tx.query<{ feedEnd: bigint; lastLeaf: bigint | null }>({
    text: `select last_number as "feedEnd",
                  (select number from audit_leaves where organization_id = $1 and index = $2::bigint - 1)
                    as "lastLeaf"
           from event_feeds where organization_id = $1`,
    values: [organizationId, size],
  })
  return row ?? { feedEnd: 0n, lastLeaf: null }
}

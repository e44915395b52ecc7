import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'

/** Where the feed of an organization does not go on behind its log. */
export interface FeedBreak {
  /** The number of the last leaf. */
  readonly lastLeaf: bigint
  /** The number that was to come next: not above it. */
  readonly nextNumber: bigint
}

/** Keeps that nothing more is sealed. What was kept first stays. */
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

/** Undefined where the log goes on. */
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

/** Whether any log is stopped, for whoever watches the installation. */
export async function hasStoppedLog(db: Queryable): Promise<boolean> {
  const rows = await db.query({
    name: 'has-stopped-log',
    text: 'select 1 from audit_stops limit 1',
  })
  return rows.length > 0
}

/** The ends of feed and log, read once more by whoever holds the lock of the log. */
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

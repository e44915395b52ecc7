import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Tx } from '../../../storage/engine/database.ts'
import type { FlaggedEvent, FlaggedKind } from '../registry/flagged.ts'

/** The number of flags of each kind that are kept for each connection; the oldest are removed. */
export const FLAGGED_MAX = 100

/** Returns false if the flag is stored already: an issuer may send the same event again and again. */
export async function storeFlagged(
  tx: Tx,
  organizationId: string,
  connectionId: string,
  { what, name, at, told }: FlaggedEvent,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'store-flagged-card-event',
    text: `
      insert into card_flagged (organization_id, connection_id, what, name, at, told)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (organization_id, connection_id, what, name) do nothing
      returning 1`,
    values: [organizationId, connectionId, what, name, toIso(at), JSON.stringify(told)],
  })
  tx.send({
    name: 'remove-surplus-flagged-card-events',
    text: `
      delete from card_flagged
      where organization_id = $1 and connection_id = $2 and what = $3 and name in (
        select name from card_flagged
        where organization_id = $1 and connection_id = $2 and what = $3
        order by at desc, name offset ${FLAGGED_MAX})`,
    values: [organizationId, connectionId, what],
  })
  return rows.length > 0
}

/**
 * Limits unreadable events, so that an issuer whose events are all broken fills neither the feed nor
 * the audit log. Flags about money have a limit of their own.
 */
export async function hasRoomForFlag(
  tx: Tx,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  since: Instant,
): Promise<boolean> {
  const counted = await countFlagged(tx, organizationId, [id], since)
  const unreadable = counted.find(({ what }) => what === 'unreadable_event')
  return (unreadable?.count ?? 0) < FLAGGED_MAX
}

export interface CountedFlags {
  readonly connectionId: string
  readonly what: FlaggedKind
  readonly count: number
}

/** Counts the flags of each connection since a time. */
export function countFlagged(
  db: Queryable,
  organizationId: string,
  connectionIds: readonly string[],
  since: Instant,
): Promise<CountedFlags[]> {
  return db.query<CountedFlags>({
    name: 'count-flagged-card-events',
    text: `
      select connection_id as "connectionId", what, count(*)::int as count from card_flagged
      where organization_id = $1 and connection_id = any($2::uuid[]) and at >= $3
      group by connection_id, what`,
    values: [organizationId, connectionIds, toIso(since)],
  })
}

/** The latest flags of each connection. */
export function listFlagged(
  db: Queryable,
  organizationId: string,
  connectionIds: readonly string[],
  most: number,
): Promise<(FlaggedEvent & { readonly connectionId: string })[]> {
  return db.query<FlaggedEvent & { readonly connectionId: string }>({
    name: 'list-flagged-card-events',
    text: `
      select connection_id as "connectionId", what, name, at, told
      from (
        select f.*, row_number() over (
          partition by f.connection_id order by f.at desc, f.what, f.name) as place
        from card_flagged f
        where f.organization_id = $1 and f.connection_id = any($2::uuid[])
      ) as placed
      where place <= $3
      order by place`,
    values: [organizationId, connectionIds, most],
  })
}

import { type Instant, toIso } from '../../core/time/instant.ts'
import { FAILING_MAX_MS } from '../../core/webhook-endpoint.ts'
import type { Queryable } from '../engine/database.ts'

/**
 * Notes that attempts to an endpoint failed, and pauses it if every attempt has failed for too long.
 * Returns whether this call paused it. Writes only if something changes, because a dead receiver
 * fails often. An endpoint that was removed meanwhile stays removed.
 */
export async function noteFailure(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  at: Instant,
): Promise<boolean> {
  const note = endpointId === organizationId ? NOTE_OF_FIRST : NOTE
  const [row] = await db.query<{ hasPaused: boolean }>({
    ...note,
    values: [organizationId, endpointId, toIso(at), toIso(at - FAILING_MAX_MS)],
  })
  return row?.hasPaused ?? false
}

const CHANGE = `
  set failing_since = coalesce(e.failing_since, $3::timestamptz),
      paused_at = case when e.failing_since <= $4::timestamptz then $3::timestamptz end`
const IF_NEW = `e.paused_at is null and (e.failing_since is null or e.failing_since <= $4)`

const NOTE = {
  name: 'note-endpoint-failure',
  text: `update webhook_endpoints e ${CHANGE}
         where e.organization_id = $1 and e.id = $2 and ${IF_NEW}
         returning e.paused_at is not null as "hasPaused"`,
}

/** The first endpoint has its id from its organization, and gets its row with its first state. */
const NOTE_OF_FIRST = {
  name: 'note-first-endpoint-failure',
  text: `insert into webhook_endpoints as e (organization_id, id, failing_since)
         values ($1, $2, $3)
         on conflict (organization_id, id) do update ${CHANGE} where ${IF_NEW}
         returning e.paused_at is not null as "hasPaused"`,
}

/** Notes that an attempt to an endpoint succeeded that failed before. */
export async function noteRecovery(
  db: Queryable,
  organizationId: string,
  endpointId: string,
): Promise<void> {
  await db.query({
    name: 'note-endpoint-recovery',
    text: `update webhook_endpoints set failing_since = null
           where organization_id = $1 and id = $2 and failing_since is not null`,
    values: [organizationId, endpointId],
  })
}

/**
 * Counts the endpoints of the whole installation that are paused because every attempt failed, for the
 * metrics. The count ends at the limit.
 */
export async function countFailedEndpoints(db: Queryable, limit: number): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-failed-endpoints',
    text: `select count(*) as count from (
             select 1 from webhook_endpoints where paused_at is not null and not is_paused limit $1) e`,
    values: [limit],
  })
  return Number(row?.count ?? 0n)
}

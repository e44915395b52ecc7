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
  const [row] = await db.query<{ hasPaused: boolean }>({
    name: 'note-endpoint-failure',
    text: `
      insert into webhook_endpoints (organization_id, id, failing_since)
      select $1::uuid, $2::uuid, $3::timestamptz
      where $2::uuid = $1::uuid or exists (
        select 1 from webhook_endpoints k where k.organization_id = $1 and k.id = $2)
      on conflict (organization_id, id) do update
      set failing_since = coalesce(webhook_endpoints.failing_since, excluded.failing_since),
          paused_at = case when webhook_endpoints.failing_since <= $4::timestamptz
                           then excluded.failing_since end
      where webhook_endpoints.paused_at is null
        and (webhook_endpoints.failing_since is null or webhook_endpoints.failing_since <= $4)
      returning paused_at is not null as "hasPaused"`,
    values: [organizationId, endpointId, toIso(at), toIso(at - FAILING_MAX_MS)],
  })
  return row?.hasPaused ?? false
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

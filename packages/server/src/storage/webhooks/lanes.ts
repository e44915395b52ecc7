import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/**
 * The deliveries of one organization to one endpoint. Null is the lane that decisions write to: it
 * belongs to the first endpoint, unless the organization has several.
 */
export interface Lane {
  readonly organizationId: string
  readonly endpointId: string | null
}

/** Names a lane among those of all organizations. */
export function keyOf({ organizationId, endpointId }: Lane): string {
  return `${organizationId}/${endpointId ?? ''}`
}

/**
 * Each lane with the time of its first entry, except those of paused endpoints. `is_shared` marks
 * entries that are still to be divided among endpoints. It looks at the first entry of each lane, so
 * a long queue costs nothing. Read without locks.
 */
export const LANES = `
  select o.id as organization_id, null::uuid as endpoint_id, o.webhook_kinds is not null as is_shared,
         (select min(q.due_at) from webhook_queue q
          where q.organization_id = o.id /*among q.organization_id*/ and q.endpoint_id is null) as due_at
  from organizations o
  where (o.webhook_kinds is not null or not exists (
    select 1 from webhook_endpoints p
    where p.organization_id = o.id /*among p.organization_id*/ and p.id = o.id
      and p.paused_at is not null)) /*among o.id*/
  union all
  select e.organization_id, e.id, false,
         (select min(q.due_at) from webhook_queue q
          where q.organization_id = e.organization_id /*among q.organization_id*/
            and q.endpoint_id = e.id)
  from webhook_endpoints e where e.paused_at is null /*among e.organization_id*/`

/** Whether an entry `q` of the queue belongs to a paused endpoint of this organization. */
export const isWaitingIn = (organization: string): string => `exists (
  select 1 from webhook_endpoints p
  where p.organization_id = ${organization} and p.id = coalesce(q.endpoint_id, q.organization_id)
    and p.paused_at is not null)`

export interface DueLane extends Lane {
  /** Whether its entries must be divided among the endpoints first. */
  readonly isShared: boolean
}

export function listDueLanes(db: Queryable, now: Instant): Promise<DueLane[]> {
  return db.query<DueLane>({
    name: 'list-due-lanes',
    text: `select l.organization_id as "organizationId", l.endpoint_id as "endpointId",
                  l.is_shared as "isShared"
           from (${LANES}) as l where l.due_at <= $1`,
    values: [toIso(now)],
  })
}

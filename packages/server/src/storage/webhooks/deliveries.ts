import type { EventKind } from '../../core/events/event.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { isWaitingIn } from './lanes.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** The delivery of one event to one endpoint. For the first endpoint, the id is the event's id. */
export interface DeliveryRow {
  readonly id: string
  readonly eventId: string
  /** Null for the first endpoint. */
  readonly endpointId: string | null
  readonly kind: EventKind
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly lastAttemptAt: Instant | null
  readonly lastStatusCode: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: Instant | null
  readonly transactionId: string | null
  readonly isTest: boolean
  readonly createdAt: Instant
  /** Null until the first attempt. */
  readonly body: string | null
}

/**
 * When the next attempt is due. A delivery with a running attempt, or to a paused endpoint, has no
 * such time.
 */
const NEXT_ATTEMPT = `case when q.attempt_id is null and not ${isWaitingIn('$1')} then q.due_at end`
const OF_EVENT = 'e.transaction_id as "transactionId", e.sample is not null as "isTest"'

/**
 * Deliveries come from two sources: one holds those that were tried, the other those that were not.
 */
interface Source {
  readonly columns: string
  readonly from: string
  readonly organizationId: string
  readonly id: string
}

const TRIED: Source = {
  columns: `
    d.id, coalesce(d.event_id, d.id) as "eventId", d.endpoint_id as "endpointId", d.kind, d.status, d.attempts, d.last_attempt_at as "lastAttemptAt",
    d.last_status_code as "lastStatusCode", d.last_error as "lastError",
    case when d.status = 'pending' then ${NEXT_ATTEMPT} end as "nextAttemptAt",
    ${OF_EVENT}, d.created_at as "createdAt", d.body`,
  from: `
    webhook_deliveries d
    join webhook_events e
      on e.organization_id = d.organization_id and e.id = coalesce(d.event_id, d.id)
    left join webhook_queue q on q.organization_id = d.organization_id and q.id = d.id`,
  organizationId: 'd.organization_id',
  id: 'd.id',
}

/** Deliveries without an attempt. They are visible only while a receiver is slow or down. */
const UNTRIED: Source = {
  columns: `
    q.id, e.id as "eventId", nullif(q.endpoint_id, q.organization_id) as "endpointId", e.kind,
    'pending' as status, 0 as attempts, null::timestamptz as "lastAttemptAt",
    null::int as "lastStatusCode", null::text as "lastError",
    ${NEXT_ATTEMPT} as "nextAttemptAt",
    ${OF_EVENT}, e.occurred_at as "createdAt", null::text as body`,
  from: `
    webhook_queue q
    join webhook_events e on e.organization_id = q.organization_id and e.id = q.event_id
      and not q.is_manual and not exists (
        select 1 from webhook_deliveries tried
        where tried.organization_id = $1
          and tried.id = coalesce(q.delivery_id, q.event_id))`,
  organizationId: 'q.organization_id',
  id: 'q.id',
}

export async function findDelivery(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await findDeliveries(db, organizationId, [id])
  return row
}

/** The deliveries with these ids, newest first. */
export async function findDeliveries(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<DeliveryRow[]> {
  if (ids.length === 0) return []
  const found = new Map<string, DeliveryRow>()
  // The order matters: if the first attempt happens in between, the second query finds the
  // delivery, and its row replaces the first.
  for (const source of [UNTRIED, TRIED]) {
    const { columns, from, organizationId: organization, id } = source
    const rows = await db.query<DeliveryRow>({
      text: `select shown.* from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select ${columns} from ${from}
               where ${organization} = $1 and ${id} = wanted.id limit 1) as shown`,
      values: [organizationId, plainArray(ids)],
    })
    for (const row of rows) found.set(row.id, row)
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}

export function findDeliveryStatuses(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Pick<DeliveryRow, 'id' | 'eventId' | 'status'>[]> {
  return db.query({
    name: 'find-delivery-statuses',
    text: `select id, coalesce(event_id, id) as "eventId", status from webhook_deliveries
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(ids)],
  })
}

/** The bodies and statuses of deliveries that were tried before, by id. */
export async function findDeliveryBodies(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, { readonly body: string; readonly status: DeliveryStatus }>> {
  const rows = await db.query<{ id: string; body: string; status: DeliveryStatus }>({
    name: 'find-delivery-bodies',
    text: `select id, body, status from webhook_deliveries
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(ids)],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

import type { EventKind } from '../core/event.ts'
import { type Instant, toIso } from '../core/time.ts'
import type { Queryable } from './database.ts'
import type { Page, PageRequest } from './page.ts'
import { plainArray } from './wire-array.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** What became of one event; the id is the event's. */
export interface DeliveryRow {
  readonly id: string
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
  /** Null until it is first sent. */
  readonly body: string | null
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined
  readonly kind: EventKind | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

const COUNT_MAX = 10_000

/** A time for which an entry still waits; one that is under way has none. */
const NEXT_ATTEMPT = 'case when q.attempt_id is null then q.due_at end as "nextAttemptAt"'

const EVENT_COLUMNS =
  'e.transaction_id as "transactionId", e.sample is not null as "isTest", d.created_at as "createdAt"'

/** Those that were sent or tried. */
const TRIED = `
  select d.id, d.kind, d.status, d.attempts, d.last_attempt_at as "lastAttemptAt",
         d.last_status_code as "lastStatusCode", d.last_error as "lastError", ${NEXT_ATTEMPT},
         ${EVENT_COLUMNS}, d.body
  from webhook_deliveries d
  join webhook_events e on e.organization_id = d.organization_id and e.id = d.id
  left join webhook_queue q on q.organization_id = d.organization_id and q.id = d.id
  where d.organization_id = $1`

/** Those that nobody has got to yet, which is visible only while a receiver is slow or away. */
const UNTRIED = `
  select d.id, d.kind, 'pending' as status, 0 as attempts, null::timestamptz as "lastAttemptAt",
         null::int as "lastStatusCode", null::text as "lastError", ${NEXT_ATTEMPT},
         ${EVENT_COLUMNS}, null::text as body
  from webhook_queue q
  join (select organization_id, id, kind, occurred_at as created_at from webhook_events) d
    on d.organization_id = q.organization_id and d.id = q.event_id
  join webhook_events e on e.organization_id = q.organization_id and e.id = q.event_id
  where q.organization_id = $1 and not q.is_manual and not exists (
    select 1 from webhook_deliveries tried
    where tried.organization_id = q.organization_id and tried.id = q.event_id)`

const FILTERS = `
  and ($2::text is null or d.kind = $2)
  and ($3::timestamptz is null or d.created_at >= $3)
  and ($4::timestamptz is null or d.created_at < $4)`

/** Newest first. The two kinds of rows are read apart, each in its own order, and then merged. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  filter: DeliveryFilter,
  { limit, offset, after }: PageRequest,
): Promise<Page<DeliveryRow>> {
  const { status, kind, from, to } = filter
  const shared = [organizationId, kind, from && toIso(from), to && toIso(to)]
  const values = shared.map((value) => value ?? null)
  const sources = [
    `${TRIED} ${FILTERS} ${status === undefined ? '' : `and d.status = '${status}'`}`,
    ...(status === undefined || status === 'pending' ? [`${UNTRIED} ${FILTERS}`] : []),
  ]
  const total = await countUpTo(db, sources, values)
  const found: DeliveryRow[] = []
  for (const source of sources) {
    const rows = await db.query<DeliveryRow>({
      text: `${source} and ($5::uuid is null or d.id < $5) order by d.id desc limit $6`,
      values: [...values, after ?? null, offset + limit + 1],
    })
    found.push(...rows)
  }
  const rows = found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(offset)
  return { rows: rows.slice(0, limit), total, limit, offset, hasMore: rows.length > limit }
}

async function countUpTo(
  db: Queryable,
  sources: readonly string[],
  values: readonly unknown[],
): Promise<number> {
  const parts = sources.map((source) => `(select 1 from (${source} limit ${COUNT_MAX}) as part)`)
  const [row] = await db.query<{ total: bigint }>({
    text: `select count(*) as total from (${parts.join(' union all ')}) as counted`,
    values,
  })
  return Math.min(COUNT_MAX, Number(row?.total ?? 0n))
}

export async function findDelivery(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  for (const source of [TRIED, UNTRIED]) {
    const [row] = await db.query<DeliveryRow>({
      text: `${source} and d.id = $2`,
      values: [organizationId, id],
    })
    if (row) return row
  }
  return undefined
}

/** What is known of deliveries that may have been tried before, by id. */
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

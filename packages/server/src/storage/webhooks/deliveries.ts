import type { EventKind } from '../../core/events/event.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { COUNTED_MAX, type Page, type PageRequest, totalOf } from '../page.ts'
import { IS_WAITING } from './lanes.ts'

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

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined
  readonly kind: EventKind | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  /** Only deliveries of these events. */
  readonly eventIds: readonly string[] | undefined
  readonly isTest: boolean | undefined
  /** Only deliveries to this endpoint; null is the first one. */
  readonly endpointId: string | null | undefined
}

/**
 * When the next attempt is due. A delivery with a running attempt, or to a paused endpoint, has no
 * such time.
 */
const NEXT_ATTEMPT = `case when q.attempt_id is null and not ${IS_WAITING} then q.due_at end`
const OF_EVENT = 'e.transaction_id as "transactionId", e.sample is not null as "isTest"'

/**
 * Deliveries come from two sources: one holds those that were tried, the other those that were not.
 */
interface Source {
  readonly columns: string
  readonly from: string
  /** The join with the event; only a filter by test events needs it to count. */
  readonly event: string
  /** Further joins for reading whole rows. */
  readonly joined: string
  /** The SQL columns that conditions refer to. */
  readonly organizationId: string
  readonly id: string
  readonly isOfEvents: string
  readonly endpointId: string
  readonly status: string
  readonly kind: string
  readonly createdAt: string
}

const TRIED: Source = {
  columns: `
    d.id, coalesce(d.event_id, d.id) as "eventId", d.endpoint_id as "endpointId", d.kind, d.status, d.attempts, d.last_attempt_at as "lastAttemptAt",
    d.last_status_code as "lastStatusCode", d.last_error as "lastError",
    case when d.status = 'pending' then ${NEXT_ATTEMPT} end as "nextAttemptAt",
    ${OF_EVENT}, d.created_at as "createdAt", d.body`,
  from: 'webhook_deliveries d',
  event: `join webhook_events e
    on e.organization_id = d.organization_id and e.id = coalesce(d.event_id, d.id)`,
  joined: `
    left join webhook_queue q on q.organization_id = d.organization_id and q.id = d.id`,
  organizationId: 'd.organization_id',
  id: 'd.id',
  isOfEvents: '(d.id = any($6) or d.event_id = any($6))',
  endpointId: 'd.endpoint_id',
  status: 'd.status',
  kind: 'd.kind',
  createdAt: 'd.created_at',
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
        where tried.organization_id = q.organization_id
          and tried.id = coalesce(q.delivery_id, q.event_id))`,
  event: '',
  joined: '',
  organizationId: 'q.organization_id',
  id: 'q.id',
  isOfEvents: 'e.id = any($6)',
  endpointId: 'nullif(q.endpoint_id, q.organization_id)',
  status: "'pending'",
  kind: 'e.kind',
  createdAt: 'e.occurred_at',
}

/** Lists deliveries, newest first. Each source is read in its own order, then both are merged. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  filter: DeliveryFilter,
  { limit, offset, after }: PageRequest,
): Promise<Page<DeliveryRow>> {
  const { status, kind, from, to, eventIds, endpointId } = filter
  const times = [from, to].map((at) => (at === undefined ? null : toIso(at)))
  const ids = eventIds === undefined ? null : plainArray(eventIds)
  const values = [organizationId, kind ?? null, ...times, status ?? null, ids, endpointId ?? null]
  const found = new Map<string, DeliveryRow>()
  // The order matters: if the first attempt happens in between, the second query finds the
  // delivery, and its row replaces the first.
  for (const source of [UNTRIED, TRIED]) {
    const where = conditionsOf(source, filter)
    const rows = await db.query<DeliveryRow>({
      text: `
        select ${source.columns} from ${source.from} ${eventJoin(source, filter)} ${source.joined}
        where ${where} and ($8::uuid is null or ${source.id} < $8)
        order by ${source.id} desc limit $9`,
      values: [...values, after ?? null, offset + limit + 1],
    })
    for (const row of rows) found.set(row.id, row)
  }
  const rows = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(offset)
  return {
    rows: rows.slice(0, limit),
    ...totalOf(await countDeliveries(db, values, filter)),
    limit,
    offset,
    hasMore: rows.length > limit,
  }
}

function conditionsOf(
  { organizationId, isOfEvents, endpointId, kind, createdAt, status }: Source,
  filter: Texts,
): string {
  return `${organizationId} = $1
    and ($2::text is null or ${kind} = $2)
    and ($3::timestamptz is null or ${createdAt} >= $3)
    and ($4::timestamptz is null or ${createdAt} < $4)
    and ($5::text is null or ${status} = $5)
    and ($6::uuid[] is null or ${isOfEvents})
    and ($7::uuid is null or ${endpointId} = $7)
    ${filter.endpointId === null ? `and ${endpointId} is null` : ''}
    ${filter.endpointId ? `and ${endpointId} = $7` : ''}
    ${filter.status === 'failed' ? `and ${status} = 'failed'` : ''}
    ${TEST_CONDITIONS[`${filter.isTest}`]}`
}

/**
 * The filters with a text of their own, because only a plain condition lets the database use the
 * index of failed deliveries or of test events.
 */
type Texts = Pick<DeliveryFilter, 'status' | 'isTest' | 'endpointId'>

const TEST_CONDITIONS = {
  undefined: '',
  true: 'and e.sample is not null',
  false: 'and e.sample is null',
}

/** Only this form of the join lets the database begin with the few test events. */
const OF_TEST_EVENT = `join webhook_events e on e.organization_id = d.organization_id
  and (d.id = e.id and d.event_id is null or d.event_id = e.id)`

function eventJoin(source: Source, { isTest }: Texts): string {
  return source === TRIED && isTest ? OF_TEST_EVENT : source.event
}

/** One statement, so that a delivery whose first attempt happens meanwhile is not counted twice. */
async function countDeliveries(
  db: Queryable,
  values: readonly unknown[],
  filter: Texts,
): Promise<number> {
  const sources = [UNTRIED, TRIED].map((source) => {
    const from =
      filter.isTest === undefined ? source.from : `${source.from} ${eventJoin(source, filter)}`
    return `(select 1 from ${from} where ${conditionsOf(source, filter)} limit ${COUNTED_MAX})`
  })
  const [row] = await db.query<{ total: bigint }>({
    text: `select count(*) as total from (${sources.join(' union all ')}) as counted`,
    values,
  })
  return Math.min(COUNTED_MAX, Number(row?.total ?? 0n))
}

export async function findDelivery(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  // The order matters: if the first attempt happens between the two queries, the second one finds
  // the delivery.
  for (const source of [UNTRIED, TRIED]) {
    const { columns, from, event, joined, organizationId: organization, id: idColumn } = source
    const [row] = await db.query<DeliveryRow>({
      text: `select ${columns} from ${from} ${event} ${joined}
             where ${organization} = $1 and ${idColumn} = $2`,
      values: [organizationId, id],
    })
    if (row) return row
  }
  return undefined
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

import type { EventKind } from '../../core/events/event.ts'
import { idAt, instantOf } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { CLOCK_WRONG_MS, readClockGap } from '../clock-gaps.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { Condition } from '../page.ts'
import type { ListQuery } from '../page-statements.ts'
import type { DeliveryStatus } from './deliveries.ts'

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

/** Filters with the parts of the history that can match them. */
interface Range extends DeliveryFilter {
  readonly firstId: string | undefined
  readonly endId: string | undefined
  readonly firstEventId: string | undefined
  readonly endEventId: string | undefined
}

/** More test events than these are found by a search. */
const TESTS_MAX = 1_000

interface DeliveryQueries {
  /**
   * In the order in which they must be read: a delivery whose first attempt happens in between moves
   * from the first table to the second. Both can find a delivery that is still to be retried.
   */
  readonly listed: readonly ListQuery[]
  /**
   * Each delivery is in one of them. Those that were tried come first, since the others cost a
   * look-up each, and counting stops early.
   */
  readonly counted: readonly ListQuery[]
}

export async function queriesOf(
  db: Queryable,
  organizationId: string,
  filter: DeliveryFilter,
): Promise<DeliveryQueries> {
  const eventIds =
    filter.eventIds ?? (filter.isTest ? await readTests(db, organizationId) : undefined)
  const range = { ...filter, eventIds, ...(await readIdRange(db, organizationId, filter)) }
  const tried = triedOf(organizationId, range)
  if (filter.status !== undefined && filter.status !== 'pending') {
    return { listed: [tried], counted: [tried] }
  }
  const queued = queuedOf(organizationId, range)
  const isUntried: Condition = [UNTRIED, organizationId]
  const untried = { ...queued, filters: [...(queued.filters ?? []), isUntried] }
  // An entry can outlive its delivery's end by a moment, and then the delivery is not pending.
  return {
    listed: [filter.status === undefined ? queued : untried, tried],
    counted: [tried, untried],
  }
}

/** Deliveries that wait for an attempt: those without one yet, and those to be retried. */
function queuedOf(organizationId: string, range: Range): ListQuery {
  const { kind, from, to, eventIds, isTest, endpointId } = range
  const { firstId, endId, firstEventId, endEventId } = range
  const ids = eventIds && plainArray(eventIds)
  const ofEvent = given([
    when('e.kind = ?', kind),
    when('e.occurred_at >= ?', textOf(from)),
    when('e.occurred_at < ?', textOf(to)),
    isTest === undefined ? undefined : [`e.sample is ${isTest ? 'not ' : ''}null`],
  ])
  const ofFirst = '(q.endpoint_id is null or q.endpoint_id = q.organization_id)'
  return {
    columns: 'q.id',
    from: 'webhook_queue q',
    ...(ofEvent.length > 0 && { joined: [EVENT_OF_ENTRY, organizationId] }),
    conditions: given([
      ['q.organization_id = ?', organizationId],
      when('q.id >= ?', firstId),
      when('q.id < ?', endId),
    ]),
    // The entry of a delivery to the first endpoint has the id of the event. An index has all others.
    ...(ids !== undefined && {
      parts: [
        [['q.id = any(?::uuid[])', ids]],
        [['q.event_id = any(?::uuid[])', ids], ['q.id <> q.event_id']],
      ],
    }),
    filters: given([
      ['not q.is_manual'],
      // Entries of other times need no look at their events.
      when('q.event_id >= ?', firstEventId),
      when('q.event_id < ?', endEventId),
      endpointId === null ? [ofFirst] : when('q.endpoint_id = ?', endpointId),
      ...ofEvent,
    ]),
    id: 'q.id',
    isShrinking: true,
  }
}

/** Failed deliveries, those to a further endpoint and those of some events have indexes. */
function triedOf(organizationId: string, range: Range): ListQuery {
  const { status, kind, from, to, eventIds, isTest, endpointId, firstId, endId } = range
  const ofEndpoint = when('d.endpoint_id = ?', endpointId ?? undefined)
  const [indexed, others]: (Condition | undefined)[] =
    status === 'failed'
      ? [["d.status = 'failed'"], ofEndpoint]
      : [ofEndpoint, when('d.status = ?', status)]
  const ids = eventIds && plainArray(eventIds)
  return {
    columns: 'd.id',
    from: 'webhook_deliveries d',
    conditions: given([
      ['d.organization_id = ?', organizationId],
      indexed,
      when('d.id >= ?', firstId),
      when('d.id < ?', endId),
    ]),
    ...(ids !== undefined && {
      parts: [[['d.id = any(?::uuid[])', ids]], [['d.event_id = any(?::uuid[])', ids]]],
    }),
    filters: given([
      others,
      endpointId === null ? ['d.endpoint_id is null'] : undefined,
      when('d.kind = ?', kind),
      when('d.created_at >= ?', textOf(from)),
      when('d.created_at < ?', textOf(to)),
      isTest === undefined ? undefined : [isTest ? OF_TEST : `not ${OF_TEST}`, organizationId],
    ]),
    id: 'd.id',
    isShrinking: status === 'failed',
  }
}

/** The condition, if there is a value for it. */
function when(sql: string, value: unknown): Condition | undefined {
  return value === undefined ? undefined : [sql, value]
}

function textOf(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : toIso(instant)
}

function given(conditions: readonly (Condition | undefined)[]): Condition[] {
  return conditions.filter((condition) => condition !== undefined)
}

/*
 * Each of these is looked up for one row at a time. As joins, the planner would read the whole
 * history of events or deliveries once it expects many rows.
 */
const EVENT_OF_ENTRY = `cross join lateral (
  select w.kind, w.occurred_at, w.sample from webhook_events w
  where w.organization_id = ? and w.id = q.event_id limit 1) as e`
const UNTRIED = `(select 1 from webhook_deliveries tried
  where tried.organization_id = ? and tried.id = coalesce(q.delivery_id, q.event_id) limit 1) is null`
const OF_TEST = `((select 1 from webhook_events w
  where w.organization_id = ? and w.id = coalesce(d.event_id, d.id) and w.sample is not null
  limit 1) is not null)`

/**
 * The range of times as ids. A delivery to the first endpoint has the id of its event. One to a
 * further endpoint gets its id later.
 */
async function readIdRange(
  db: Queryable,
  organizationId: string,
  { from, to, endpointId }: DeliveryFilter,
): Promise<Pick<Range, 'firstId' | 'endId' | 'firstEventId' | 'endEventId'>> {
  const gapMs = from === undefined && to === undefined ? 0 : await readClockGap(db, organizationId)
  const firstEventId = from === undefined ? undefined : idAt(from - gapMs)
  const endEventId = to === undefined ? undefined : idAt(to + gapMs)
  const endId =
    endEventId === undefined || endpointId === null
      ? endEventId
      : await findEndOfDivided(db, organizationId, endEventId, gapMs)
  return { firstId: firstEventId, endId, firstEventId, endEventId }
}

/**
 * An id after all deliveries of events before `endEventId`. A delivery to a further endpoint gets its id
 * when a process divides its event among the endpoints, in the order of events. So it is about as
 * old as the delivery of the next event, however late that was divided. The day is for processes that
 * divide events at the same time, one of which stops for a while, and for a clock that was wrong.
 */
async function findEndOfDivided(
  db: Queryable,
  organizationId: string,
  endEventId: string,
  gapMs: number,
): Promise<string | undefined> {
  const [next] = await db.query<{ id: string }>({
    name: 'find-next-divided',
    text: `select id from webhook_deliveries where organization_id = $1 and event_id >= $2
           order by event_id limit 1`,
    values: [organizationId, endEventId],
  })
  if (next === undefined) {
    return (await hasFurther(db, organizationId)) ? undefined : endEventId
  }
  const dividedAt = Math.max(instantOf(next.id), instantOf(endEventId))
  return idAt(dividedAt + gapMs + CLOCK_WRONG_MS)
}

/** Whether there is a delivery whose id is not that of its event. */
async function hasFurther(db: Queryable, organizationId: string): Promise<boolean> {
  const found = await db.query({
    name: 'has-further-deliveries',
    text: `select 1 from webhook_deliveries
           where organization_id = $1 and event_id is not null limit 1`,
    values: [organizationId],
  })
  return found.length > 0
}

/** The test events, which have an index; undefined if they are too many. */
async function readTests(db: Queryable, organizationId: string): Promise<string[] | undefined> {
  const rows = await db.query<{ id: string }>({
    name: 'list-test-events',
    text: `select id from webhook_events where organization_id = $1 and sample is not null
           order by id desc limit ${TESTS_MAX + 1}`,
    values: [organizationId],
  })
  return rows.length > TESTS_MAX ? undefined : rows.map(({ id }) => id)
}

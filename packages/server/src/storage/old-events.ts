import { idAt } from '../core/id.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'

/** How far removal has looked. Rows up to there that still exist were kept. */
export interface SweepPosition {
  /** Null means that removal begins with the oldest. */
  readonly deliveriesTo: string | null
  readonly eventsTo: string | null
  /** When removal begins with the oldest again. */
  readonly againAt: Instant | null
}

/** Before the first id. */
const NO_ID = idAt(0)

/** Whether the organization has an event, delivery or attempt from before this instant, after the position. */
export async function hasEventsBefore(
  db: Queryable,
  organizationId: string,
  { deliveriesTo, eventsTo }: SweepPosition,
  before: Instant,
): Promise<boolean> {
  const rows = await db.query({
    text: `
      select 1 where
        exists (select 1 from webhook_events e
                where e.organization_id = $1 and e.id > $3 and e.id < $2)
        or exists (select 1 from webhook_deliveries d
                   where d.organization_id = $1 and d.id > $4 and d.id < $2)
        or exists (select 1 from webhook_attempts a where a.organization_id = $1 and a.id < $2)`,
    values: [organizationId, idAt(before), eventsTo ?? NO_ID, deliveriesTo ?? NO_ID],
  })
  return rows.length > 0
}

/** Stores the position. Two gateways that remove at the same time may repeat each other's search. */
export async function storeSweepPosition(
  db: Queryable,
  organizationId: string,
  { deliveriesTo, eventsTo, againAt }: SweepPosition,
): Promise<void> {
  await db.query({
    text: `
      insert into removals (organization_id, deliveries_to, events_to, again_at)
      values ($1, $2, $3, $4)
      on conflict (organization_id) do update
      set deliveries_to = excluded.deliveries_to, events_to = excluded.events_to,
          again_at = excluded.again_at`,
    values: [organizationId, deliveriesTo, eventsTo, againAt === null ? null : toIso(againAt)],
  })
}

export type OldKind = 'attempts' | 'urls' | 'deliveries' | 'events'

interface Place {
  readonly table: string
  /** The column with the time that decides. */
  readonly at: string
  /** Rows `r` for which this holds are kept. */
  readonly unless: string
}

/**
 * Whether an entry of the queue is about this event. A decision's entry has the event's id; an index has the
 * others. Each is looked up for one row at a time: the planner could read the whole queue for an `exists`.
 */
function isQueued(eventId: string, also = 'true'): string {
  return `(
    (select 1 from webhook_queue q where q.organization_id = $1 and q.id = r.id limit 1) is not null
    or (select 1 from webhook_queue q
        where q.organization_id = $1 and q.event_id = ${eventId} and q.id <> q.event_id and ${also}
        limit 1) is not null)`
}

/** Keeps events whose leaf is not in the audit log yet: a caller may already hold a receipt for it. */
const IS_UNSEALED = `not exists (
  select 1 from audit_logs l where l.organization_id = $1 and l.last_number >= r.number)`

/**
 * Analytics sums are built from the events, so a book that is behind still needs them. Without a book nothing
 * has to be kept: a book that is opened later is filled from the transactions (ADR 48).
 */
const IS_UNCOUNTED = `exists (
  select 1 from analytics_books b
  where b.organization_id = $1 and b.state <> 'retired' and b.counted_to < r.number)`

const PLACES: Readonly<Record<OldKind, Place>> = {
  attempts: { table: 'webhook_attempts', at: 'started_at', unless: 'false' },
  urls: { table: 'webhook_urls', at: 'replaced_at', unless: 'false' },
  deliveries: {
    table: 'webhook_deliveries',
    at: 'created_at',
    unless: isQueued('coalesce(r.event_id, r.id)', 'coalesce(q.delivery_id, q.event_id) = r.id'),
  },
  events: {
    table: 'webhook_events',
    at: 'occurred_at',
    unless: `(${isQueued('r.id')} or ${IS_UNSEALED} or ${IS_UNCOUNTED})`,
  },
}

/**
 * The next rows after this id that are old by their ids, in the order of ids, and whether they can be removed.
 * Deliveries and events that are still queued cannot.
 */
export function listOld(
  db: Queryable,
  organizationId: string,
  kind: OldKind,
  { after, before, limit }: { after: string | null; before: Instant; limit: number },
): Promise<{ id: string; isRemovable: boolean }[]> {
  const { table, at, unless } = PLACES[kind]
  return db.query<{ id: string; isRemovable: boolean }>({
    text: `
      select r.id, coalesce(r.${at} < $4 and not ${unless}, false) as "isRemovable"
      from ${table} r where r.organization_id = $1 and r.id > $2 and r.id < $3
      order by r.id limit $5`,
    values: [organizationId, after ?? NO_ID, idAt(before), toIso(before), limit],
  })
}

/** Removes these rows if that is still possible, except of locked ones. Returns the number removed. */
export async function removeOld(
  db: Queryable,
  organizationId: string,
  kind: OldKind,
  ids: readonly string[],
  before: Instant,
): Promise<number> {
  const { table, at, unless } = PLACES[kind]
  const rows = await db.query({
    text: `
      delete from ${table} where organization_id = $1 and id = any(array(
        select r.id from ${table} r
        where r.organization_id = $1 and r.id = any($2::uuid[]) and r.${at} < $3 and not ${unless}
        order by r.id for update skip locked))
      returning 1`,
    values: [organizationId, plainArray(ids), toIso(before)],
  })
  return rows.length
}

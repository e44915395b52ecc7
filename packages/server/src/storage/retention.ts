import { idAt } from '../core/id.ts'
import type { Retention } from '../core/retention.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'

/**
 * Ids carry the clock of a process. Details are removed in id order and this much later than they
 * could be, so that no row is skipped whose id is older than its time by the database (ADR 26).
 */
const ID_MARGIN_MS = 86_400_000

/** An organization's retention periods, and how far removal has progressed. */
export interface OrganizationRetention extends Retention {
  readonly organizationId: string
  /** Details of transactions up to this id are removed; null before the first removal. */
  readonly detailsRemovedTo: string | null
  /** The largest difference between ids and their time, if it is more than usual. */
  readonly clockGapMs: bigint | null
  /** How far removal has looked at deliveries and events; null means from the oldest on. */
  readonly deliveriesTo: string | null
  readonly eventsTo: string | null
  /** When it begins with the oldest again; null if there is no position. */
  readonly againAt: Instant | null
}

/**
 * Organizations with a retention period, ordered by id and starting after this one, read without
 * locks.
 */
export function listRetentions(
  db: Queryable,
  after: string,
  limit: number,
): Promise<OrganizationRetention[]> {
  return db.query<OrganizationRetention>({
    text: `
      select o.id as "organizationId", o.details_kept_days as "detailsDays",
             o.events_kept_days as "eventsDays", r.details_to as "detailsRemovedTo",
             g.largest_ms as "clockGapMs", r.deliveries_to as "deliveriesTo",
             r.events_to as "eventsTo", r.again_at as "againAt"
      from organizations o
        left join removals r on r.organization_id = o.id /*among r.organization_id*/
        left join clock_gaps g on g.organization_id = o.id /*among g.organization_id*/
      where o.id > $1 /*among o.id*/ and (o.details_kept_days is not null or o.events_kept_days is not null)
      order by o.id limit $2`,
    values: [after, limit],
  })
}

/** Transactions from before this instant that still have their details, oldest first. */
export async function listWithDetails(
  db: Queryable,
  { organizationId, detailsRemovedTo, clockGapMs }: OrganizationRetention,
  before: Instant,
  limit: number,
): Promise<string[]> {
  const marginMs = Math.max(ID_MARGIN_MS, Number(clockGapMs ?? 0n))
  const rows = await db.query<{ id: string }>({
    text: `
      select id from transactions
      where organization_id = $1 and id > $2 and id < $3 and created_at < $4
        and details_removed_at is null
      order by id limit $5`,
    values: [
      organizationId,
      detailsRemovedTo ?? idAt(0),
      idAt(before - marginMs),
      toIso(before),
      limit,
    ],
  })
  return rows.map(({ id }) => id)
}

/**
 * Removes the details and the metadata of these transactions, except of locked rows: the process
 * that changes a transaction holds its mandate's lock, and must not wait for a batch that itself
 * waits. Also removes the salts of their leaves, because a salt would let a reader guess the
 * content of a leaf by trial. The event of a decision has the id of its transaction. Returns the
 * number removed.
 */
export async function removeDetails(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<number> {
  const rows = await db.query({
    text: `
      with removed as (
        update transactions
        set details = null, metadata = null, inputs = null, details_removed_at = $3
        where organization_id = $1 and id = any(array(
          select t.id from transactions t
          where t.organization_id = $1 and t.id = any($2::uuid[]) and t.details_removed_at is null
          for update skip locked))
        returning id
      ), unsalted as (
        update webhook_events set salt = null
        where organization_id = $1 and id = any(array(select r.id from removed r))
      )
      select 1 from removed`,
    values: [organizationId, ids, toIso(now)],
  })
  return rows.length
}

/** Stores how far details are removed, so that the next search begins there. */
export async function noteDetailsRemoved(
  db: Queryable,
  organizationId: string,
  to: string,
): Promise<void> {
  await db.query({
    text: `
      insert into removals (organization_id, details_to) values ($1, $2)
      on conflict (organization_id) do update set details_to = excluded.details_to
      where removals.details_to is null or removals.details_to < excluded.details_to`,
    values: [organizationId, to],
  })
}

/**
 * Stores that events from before this instant are removed or about to be. This runs before the
 * removal, so that the API can explain why such an event is missing.
 */
export async function noteEventsRemoved(
  db: Queryable,
  organizationId: string,
  before: Instant,
): Promise<void> {
  await db.query({
    text: `
      insert into removals (organization_id, events_before) values ($1, $2)
      on conflict (organization_id) do update set events_before = excluded.events_before
      where removals.events_before is null or removals.events_before < excluded.events_before`,
    values: [organizationId, toIso(before)],
  })
}

/**
 * For an event id that was not found: the instant before which events were removed, if this event
 * can be one of them.
 */
export async function findRemoval(
  db: Queryable,
  organizationId: string,
  eventId: string,
): Promise<Instant | undefined> {
  const [row] = await db.query<{ before: Instant | null }>({
    text: 'select events_before as before from removals where organization_id = $1',
    values: [organizationId],
  })
  const before = row?.before ?? undefined
  return before !== undefined && eventId < idAt(before) ? before : undefined
}

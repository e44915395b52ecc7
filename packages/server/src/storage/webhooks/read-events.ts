import type { EventKind, EventTransaction, StoredEvent } from '../../core/events/event.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { boundsOf } from '../id-bounds.ts'

const COLUMNS = `
  id, number, kind, occurred_at as "occurredAt", transaction_id as "transactionId", outcome, sample,
  mandate_id as "mandateId",
  agent_id as "agentId", budget_total as "budgetTotal", budget_spent as "budgetSpent"`

type EventWithoutTransaction = Omit<StoredEvent, 'transaction'>

export async function findEvents(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<StoredEvent[]> {
  const [events, transactions] = await Promise.all([
    db.query<EventWithoutTransaction>({
      name: 'find-events',
      text: `select ${COLUMNS} from webhook_events
             where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4`,
      values: [organizationId, plainArray(ids), ...boundsOf(ids)],
    }),
    findTransactions(db, organizationId, ids),
  ])
  return withTransactions(events, [
    ...transactions,
    ...(await findFurther(db, organizationId, events)),
  ])
}

/**
 * How many events one reading looks at. Few may match or be published at all, and no index has that.
 */
export const EVENTS_SEARCHED_MAX = 50_000

/** The published events after a number, oldest first, among the next `searchedMax` events. */
export async function listEventsAfter(
  db: Queryable,
  organizationId: string,
  after: bigint,
  kinds: readonly EventKind[] | undefined,
  limit: number,
  searchedMax = EVENTS_SEARCHED_MAX,
): Promise<StoredEvent[]> {
  const events = await db.query<EventWithoutTransaction>({
    name: 'list-events-after',
    text: `select ${COLUMNS} from (
             select * from webhook_events where organization_id = $1 and number > $2
             order by number limit $5) as webhook_events
           where ($3::text[] is null or kind = any($3)) and not is_untold
           order by number limit $4`,
    values: [
      organizationId,
      after,
      kinds === undefined ? null : plainArray(kinds),
      limit,
      searchedMax,
    ],
  })
  if (events.length === 0) return []
  const ids = events.map(({ id }) => id)
  const [transactions, further] = await Promise.all([
    findTransactions(db, organizationId, ids),
    findFurther(db, organizationId, events),
  ])
  return withTransactions(events, [...transactions, ...further])
}

export interface FeedReading {
  readonly events: readonly StoredEvent[]
  /** A reader who continues after this number misses nothing. */
  readonly lookedTo: bigint
  /** Set if the search ended here, at one of its bounds, and more events may match. */
  readonly searchedTo: FeedPlace | undefined
}

/**
 * The events after a number, and how far the search went. If few events match or are published at
 * all, continuing after the last match would search all the others again every time. Only tests
 * pass `searchedMax`.
 */
export async function readFeed(
  db: Queryable,
  organizationId: string,
  after: bigint,
  kinds: readonly EventKind[] | undefined,
  limit: number,
  searchedMax = EVENTS_SEARCHED_MAX,
): Promise<FeedReading> {
  // Read first: numbers follow the order of commits, so an event that is not visible yet gets a
  // higher number.
  const end = await findLastEvent(db, organizationId)
  const events = await listEventsAfter(db, organizationId, after, kinds, limit, searchedMax)
  const found = events.at(-1)?.number ?? after
  if (events.length >= limit) return { events, lookedTo: found, searchedTo: undefined }
  const place = await findSearchEnd(db, organizationId, after, searchedMax)
  // Events that came after `end` was read may not have been looked at.
  const searchedTo = place && end && place.number <= end.number ? place : undefined
  const isFurther = end !== undefined && end.number > found
  return { events, lookedTo: searchedTo?.number ?? (isFurther ? end.number : found), searchedTo }
}

/** The event that a search ends with; undefined if it can look at all events. */
async function findSearchEnd(
  db: Queryable,
  organizationId: string,
  after: bigint,
  searchedMax: number,
): Promise<FeedPlace | undefined> {
  const [row] = await db.query<FeedPlace>({
    name: 'find-feed-search-end',
    text: `select id, number from webhook_events where organization_id = $1 and number > $2
           order by number limit 1 offset $3`,
    values: [organizationId, after, searchedMax - 1],
  })
  return row
}

/**
 * The event of a decision has the id of its transaction. This is a query of its own, because in a
 * join the planner hashes both long tables as soon as it misjudges their size.
 */
function findTransactions(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<EventTransaction[]> {
  return db.query<EventTransaction>({
    name: 'find-event-transactions',
    text: `select id, agent_id as "agentId", mandate_id as "mandateId", amount, vendor, category,
                  remaining_budget as "remainingBudget", decision, code, path,
                  currency, reference, expires_at as "expiresAt", ${STATUS} as status, ${FLAGS} as flags,
                  approval_id as "approvalId",
                  case when decision = 'rejected' then details end as details
           from transactions
           where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4`,
    values: [organizationId, plainArray(ids), ...boundsOf(ids)],
  })
}

/**
 * The event of a later change has an id of its own. The query runs only if there is such an event.
 */
function findFurther(
  db: Queryable,
  organizationId: string,
  events: readonly EventWithoutTransaction[],
): Promise<EventTransaction[]> | [] {
  const ids = events.flatMap(({ outcome, transactionId }) => (outcome && transactionId) ?? [])
  return ids.length === 0 ? [] : findTransactions(db, organizationId, [...new Set(ids)])
}

/** The status at the decision: later changes are not part of its event. */
const STATUS = `case when decision = 'rejected' then 'rejected'
  when expires_at is not null then 'held' else 'settled' end`
const FLAGS = `case when 'ungoverned' = any(flags) then array['ungoverned'::text] else '{}' end
  || coalesce(flagged_by, '{}')`

function withTransactions(
  events: readonly EventWithoutTransaction[],
  transactions: readonly EventTransaction[],
): StoredEvent[] {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  return events.map((event) => {
    const id = event.outcome === null ? event.id : (event.transactionId ?? '')
    return { ...event, transaction: byId.get(id) ?? null }
  })
}

/** A position in the feed: right after this event. */
export type FeedPlace = Pick<StoredEvent, 'id' | 'number'>

/** Returns undefined if there is no event yet. */
export async function findLastEvent(
  db: Queryable,
  organizationId: string,
): Promise<FeedPlace | undefined> {
  const [row] = await db.query<FeedPlace>({
    name: 'find-last-event',
    text: `select id, number from webhook_events where organization_id = $1
           order by number desc limit 1`,
    values: [organizationId],
  })
  return row
}

export async function findEventNumber(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ number: bigint }>({
    text: 'select number from webhook_events where organization_id = $1 and id = $2',
    values: [organizationId, id],
  })
  return row?.number
}

/**
 * The events about a transaction, newest first. The event of its decision has its id, so the index of
 * the others needs no entry for each decision.
 */
export async function listEventIdsOf(
  db: Queryable,
  organizationId: string,
  transactionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: `
      select id from webhook_events where organization_id = $1 and id = $2
      union all
      (select id from webhook_events
       where organization_id = $1 and transaction_id = $2 and transaction_id <> id
       order by id desc limit $3)`,
    values: [organizationId, transactionId, limit],
  })
  return rows.map(({ id }) => id)
}

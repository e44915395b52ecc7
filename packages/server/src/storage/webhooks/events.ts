import type { CommittedDecision } from '../../core/audit/decision-leaf.ts'
import { type EventFacts, eventPayload } from '../../core/audit/payloads.ts'
import type { EventKind, EventTransaction, StoredEvent } from '../../core/events/event.ts'
import type { Micros } from '../../core/money.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { makeCommitment } from '../audit/commit.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/**
 * Numbers come from the organization's feed, whose row stays locked until the commit. So numbers
 * follow the order of commits, and statements that store events belong at the end of a transaction
 * (use `sendLast` if something else writes in it afterwards).
 *
 * The row exists from the start. If it did not, the number would be null and the statement would
 * fail: an event must never be lost in silence. Changes take their numbers from the same row, so the
 * numbers of events alone have gaps.
 */
export const TAKE_NUMBERS = `
  feed as (
    update event_feeds set last_number = last_number + $3::int where organization_id = $1
    returning last_number - $3::int as before
  )`

const NUMBER = '(select before from feed) + e.place'

/** Every organization has a feed from the start, so that storing an event only updates it. */
export async function insertFeed(db: Queryable, organizationId: string): Promise<void> {
  await db.query({
    text: 'insert into event_feeds (organization_id, last_number) values ($1, 0)',
    values: [organizationId],
  })
}

export interface TransactionEvent {
  /** The transaction's id, which is also the event's: there can be only one event. */
  readonly id: string
  readonly agentId: string
  readonly decision: string
  /** What its leaf in the audit log commits to. Without it the sealer makes one. */
  readonly committed?: CommittedDecision | null
}

/** Every decision stores one of these, so it is kept small: a decision should write little else. */
export function storeTransactionEvents(
  organizationId: string,
  at: Instant,
  events: readonly TransactionEvent[],
): Statement {
  return {
    name: 'store-transaction-events',
    text: STORE_TRANSACTION_EVENTS,
    values: [
      organizationId,
      toIso(at),
      events.length,
      plainArray(events.map(({ id }) => id)),
      plainArray(events.map(({ agentId }) => agentId)),
      plainArray(events.map(({ decision }) => decision)),
      plainArray(events.map(({ committed }) => committed?.salt ?? null)),
      plainArray(events.map(({ committed }) => committed?.commitment ?? null)),
      plainArray(events.map(({ committed }) => committed?.leaf ?? null)),
    ],
  }
}

const STORE_TRANSACTION_EVENTS = `
  with ${TAKE_NUMBERS}
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number,
                              salt, commitment, leaf)
  select $1, e.id, 'transaction.' || e.decision, e.id, e.agent_id, $2::timestamptz, ${NUMBER},
         decode(e.salt, 'hex'), decode(e.commitment, 'hex'), decode(e.leaf, 'hex')
  from unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[]) with ordinality
    as e (id, agent_id, decision, salt, commitment, leaf, place)`

/** An event that its transaction alone does not tell. */
export interface EventRow {
  readonly id: string
  readonly kind: EventKind
  readonly transactionId: string | null
  readonly agentId: string | null
  /** For a budget event: the mandate, and its budget at that moment. */
  readonly mandateId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  /** JSON text: what is told of a transaction that has changed, or of a plan. */
  readonly outcome: string | null
  /** JSON text: the data of a test event. */
  readonly sample: string | null
  /** It is in the audit log alone, because the organization has not chosen its kind. */
  readonly isUntold?: true
}

export function storeEvents(
  organizationId: string,
  at: Instant,
  events: readonly EventRow[],
): Statement {
  const plain = (pick: (event: EventRow) => string | bigint | null): string =>
    plainArray(events.map(pick))
  const committed = events.map((event) => makeCommitment(eventPayload(toEventFacts(event))))
  return {
    name: 'store-events',
    text: STORE_EVENTS,
    values: [
      organizationId,
      toIso(at),
      events.length,
      plain((event) => event.id),
      plain((event) => event.kind),
      plain((event) => event.transactionId),
      plain((event) => event.agentId),
      plain((event) => event.mandateId),
      plain((event) => event.budgetTotal),
      plain((event) => event.budgetSpent),
      textArray(events.map((event) => event.sample)),
      textArray(events.map((event) => event.outcome)),
      plainArray(committed.map(({ salt }) => salt)),
      plainArray(committed.map(({ commitment }) => commitment)),
      plainArray(events.map(({ isUntold = false }) => `${isUntold}`)),
    ],
  }
}

/** As it is read again later. */
function toEventFacts({ outcome, ...event }: EventRow): EventFacts {
  return { ...event, outcome: outcome === null ? null : JSON.parse(outcome) }
}

const STORE_EVENTS = `
  with ${TAKE_NUMBERS}
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, mandate_id,
                              budget_total, budget_spent, sample, outcome, occurred_at, number,
                              salt, commitment, is_untold)
  select $1, e.id, e.kind, e.transaction_id, e.agent_id, e.mandate_id, e.budget_total,
         e.budget_spent, e.sample::json, e.outcome::json, $2::timestamptz, ${NUMBER},
         decode(e.salt, 'hex'), decode(e.commitment, 'hex'), e.is_untold
  from unnest($4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::bigint[], $10::bigint[],
              ${texts('$11')}, ${texts('$12')}, $13::text[], $14::text[], $15::boolean[])
              with ordinality
    as e (id, kind, transaction_id, agent_id, mandate_id, budget_total, budget_spent, sample, outcome,
          salt, commitment, is_untold, place)`

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
             where organization_id = $1 and id = any($2::uuid[])`,
      values: [organizationId, plainArray(ids)],
    }),
    findTransactions(db, organizationId, ids),
  ])
  return withTransactions(events, [
    ...transactions,
    ...(await findFurther(db, organizationId, events)),
  ])
}

/** The events after a number that are told, oldest first. */
export async function listEventsAfter(
  db: Queryable,
  organizationId: string,
  after: bigint,
  kinds: readonly EventKind[] | undefined,
  limit: number,
): Promise<StoredEvent[]> {
  const events = await db.query<EventWithoutTransaction>({
    name: 'list-events-after',
    text: `select ${COLUMNS} from webhook_events
           where organization_id = $1 and number > $2 and ($3::text[] is null or kind = any($3))
             and not is_untold
           order by number limit $4`,
    values: [organizationId, after, kinds === undefined ? null : plainArray(kinds), limit],
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
  /** Whoever continues after this number misses nothing. */
  readonly lookedTo: bigint
}

/**
 * The events after a number, and how far the search went. If few events are of the requested kinds,
 * or told at all, continuing after the last match would search all the others again every time.
 */
export async function readFeed(
  db: Queryable,
  organizationId: string,
  after: bigint,
  kinds: readonly EventKind[] | undefined,
  limit: number,
): Promise<FeedReading> {
  // This is read first: numbers follow the order of commits, so an event that is not there yet gets
  // a higher one.
  const end = await findLastEvent(db, organizationId)
  const events = await listEventsAfter(db, organizationId, after, kinds, limit)
  const found = events.at(-1)?.number ?? after
  const isWhole = events.length < limit
  return { events, lookedTo: isWhole && end && end.number > found ? end.number : found }
}

/**
 * The event of a transaction has the transaction's id, which finds the transaction. This is a query
 * of its own, because in a join the planner hashes both long tables as soon as it misjudges their
 * size.
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
           from transactions where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(ids)],
  })
}

/**
 * The event of what became of a transaction has an id of its own. It is asked only if there is such an
 * event.
 */
function findFurther(
  db: Queryable,
  organizationId: string,
  events: readonly EventWithoutTransaction[],
): Promise<EventTransaction[]> | [] {
  const ids = events.flatMap(({ outcome, transactionId }) => (outcome && transactionId) ?? [])
  return ids.length === 0 ? [] : findTransactions(db, organizationId, [...new Set(ids)])
}

/** As the decision was: what became of it later is not part of its event. */
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

/** A place in the feed: right after this event. */
export type FeedPlace = Pick<StoredEvent, 'id' | 'number'>

/** Undefined if there is no event yet. */
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

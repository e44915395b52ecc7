import type { CommittedDecision } from '../../core/audit/decision-leaf.ts'
import { type EventFacts, eventPayload } from '../../core/audit/payloads.ts'
import type { ADJUSTED, EventKind } from '../../core/events/event.ts'
import { toUuid } from '../../core/id.ts'
import type { Micros } from '../../core/money.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { makeCommitment, payloadText } from '../audit/commit.ts'
import { newSalt } from '../audit/new-salt.ts'
import { digestsOf, ROWS } from '../audit/row-states.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/**
 * Numbers come from the organization's feed, whose row stays locked until the commit. So numbers
 * follow the order of commits (ADR 12), and statements that store events belong at the end of a
 * transaction (use `sendLast` if something else writes in it afterwards).
 *
 * The row exists from the start. If it did not, the number would be null and the statement would
 * fail: an event must never be lost silently. Changes take their numbers from the same row, so the
 * numbers of events alone have gaps.
 */
export const TAKE_NUMBERS = `
  feed as (
    update event_feeds set last_number = last_number + $3::int where organization_id = $1
    returning last_number - $3::int as before
  )`

const NUMBER = '(select before from feed) + e.place'

/**
 * Takes numbers for decisions. It fails if spending was stopped after the number of stops was read
 * (isOutdatedByStop), because every approval after a committed stop must see it (ADR 50). With null
 * it takes the numbers regardless of stops.
 */
const TAKE_NUMBERS_UNLESS_STOPPED = `
  feed as (
    update event_feeds
    set last_number = case when stops = coalesce($10::bigint, stops) then last_number + $3::int end
    where organization_id = $1
    returning last_number - $3::int as before
  )`

/** Every organization has a feed from the start, so storing an event only updates it. */
export async function insertFeed(db: Queryable, organizationId: string): Promise<void> {
  await db.query({
    text: 'insert into event_feeds (organization_id, last_number) values ($1, 0)',
    values: [organizationId],
  })
}

/**
 * Locks the feed early, for transactions that must not wait for it while they hold other locks. The
 * lock ends with the transaction.
 */
export async function lockFeed(tx: Tx, organizationId: string): Promise<void> {
  await tx.query({
    name: 'lock-feed',
    text: 'select 1 from event_feeds where organization_id = $1 for no key update',
    values: [organizationId],
  })
}

export interface TransactionEvent {
  /** The id of the transaction and of its event, so there can be only one event. */
  readonly id: string
  readonly agentId: string
  readonly decision: string
  /** The commitment for its leaf in the audit log. Without it the sealer makes one. */
  readonly committed?: CommittedDecision | null
}

/**
 * Every decision stores one of these, so the row is small: a decision should write little besides
 * its transaction. `stops` is the number of stops that was read before the inputs of the decisions;
 * null if none of them depends on it.
 */
export function storeTransactionEvents(
  organizationId: string,
  at: Instant,
  events: readonly TransactionEvent[],
  stops: bigint | null = null,
): Statement {
  const [first] = events
  if (first && events.length === 1) return storeTransactionEvent(organizationId, at, first, stops)
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
      stops,
    ],
  }
}

const STORE_TRANSACTION_EVENTS = `
  with ${TAKE_NUMBERS_UNLESS_STOPPED}
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number,
                              salt, commitment, leaf)
  select $1, e.id, 'transaction.' || e.decision, e.id, e.agent_id, $2::timestamptz, ${NUMBER},
         decode(e.salt, 'hex'), decode(e.commitment, 'hex'), decode(e.leaf, 'hex')
  from unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[]) with ordinality
    as e (id, agent_id, decision, salt, commitment, leaf, place)`

/** The same for a single decision, with plain values (ADR 58). */
function storeTransactionEvent(
  organizationId: string,
  at: Instant,
  { id, agentId, decision, committed }: TransactionEvent,
  stops: bigint | null,
): Statement {
  return {
    name: 'store-transaction-event',
    text: STORE_TRANSACTION_EVENT,
    values: [
      organizationId,
      id,
      `transaction.${decision}`,
      agentId,
      toIso(at),
      committed?.salt ?? null,
      committed?.commitment ?? null,
      committed?.leaf ?? null,
      stops,
    ],
  }
}

/** A distributed store refuses a query within `values`. */
const STORE_TRANSACTION_EVENT = `
  with feed as (
    update event_feeds
    set last_number = case when stops = coalesce($9::bigint, stops) then last_number + 1 end
    where organization_id = $1
    returning last_number as number
  )
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number,
                              salt, commitment, leaf)
  select $1::uuid, $2::uuid, $3, $2::uuid, $4::uuid, $5::timestamptz, (select number from feed),
         decode($6, 'hex'), decode($7, 'hex'), decode($8, 'hex')`

/** An event whose data do not come from its transaction alone. */
export interface EventRow {
  readonly id: string
  readonly kind: EventKind | typeof ADJUSTED
  readonly transactionId: string | null
  readonly agentId: string | null
  /** For a budget event: the mandate, and its budget at that moment. */
  readonly mandateId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  /** JSON text: the event's data about a changed transaction, or about a plan. */
  readonly outcome: string | null
  /** JSON text: the data of a test event. */
  readonly sample: string | null
  /** Only in the audit log, because the organization has not subscribed to its kind. */
  readonly isUntold?: true
}

export function storeEvents(
  organizationId: string,
  at: Instant,
  events: readonly EventRow[],
): Statement {
  const plain = (pick: (event: EventRow) => string | bigint | null): string =>
    plainArray(events.map(pick))
  const values = [
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
    plainArray(events.map(({ isUntold = false }) => `${isUntold}`)),
  ]
  if (events.some(leavesRow)) return storeStatedEvents(values, events)
  const committed = events.map((event) => makeCommitment(eventPayload(toEventFacts(event))))
  return {
    name: 'store-events',
    text: STORE_EVENTS,
    values: [
      ...values,
      plainArray(committed.map(({ salt }) => salt)),
      plainArray(committed.map(({ commitment }) => commitment)),
    ],
  }
}

/** Whether its leaf also commits to the row of a transaction or an approval. */
function leavesRow({ kind, outcome }: EventRow): boolean {
  return outcome !== null && (kind.startsWith('transaction.') || kind.startsWith('approval.'))
}

/** The fields of a payload are sorted, and this is the only one after `state`. */
const BEHIND_STATE = '"transactionId":'

function storeStatedEvents(values: readonly unknown[], events: readonly EventRow[]): Statement {
  const payloads = events.map((event) => {
    const text = payloadText(eventPayload(toEventFacts(event)))
    const at = text.lastIndexOf(BEHIND_STATE)
    return { begin: text.slice(0, at), end: text.slice(at) }
  })
  return {
    name: 'store-stated-events',
    text: STORE_STATED_EVENTS,
    values: [
      ...values,
      plainArray(events.map(newSalt)),
      textArray(payloads.map(({ begin }) => begin)),
      textArray(payloads.map(({ end }) => end)),
      plainArray(events.map((event) => (leavesRow(event) ? event.transactionId : null))),
      plainArray(events.map((event) => (leavesRow(event) ? approvalOf(event) : null))),
    ],
  }
}

/** The approval that an event is about. */
function approvalOf({ kind, outcome }: EventRow): string | null {
  if (!kind.startsWith('approval.') || outcome === null) return null
  return toUuid('apr', String(JSON.parse(outcome).approvalId)) ?? null
}

/** The event in the form in which it is read later. */
function toEventFacts({ outcome, ...event }: EventRow): EventFacts {
  return { ...event, outcome: outcome === null ? null : JSON.parse(outcome) }
}

const STORE_EVENTS = `
  with ${TAKE_NUMBERS}
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, mandate_id,
                              budget_total, budget_spent, sample, outcome, occurred_at, number,
                              is_untold, salt, commitment)
  select $1, e.id, e.kind, e.transaction_id, e.agent_id, e.mandate_id, e.budget_total,
         e.budget_spent, e.sample::json, e.outcome::json, $2::timestamptz, ${NUMBER},
         e.is_untold, decode(e.salt, 'hex'), decode(e.commitment, 'hex')
  from unnest($4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::bigint[], $10::bigint[],
              ${texts('$11')}, ${texts('$12')}, $13::boolean[], $14::text[], $15::text[])
              with ordinality
    as e (id, kind, transaction_id, agent_id, mandate_id, budget_total, budget_spent, sample, outcome,
          is_untold, salt, commitment, place)`

const SALT = `decode(e.salt, 'hex')`

/** Reads the rows after everything else that the transaction writes. */
const STATE = `
  case when e.approval_id is not null then ${digestsOf(ROWS.approval('e.approval_id'), SALT)}
       when e.changed_id is not null then ${digestsOf(ROWS.transaction('e.changed_id'), SALT)} end`

const STORE_STATED_EVENTS = `
  with ${TAKE_NUMBERS}
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, mandate_id,
                              budget_total, budget_spent, sample, outcome, occurred_at, number,
                              is_untold, salt, commitment, state)
  select $1, e.id, e.kind, e.transaction_id, e.agent_id, e.mandate_id, e.budget_total,
         e.budget_spent, e.sample::json, e.outcome::json, $2::timestamptz, ${NUMBER},
         e.is_untold, ${SALT},
         sha256(${SALT} || convert_to(
           e.payload_begin || coalesce('"state":' || l.state || ',', '') || e.payload_end, 'UTF8')),
         l.state::json
  from unnest($4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::bigint[], $10::bigint[],
              ${texts('$11')}, ${texts('$12')}, $13::boolean[], $14::text[], ${texts('$15')},
              ${texts('$16')}, $17::uuid[], $18::uuid[]) with ordinality
    as e (id, kind, transaction_id, agent_id, mandate_id, budget_total, budget_spent, sample, outcome,
          is_untold, salt, payload_begin, payload_end, changed_id, approval_id, place)
  cross join lateral (select ${STATE} as state) as l`

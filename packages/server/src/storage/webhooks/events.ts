import type { CommittedDecision } from '../../core/audit/decision-leaf.ts'
import { type EventFacts, eventPayload } from '../../core/audit/payloads.ts'
import type { EventKind } from '../../core/events/event.ts'
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

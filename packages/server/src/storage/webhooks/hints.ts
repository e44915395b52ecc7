import { CHANGE, eventSubject } from '../../core/audit/source.ts'
import type { EventKind } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { FeedRange } from '../audit/sources.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { AttemptRow } from './attempts.ts'
import { type DeliveryRow, findDeliveryStatuses } from './deliveries.ts'

/** Says that something has changed, so that a page that shows it can read it again. */
export interface Hint {
  readonly kind: string
  /** The API's id of the changed thing. */
  readonly subject: string
  readonly transactionId?: string
}

/** The number of the last entry of the feed. All entries up to it are committed (ADR 12). */
export async function findFeedEnd(db: Queryable, organizationId: string): Promise<bigint> {
  const [row] = await db.query<{ number: bigint }>({
    name: 'find-feed-end',
    text: 'select last_number as number from event_feeds where organization_id = $1',
    values: [organizationId],
  })
  return row?.number ?? 0n
}

interface HintRow {
  readonly kind: string
  /** Null for an event. */
  readonly subject: string | null
  readonly transactionId: string | null
  readonly mandateId: string | null
  readonly approvalId: string | null
}

/**
 * The changes in a range of the feed, and the events of kinds that the organization has not chosen,
 * which only the audit log has. `kinds` limits the events. Oldest first.
 */
export async function listHints(
  db: Queryable,
  organizationId: string,
  { after, to }: FeedRange,
  kinds: readonly EventKind[] | undefined,
  limit: number,
): Promise<Hint[]> {
  const rows = await db.query<HintRow>({
    name: 'list-hints',
    text: `
      select kind, subject, "transactionId", "mandateId", "approvalId" from (
        (select number, kind, null as subject, transaction_id as "transactionId",
                mandate_id as "mandateId", outcome ->> 'approvalId' as "approvalId"
         from webhook_events
         where organization_id = $1 and number > $2 and number <= $3 and is_untold
           and ($4::text[] is null or kind = any($4))
         order by number limit $5)
        union all
        (select number, '${CHANGE}' || operation, subject_id, null, null, null
         from changes where organization_id = $1 and number > $2 and number <= $3
         order by number limit $5)) as hints
      order by number limit $5`,
    values: [organizationId, after, to, kinds === undefined ? null : plainArray(kinds), limit],
  })
  return rows.map((row) => toHint(organizationId, row))
}

function toHint(organizationId: string, row: HintRow): Hint {
  const { kind, subject, transactionId, approvalId } = row
  const outcome = approvalId === null ? null : { approvalId }
  return {
    kind,
    subject: subject ?? eventSubject(organizationId, { ...row, outcome }),
    ...ofTransaction(transactionId),
  }
}

function ofTransaction(id: string | null): Pick<Hint, 'transactionId'> {
  return id === null ? {} : { transactionId: toPublicId('txn', id) }
}

export type AttemptState = Pick<AttemptRow, 'id' | 'outcome'> & { readonly deliveryId: string }

/** The last attempts, newest first, without those whose id is not greater than `after`. */
export function listLatestAttempts(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<AttemptState[]> {
  return db.query<AttemptState>({
    name: 'list-latest-attempts',
    text: `select id, delivery_id as "deliveryId", outcome from webhook_attempts
           where organization_id = $1 and id > $2 order by id desc limit $3`,
    values: [organizationId, after, limit],
  })
}

/**
 * Whether each endpoint works, as a text that changes with it, by the endpoint's id. Endpoints whose
 * state never changed are missing.
 */
export async function readEndpointHealth(
  db: Queryable,
  organizationId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<EndpointHealthRow>({
    name: 'read-endpoint-health',
    text: `select id, failing_since as "failingSince", paused_at as "pausedAt"
           from webhook_endpoints where organization_id = $1`,
    values: [organizationId],
  })
  return new Map(rows.map(({ id, failingSince, pausedAt }) => [id, `${failingSince} ${pausedAt}`]))
}

interface EndpointHealthRow {
  readonly id: string
  readonly failingSince: Instant | null
  readonly pausedAt: Instant | null
}

/** A hint for each of these deliveries: whether it is over, or only one of its attempts. */
export async function findDeliveryHints(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Hint[]> {
  // Two queries, because in a join the planner hashes both long tables if it misjudges their size.
  const deliveries = await findDeliveryStatuses(db, organizationId, ids)
  const events = await db.query<Pick<DeliveryRow, 'id' | 'transactionId'>>({
    name: 'find-transactions-of-events',
    text: `select id, transaction_id as "transactionId" from webhook_events
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(deliveries.map(({ eventId }) => eventId))],
  })
  const transactionIds = new Map(events.map(({ id, transactionId }) => [id, transactionId]))
  return deliveries.map(({ id, eventId, status }) => ({
    kind: status === 'pending' ? 'delivery.attempted' : 'delivery.ended',
    subject: toPublicId('dlv', id),
    ...ofTransaction(transactionIds.get(eventId) ?? null),
  }))
}

import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import type { Lane } from './lanes.ts'

/** An event to send: automatically, or because a caller requested a redelivery. */
export interface QueueEntry {
  readonly id: string
  readonly eventId: string
  /** The id of the event, unless the delivery goes to an endpoint other than the first one. */
  readonly deliveryId: string
  readonly isManual: boolean
  readonly failures: number
  readonly interruptions: number
  /** An attempt that did not end before its lease expired; null if none was running. */
  readonly lostAttemptId: string | null
}

/** Queues one test event, which the transaction has stored last, for a single endpoint. */
export function queueFor(
  { organizationId, endpointId }: Lane,
  entry: { readonly id: string; readonly eventId: string },
  at: Instant,
): Statement {
  const isFirst = endpointId === null || endpointId === organizationId
  return {
    text: `
      insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at, endpoint_id,
                                 delivery_id)
      select f.organization_id, $2::uuid, $3::uuid, f.last_number, false, $4::timestamptz, $5::uuid, $6::uuid
      from event_feeds f where f.organization_id = $1`,
    values: [
      organizationId,
      entry.id,
      entry.eventId,
      toIso(at),
      endpointId,
      isFirst ? null : entry.id,
    ],
  }
}

/** Locks due entries of a lane, oldest first, and skips those that a different process has locked. */
export function lockDueEntries(
  tx: Tx,
  { organizationId, endpointId }: Lane,
  now: Instant,
  limit: number,
): Promise<QueueEntry[]> {
  const values = [organizationId, toIso(now), limit]
  return tx.query<QueueEntry>(
    endpointId === null
      ? { name: 'lock-due-entries', text: LOCK_DUE, values }
      : {
          name: 'lock-due-of-endpoint',
          text: LOCK_DUE_OF_ENDPOINT,
          values: [...values, endpointId],
        },
  )
}

const ENTRY = `
  id, event_id as "eventId", coalesce(delivery_id, event_id) as "deliveryId",
  is_manual as "isManual", failures, interruptions, attempt_id as "lostAttemptId"`

const LOCK_DUE = `
  select ${ENTRY} from webhook_queue
  where organization_id = $1 and endpoint_id is null and due_at <= $2
  order by due_at, number limit $3 for update skip locked`

const LOCK_DUE_OF_ENDPOINT = `
  select ${ENTRY} from webhook_queue
  where organization_id = $1 and endpoint_id = $4 and due_at <= $2
  order by due_at, number limit $3 for update skip locked`

/** An attempt that is about to be made. */
export interface StartedAttempt {
  readonly id: string
  readonly entry: QueueEntry
  readonly kind: string
  readonly body: string
  readonly occurredAt: Instant
  readonly requestHeaders: Readonly<Record<string, string>>
}

/**
 * The target of attempts for the delivery log: the receiver, and the sealed copy of the URL if
 * there is one.
 */
export interface AttemptTarget {
  readonly receiver: string
  readonly urlId: string | null
}

/**
 * Leases entries that the caller has locked, and writes their deliveries and attempts into the
 * delivery log: all of it is on disk before anything is sent.
 */
export function startAttempts(
  { organizationId, endpointId }: Lane,
  { receiver, urlId }: AttemptTarget,
  at: Instant,
  leasedUntil: Instant,
  attempts: readonly StartedAttempt[],
): Statement[] {
  const deliveryIds = plainArray(attempts.map(({ entry }) => entry.deliveryId))
  const isFirst = endpointId === null || endpointId === organizationId
  return [
    {
      name: 'start-deliveries',
      text: START_DELIVERIES,
      values: [
        organizationId,
        deliveryIds,
        plainArray(attempts.map(({ kind }) => kind)),
        textArray(attempts.map(({ body }) => body)),
        plainArray(attempts.map(({ occurredAt }) => toIso(occurredAt))),
        plainArray(attempts.map(({ entry }) => (isFirst ? null : entry.eventId))),
        isFirst ? null : endpointId,
      ],
    },
    {
      name: 'start-attempts',
      text: START_ATTEMPTS,
      values: [
        organizationId,
        receiver,
        toIso(at),
        toIso(leasedUntil),
        plainArray(attempts.map(({ id }) => id)),
        plainArray(attempts.map(({ entry }) => entry.id)),
        deliveryIds,
        plainArray(attempts.map(({ entry }) => String(entry.isManual))),
        plainArray(attempts.map(({ entry }) => entry.failures)),
        plainArray(attempts.map(({ entry }) => entry.interruptions)),
        plainArray(attempts.flatMap(({ entry }) => entry.lostAttemptId ?? [])),
        textArray(attempts.map(({ requestHeaders }) => JSON.stringify(requestHeaders))),
        urlId,
      ],
    },
  ]
}

const START_DELIVERIES = `
  insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at,
                                  event_id, endpoint_id)
  select distinct on (s.id) $1::uuid, s.id, s.kind, s.body, 'pending', 0, s.occurred_at, s.event_id,
         $7::uuid
  from unnest($2::uuid[], $3::text[], ${texts('$4')}, $5::timestamptz[], $6::uuid[])
    as s (id, kind, body, occurred_at, event_id)
  on conflict (organization_id, id) do update set body = excluded.body
    where webhook_deliveries.body is null`

const START_ATTEMPTS = `
  with started as (
    select * from unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::boolean[], $9::int[], $10::int[],
                         ${texts('$12')})
      as s (id, entry_id, delivery_id, is_manual, failures, interruptions, headers)
  ), leased as (
    update webhook_queue q
    set attempt_id = s.id, due_at = $4::timestamptz, failures = s.failures,
        interruptions = s.interruptions
    from started s where q.organization_id = $1 and q.id = s.entry_id
  ), lost as (
    update webhook_attempts a set outcome = 'interrupted'
    where a.organization_id = $1 and a.id = any($11::uuid[]) and a.outcome = 'started'
  )
  insert into webhook_attempts (organization_id, id, delivery_id, is_manual, outcome, url, url_id,
                                request_headers, started_at)
  select $1::uuid, id, delivery_id, is_manual, 'started', $2, $13::uuid, headers::json, $3::timestamptz
  from started`

/** A delivery that was made before. Its endpoint is null for the first one. */
export interface PastDelivery {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string | null
}

/** Queues a delivery for one more attempt, independent of its retries. */
export function queueAgain(
  organizationId: string,
  entryId: string,
  { id, eventId, endpointId }: PastDelivery,
  at: Instant,
): Statement {
  return {
    text: `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at,
                                      endpoint_id, delivery_id)
           select $1, $2, id, number, true, $4, $5, $6 from webhook_events
           where organization_id = $1 and id = $3`,
    values: [
      organizationId,
      entryId,
      eventId,
      toIso(at),
      endpointId,
      endpointId === null ? null : id,
    ],
  }
}

/**
 * Removes entries that will not be sent any more, and sets the final status of their deliveries.
 */
export function dropEntries(
  organizationId: string,
  entryIds: readonly string[],
  deliveryStatus: 'canceled' | 'failed',
): Statement {
  return {
    name: 'drop-entries',
    text: `
      with dropped as (
        delete from webhook_queue where organization_id = $1 and id = any($3::uuid[])
        returning event_id, delivery_id, endpoint_id, attempt_id
      ), lost as (
        update webhook_attempts a set outcome = 'interrupted' from dropped
        where a.organization_id = $1 and a.id = dropped.attempt_id and a.outcome = 'started'
      ) ${END_DROPPED}`,
    values: [organizationId, deliveryStatus, plainArray(entryIds)],
  }
}

/**
 * Cancels all deliveries of lanes whose endpoints were removed. Running attempts end by themselves.
 */
export function cancelLanes(
  organizationId: string,
  endpointIds: readonly (string | null)[],
): Statement {
  const named = endpointIds.filter((id) => id !== null)
  const isOfLanes = endpointIds.includes(null)
    ? '(endpoint_id is null or endpoint_id = any($3::uuid[]))'
    : 'endpoint_id = any($3::uuid[])'
  return {
    text: `
      with dropped as (
        delete from webhook_queue where organization_id = $1 and ${isOfLanes}
        returning event_id, delivery_id, endpoint_id
      ) ${END_DROPPED}`,
    values: [organizationId, 'canceled', plainArray(named)],
  }
}

/** Includes deliveries without an attempt, which have no row yet. */
const END_DROPPED = `
  insert into webhook_deliveries (organization_id, id, kind, status, attempts, created_at, event_id,
                                  endpoint_id)
  select distinct on (coalesce(dropped.delivery_id, e.id)) $1::uuid,
         coalesce(dropped.delivery_id, e.id), e.kind, $2::text, 0, e.occurred_at,
         case when dropped.delivery_id is not null then e.id end,
         case when dropped.delivery_id is not null then dropped.endpoint_id end
  from dropped join webhook_events e on e.organization_id = $1 and e.id = dropped.event_id
  on conflict (organization_id, id) do update set status = excluded.status
    where webhook_deliveries.status = 'pending'`

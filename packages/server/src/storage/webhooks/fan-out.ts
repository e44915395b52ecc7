import type { EventKind } from '../../core/events/event.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** An entry that is still to be divided among the endpoints of its organization. */
export interface SharedEntry {
  readonly id: string
  readonly eventId: string
  readonly number: bigint
  readonly isManual: boolean
}

/** Locks due entries, oldest first, and skips those that a different process has locked. */
export function lockSharedEntries(
  tx: Tx,
  organizationId: string,
  now: Instant,
  limit: number,
): Promise<SharedEntry[]> {
  return tx.query<SharedEntry>({
    name: 'lock-shared-entries',
    text: `
      select id, event_id as "eventId", number, is_manual as "isManual"
      from webhook_queue where organization_id = $1 and endpoint_id is null and due_at <= $2
      order by due_at, number limit $3 for update skip locked`,
    values: [organizationId, toIso(now), limit],
  })
}

/** The filter of an endpoint. */
export interface EndpointFilter {
  readonly id: string
  /** Null means the kinds of the specification. */
  readonly kinds: readonly EventKind[] | null
  /** The endpoint receives the events after this number. */
  readonly afterNumber: bigint
}

/**
 * The endpoints of the organization, paused ones included. The first one comes first, if it has a
 * URL. The lock keeps the others from being removed until the entries are stored. It fails at once
 * while they are being changed, because a round must not wait for one organization.
 */
export async function lockFilters(tx: Tx, organizationId: string): Promise<EndpointFilter[]> {
  const [further, first] = await Promise.all([
    tx.query<EndpointFilter>({
      name: 'lock-endpoint-filters',
      text: `select id, events as kinds, after_number as "afterNumber" from webhook_endpoints
             where organization_id = $1 and id <> $1 order by id for key share nowait`,
      values: [organizationId],
    }),
    tx.query<EndpointFilter>({
      name: 'find-first-filter',
      text: `select id, webhook_events as kinds, 0::bigint as "afterNumber" from organizations
             where id = $1 and webhook_url is not null`,
      values: [organizationId],
    }),
  ])
  return [...first, ...further]
}

export async function findEventKinds(
  tx: Tx,
  organizationId: string,
  eventIds: readonly string[],
): Promise<Map<string, EventKind>> {
  const rows = await tx.query<{ id: string; kind: EventKind }>({
    name: 'find-event-kinds',
    text: 'select id, kind from webhook_events where organization_id = $1 and id = any($2::uuid[])',
    values: [organizationId, plainArray(eventIds)],
  })
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

/** The first endpoint keeps the entry that the decision has written. */
export function keepForFirst(organizationId: string, entryIds: readonly string[]): Statement {
  return {
    name: 'keep-for-first',
    text: `update webhook_queue set endpoint_id = $1
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(entryIds)],
  }
}

/**
 * Removes entries that the first endpoint does not get. A delivery that it has already tried, before it
 * lost its URL, is over.
 */
export function dropShared(organizationId: string, entryIds: readonly string[]): Statement {
  return {
    name: 'drop-shared-entries',
    text: `
      with dropped as (
        delete from webhook_queue where organization_id = $1 and id = any($2::uuid[])
        returning event_id
      )
      update webhook_deliveries d set status = 'canceled' from dropped
      where d.organization_id = $1 and d.id = dropped.event_id and d.status = 'pending'`,
    values: [organizationId, plainArray(entryIds)],
  }
}

/** A delivery to an endpoint other than the first one. */
export interface FurtherEntry {
  /** The id of the entry and of its delivery. */
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly number: bigint
}

export function queueFurther(
  organizationId: string,
  at: Instant,
  entries: readonly FurtherEntry[],
): Statement {
  return {
    name: 'queue-further',
    text: `
      insert into webhook_queue (organization_id, id, delivery_id, endpoint_id, event_id, number,
                                 is_manual, due_at)
      select $1::uuid, f.id, f.id, f.endpoint_id, f.event_id, f.number, false, $2::timestamptz
      from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[])
        as f (id, endpoint_id, event_id, number)`,
    values: [
      organizationId,
      toIso(at),
      plainArray(entries.map(({ id }) => id)),
      plainArray(entries.map(({ endpointId }) => endpointId)),
      plainArray(entries.map(({ eventId }) => eventId)),
      plainArray(entries.map(({ number }) => number)),
    ],
  }
}

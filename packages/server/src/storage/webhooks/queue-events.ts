import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/**
 * Queues events for delivery: all events that the transaction has stored, in the same order and
 * right after storing them. So they have the last numbers of the feed, whose row the transaction
 * has locked.
 */
export function queueEvents(
  organizationId: string,
  at: Instant,
  events: readonly { readonly id: string }[],
): Statement {
  return {
    name: 'queue-events',
    text: `
      insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
      select f.organization_id, e.id, e.id, f.last_number - $3::int + e.place, false, $2::timestamptz
      from event_feeds f, unnest($4::uuid[]) with ordinality as e (id, place)
      where f.organization_id = $1`,
    values: [organizationId, toIso(at), events.length, plainArray(events.map(({ id }) => id))],
  }
}

/** Queues only some of the stored events: those at these places, counted from 0. */
export function queueSomeEvents(
  organizationId: string,
  at: Instant,
  events: readonly { readonly id: string }[],
  places: readonly number[],
): Statement {
  return {
    name: 'queue-some-events',
    text: `
      insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
      select f.organization_id, e.id, e.id, f.last_number - $3::int + e.place, false, $2::timestamptz
      from event_feeds f, unnest($4::uuid[], $5::int[]) as e (id, place)
      where f.organization_id = $1`,
    values: [
      organizationId,
      toIso(at),
      events.length,
      plainArray(places.map((place) => events[place]?.id ?? null)),
      plainArray(places.map((place) => place + 1)),
    ],
  }
}

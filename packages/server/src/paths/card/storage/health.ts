import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { HealthSums } from '../registry/health.ts'

const KEPT_MS = 3 * 24 * 60 * 60 * 1_000

/** The running totals of one process for a connection in an hour. */
export interface HealthRow extends HealthSums {
  readonly connectionId: string
  readonly hour: Instant
  readonly writer: string
}

export async function storeHealth(
  db: Queryable,
  organizationId: string,
  rows: readonly HealthRow[],
): Promise<void> {
  await db.query({
    name: 'store-card-health',
    text: `
      insert into card_health (organization_id, connection_id, hour, writer, signature_failures,
                               timeouts, ungoverned, unknown_cards, latencies)
      select $1, connection_id, hour, writer, signature_failures, timeouts, ungoverned,
             unknown_cards, latencies::bigint[]
      from unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::bigint[], $6::bigint[],
                  $7::bigint[], $8::bigint[], $9::text[])
        as noted (connection_id, hour, writer, signature_failures, timeouts, ungoverned,
                  unknown_cards, latencies)
      on conflict (organization_id, connection_id, hour, writer) do update
      set signature_failures = excluded.signature_failures, timeouts = excluded.timeouts,
          ungoverned = excluded.ungoverned, unknown_cards = excluded.unknown_cards,
          latencies = excluded.latencies`,
    values: [
      organizationId,
      rows.map(({ connectionId }) => connectionId),
      rows.map(({ hour }) => toIso(hour)),
      rows.map(({ writer }) => writer),
      rows.map(({ signatureFailures }) => signatureFailures),
      rows.map(({ timeouts }) => timeouts),
      rows.map(({ ungoverned }) => ungoverned),
      rows.map(({ unknownCards }) => unknownCards),
      // A list of lists would become one flat list in the database, so each is sent as text.
      rows.map(({ latencies }) => `{${latencies.join()}}`),
    ],
  })
}

/** The times of an issuer's last request and event, as one process knows them. */
export interface Heard {
  readonly connectionId: string
  readonly lastRequestAt: Instant | null
  readonly lastEventAt: Instant | null
  /** The first approval after the last event. */
  readonly unheardSince: Instant | null
}

/** Keeps later times of other processes. Updates connections in the order of their ids. */
export async function storeHeard(
  db: Queryable,
  organizationId: string,
  heard: readonly Heard[],
): Promise<void> {
  const ordered = heard.toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1))
  const times = (instants: readonly (Instant | null)[]): (string | null)[] =>
    instants.map((instant) => (instant === null ? null : toIso(instant)))
  await db.query({
    name: 'store-card-heard',
    text: `
      update card_connections c
      set last_request_at = greatest(c.last_request_at, n.request_at),
          last_event_at = greatest(c.last_event_at, n.event_at),
          unheard_since = least(
            case when c.unheard_since > coalesce(greatest(c.last_event_at, n.event_at), '-infinity')
                 then c.unheard_since end,
            case when n.unheard_since > coalesce(greatest(c.last_event_at, n.event_at), '-infinity')
                 then n.unheard_since end)
      from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
        as n (id, request_at, event_at, unheard_since)
      where c.organization_id = $1 and c.id = n.id`,
    values: [
      organizationId,
      ordered.map(({ connectionId }) => connectionId),
      times(ordered.map(({ lastRequestAt }) => lastRequestAt)),
      times(ordered.map(({ lastEventAt }) => lastEventAt)),
      times(ordered.map(({ unheardSince }) => unheardSince)),
    ],
  })
}

/** Sums by connection, since an hour; connections without data are left out. */
export async function sumHealth(
  db: Queryable,
  organizationId: string,
  connectionIds: readonly string[],
  since: Instant,
): Promise<Map<string, HealthSums>> {
  const values = [organizationId, connectionIds, toIso(since)]
  const [sums, places] = await Promise.all([
    db.query<{ id: string } & Omit<HealthSums, 'latencies'>>({
      text: `
        select connection_id as id, sum(signature_failures)::float8 as "signatureFailures",
               sum(timeouts)::float8 as timeouts, sum(ungoverned)::float8 as ungoverned,
               sum(unknown_cards)::float8 as "unknownCards"
        from card_health
        where organization_id = $1 and connection_id = any($2::uuid[]) and hour >= $3
        group by connection_id`,
      values,
    }),
    db.query<{ id: string; count: number }>({
      text: `
        select h.connection_id as id, sum(l.count)::float8 as count
        from card_health h cross join lateral unnest(h.latencies) with ordinality as l (count, place)
        where h.organization_id = $1 and h.connection_id = any($2::uuid[]) and h.hour >= $3
        group by h.connection_id, l.place
        order by h.connection_id, l.place`,
      values,
    }),
  ])
  return new Map(
    sums.map(({ id, ...counts }) => {
      const latencies = places.filter((place) => place.id === id).map(({ count }) => count)
      return [id, { ...counts, latencies }]
    }),
  )
}

/** Removes rows older than any view shows, a bounded number at a time. Returns the number removed. */
export async function removeOldHealth(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from card_health where (organization_id, connection_id, hour, writer) in (
        select organization_id, connection_id, hour, writer from card_health
        where hour <= $1 limit 1000)
      returning 1`,
    values: [toIso(now - KEPT_MS)],
  })
  return rows.length
}

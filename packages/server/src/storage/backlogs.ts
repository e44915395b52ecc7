import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { LANES } from './webhooks/lanes.ts'

/*
 * Figures of the whole installation for the metrics. Every statement is bounded, reads without
 * locks, and returns no organization.
 */

/** A count ends here: an operator needs no exact figure beyond it, and it bounds the reading. */
export const COUNTED_MAX = 10_001
const FEEDS_MAX = 1_000
/** The age of an event is looked up for few organizations, because it may be in any partition. */
const AGED_FEEDS_MAX = 20

export interface Backlog {
  readonly count: number
  /** The instant from which its age or its delay counts; null if there is none. */
  readonly since: Instant | null
}

export interface BacklogRow {
  readonly count: bigint
  readonly since: Instant | null
}

/** Open holds, and the earliest expiry of all. */
export async function readHoldBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-hold-backlog',
    text: `
      select (select count(*) from (select 1 from transactions where status = 'held' limit $1) h) as count,
             (select min(expires_at) from transactions where status = 'held') as since`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}

/** Approval requests that wait for a person, and the creation of the oldest among them. */
export async function readApprovalBacklog(db: Queryable, now: Instant): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-approval-backlog',
    text: `
      select count(*) as count, min(created_at) as since
      from (select created_at from approvals where status = 'pending' and expires_at > $1
            order by expires_at limit $2) p`,
    values: [toIso(now), COUNTED_MAX],
  })
  return toBacklog(row)
}

/**
 * Deliveries in the queue, and the earliest that is due. The second part looks at the first entry
 * of each lane, as the dispatcher does every second.
 */
export async function readDeliveryBacklog(db: Queryable, now: Instant): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-delivery-backlog',
    text: `
      select (select count(*) from (select 1 from webhook_queue where true /*among organization_id*/ limit $2) w) as count,
             (select min(l.due_at) from (${LANES}) l where l.due_at <= $1) as since`,
    values: [toIso(now), COUNTED_MAX],
  })
  return toBacklog(row)
}

/** Endpoints that are the only one of their organization: their entries name no endpoint. */
const ONLY_ENDPOINTS = `
  webhook_endpoints p join organizations o
    on o.id = p.organization_id and o.webhook_kinds is null and p.id = p.organization_id`

/**
 * Deliveries that wait because their endpoint is paused, and the earliest that is due. A distributed
 * store refuses the subqueries in the second part if the endpoints come from a query of their own.
 */
export async function readPausedBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-paused-backlog',
    text: `
      select (select count(*) from (
                select 1 from webhook_endpoints p join webhook_queue q
                  on q.organization_id = p.organization_id and q.endpoint_id = p.id
                where p.paused_at is not null
                union all
                select 1 from ${ONLY_ENDPOINTS} join webhook_queue q
                  on q.organization_id = p.organization_id and q.endpoint_id is null
                where p.paused_at is not null
                limit $1) w) as count,
             (select min(l.due_at) from (
                select (select min(q.due_at) from webhook_queue q
                        where q.organization_id = p.organization_id and q.endpoint_id = p.id) as due_at
                from webhook_endpoints p where p.paused_at is not null
                union all
                select (select min(q.due_at) from webhook_queue q
                        where q.organization_id = p.organization_id and q.endpoint_id is null)
                from ${ONLY_ENDPOINTS} where p.paused_at is not null) l) as since`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}

/** Messages to people that wait, and the earliest that is due. */
export async function readMessageBacklog(db: Queryable, now: Instant): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-message-backlog',
    text: `
      select count(*) as count, min(w.due_at) filter (where w.due_at <= $1) as since
      from (select due_at from messages where status = 'waiting' order by due_at limit $2) w`,
    values: [toIso(now), COUNTED_MAX],
  })
  return toBacklog(row)
}

/**
 * Entries of feeds that no audit log contains yet; an organization whose log was never sealed has no
 * log. Only a few feeds are searched for the oldest.
 */
export async function readSealingBacklog(db: Queryable): Promise<Backlog> {
  const [[counted], [aged]] = await Promise.all([
    db.query<Pick<BacklogRow, 'count'>>({
      name: 'count-unsealed-entries',
      text: `
        select coalesce(sum(n.behind), 0)::bigint as count
        from (select f.last_number - coalesce(l.last_number, 0) as behind
              from event_feeds f left join audit_logs l on l.organization_id = f.organization_id
              where coalesce(l.last_number, 0) < f.last_number limit $1) n`,
      values: [FEEDS_MAX],
    }),
    db.query<Pick<BacklogRow, 'since'>>({
      name: 'find-oldest-unsealed',
      text: `
        select min(n.since) as since
        from (select (select e.occurred_at from webhook_events e
                      where e.organization_id = f.organization_id
                        and e.number > coalesce(l.last_number, 0)
                      order by e.number limit 1) as since
              from event_feeds f left join audit_logs l on l.organization_id = f.organization_id
              where coalesce(l.last_number, 0) < f.last_number limit $1) n`,
      values: [AGED_FEEDS_MAX],
    }),
  ])
  return toBacklog(counted && aged && { ...counted, ...aged })
}

/** Audit logs that have stopped. */
export async function countStoppedLogs(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-stopped-logs',
    text: 'select count(*) as count from (select 1 from audit_stops limit $1) s',
    values: [FEEDS_MAX + 1],
  })
  return Number(row?.count ?? 0)
}

/**
 * Entries of feeds that the totals do not contain yet. An organization without a shown book has no
 * totals, so all of its entries count.
 */
export async function countUncountedEntries(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-uncounted-entries',
    text: `
      select coalesce(sum(n.behind), 0)::bigint as count
      from (select f.last_number - coalesce(b.counted_to, 0) as behind
            from event_feeds f left join analytics_books b
              on b.organization_id = f.organization_id and b.state = 'shown'
            where coalesce(b.counted_to, 0) < f.last_number limit $1) n`,
    values: [FEEDS_MAX],
  })
  return Number(row?.count ?? 0)
}

export function toBacklog(row: BacklogRow | undefined): Backlog {
  return { count: Number(row?.count ?? 0), since: row?.since ?? null }
}

import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { isWaitingIn, LANES } from './webhooks/lanes.ts'

/*
 * How far the workers are behind, over all organizations, for `purser doctor`. The statements read
 * without locks, and each is bounded.
 */

/** Work that waits. */
export interface Lag {
  /** How many entries or organizations wait; the count stops at a limit. */
  readonly count: number
  /** The time of the longest waiting one; null if nothing waits. */
  readonly oldest: Instant | null
}

interface LagRow {
  readonly count: bigint
  readonly oldest: Instant | null
}

/** A count of this many stands for this many or more. */
export const COUNT_MAX = 10_000

/**
 * Counts the webhook deliveries whose time has come, and finds the oldest one. Those of paused
 * endpoints wait and do not count.
 */
export async function readWebhookLag(db: Queryable, now: Instant): Promise<Lag> {
  const rows = await db.query<LagRow>({
    text: `
      select (select count(*)
              from (select 1 from webhook_queue q where q.due_at <= $1 /*among q.organization_id*/
                      and not ${isWaitingIn('q.organization_id /*among p.organization_id*/')} limit $2) w)
               as count,
             (select min(l.due_at) from (${LANES}) l where l.due_at <= $1) as oldest`,
    values: [toIso(now), COUNT_MAX],
  })
  return toLag(rows)
}

/** Counts the expired holds that no sweeper has released. */
export function readHoldLag(db: Queryable, now: Instant): Promise<Lag> {
  return readExpired(db, `transactions where status = 'held'`, now)
}

/** Counts the pending approvals whose time is over. */
export function readApprovalLag(db: Queryable, now: Instant): Promise<Lag> {
  return readExpired(db, `approvals where status = 'pending'`, now)
}

async function readExpired(db: Queryable, open: string, now: Instant): Promise<Lag> {
  const rows = await db.query<LagRow>({
    text: `
      select count(*) as count, min(e.expires_at) as oldest
      from (select expires_at from ${open} and expires_at <= $1
            order by expires_at limit $2) e`,
    values: [toIso(now), COUNT_MAX],
  })
  return toLag(rows)
}

/**
 * Counts the organizations with entries of their feed that are not in the audit log, and finds the
 * oldest such entry.
 */
export async function readSealingLag(db: Queryable): Promise<Lag> {
  const rows = await db.query<LagRow>({
    text: `
      select count(*) as count, min(least(u.event_at, u.change_at)) as oldest
      from (
        select (select e.occurred_at from webhook_events e
                where e.organization_id = f.organization_id
                  and e.number > coalesce(l.last_number, 0) order by e.number limit 1) as event_at,
               (select c.at from changes c
                where c.organization_id = f.organization_id
                  and c.number > coalesce(l.last_number, 0) order by c.number limit 1) as change_at
        from event_feeds f left join audit_logs l on l.organization_id = f.organization_id
        where coalesce(l.last_number, 0) < f.last_number limit $1
      ) u`,
    values: [COUNT_MAX],
  })
  return toLag(rows)
}

/**
 * Counts the organizations with events that their spend totals lack, and finds the oldest such
 * event. The book that is shown has the totals; an organization without one has none.
 */
export async function readAnalyticsLag(db: Queryable): Promise<Lag> {
  const rows = await db.query<LagRow>({
    text: `
      select count(*) as count, min(u.event_at) as oldest
      from (
        select (select e.occurred_at from webhook_events e
                where e.organization_id = f.organization_id
                  and e.number > coalesce(b.counted_to, 0)
                order by e.number limit 1) as event_at
        from event_feeds f left join analytics_books b
          on b.organization_id = f.organization_id and b.state = 'shown'
        where coalesce(b.counted_to, 0) < f.last_number limit $1
      ) u`,
    values: [COUNT_MAX],
  })
  return toLag(rows)
}

/** The receivers of webhooks, each once. A receiver is the origin of a URL. Paused ones are left out. */
export async function listReceivers(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ url: string }>({
    text: `
      select distinct r.url from (
        select o.webhook_url as url from organizations o
        where not exists (select 1 from webhook_endpoints p
                          where p.organization_id = o.id and p.id = o.id and p.paused_at is not null)
        union all
        select e.url from webhook_endpoints e where e.paused_at is null) as r
      where r.url is not null order by 1 limit $1`,
    values: [limit],
  })
  return rows.map(({ url }) => url)
}

function toLag([row]: readonly LagRow[]): Lag {
  return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? null }
}

import { toUuid } from '../../core/id.ts'
import type { MessageKind } from '../../core/messages/kinds.ts'
import type { Micros } from '../../core/money.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/* The rows that messages are about. A message keeps their ids and reads them again when it is sent. */

/** An entry of the feed that people get a message about. */
export interface ToldEntry {
  readonly kind: MessageKind
  /** An approval, or the event of a budget. */
  readonly id: string
}

interface EntryRow {
  readonly id: string
  readonly kind: string
  readonly approvalId: string | null
}

/** Entries in a range of the feed that are not older than `since`. */
export async function listToldEntries(
  db: Queryable,
  organizationId: string,
  { after, to }: { readonly after: bigint; readonly to: bigint },
  since: Instant,
): Promise<ToldEntry[]> {
  const rows = await db.query<EntryRow>({
    name: 'list-told-entries',
    text: `
      select id, kind, outcome ->> 'approvalId' as "approvalId" from webhook_events
      where organization_id = $1 and number > $2 and number <= $3 and occurred_at >= $4
        and kind in ('approval.requested', 'mandate.budget.warning', 'mandate.budget.exhausted')
        and sample is null
      order by number`,
    values: [organizationId, after, to, toIso(since)],
  })
  return rows.flatMap(({ id, kind, approvalId }): ToldEntry[] => {
    if (kind !== 'approval.requested') return [{ kind: 'budget', id }]
    const approval = approvalId === null ? undefined : toUuid('apr', approvalId)
    return approval === undefined ? [] : [{ kind: 'approvals', id: approval }]
  })
}

/** The figures of a budget at an event. */
export interface BudgetFigures {
  readonly mandateId: string
  readonly agentId: string
  readonly budgetTotal: Micros
  readonly budgetSpent: Micros
  readonly currency: string
}

/** In the order of the events. */
export function listBudgetFigures(
  db: Queryable,
  organizationId: string,
  eventIds: readonly string[],
): Promise<BudgetFigures[]> {
  return db.query<BudgetFigures>({
    name: 'list-budget-figures',
    text: `
      select e.mandate_id as "mandateId", e.agent_id as "agentId", e.budget_total as "budgetTotal",
             e.budget_spent as "budgetSpent", v.currency
      from webhook_events e
      join mandates m on m.organization_id = $1 and m.id = e.mandate_id
      join mandate_versions v
        on v.organization_id = $1 and v.mandate_id = m.id and v.version = m.version
      where e.organization_id = $1 and e.id = any($2::uuid[])
      order by e.number`,
    values: [organizationId, plainArray(eventIds)],
  })
}

/** Failed deliveries after this one, oldest first. */
export async function listFailuresAfter(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'list-failures-after',
    text: `select id from webhook_deliveries
           where organization_id = $1 and status = 'failed' and id > $2 order by id limit $3`,
    values: [organizationId, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Deliveries that failed for good. */
export interface FailedDeliveries {
  readonly count: number
  /** The origins of their receivers, without those that were removed. */
  readonly receivers: readonly string[]
}

/** Which of these deliveries are still failed: a person may have sent them again. */
export async function readStillFailed(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<FailedDeliveries> {
  const rows = await db.query<{ count: bigint; receiver: string | null }>({
    name: 'read-still-failed',
    text: `
      select count(*) as count,
             case when d.endpoint_id is null then o.webhook_url else e.url end as receiver
      from webhook_deliveries d
      join organizations o on o.id = d.organization_id
      left join webhook_endpoints e
        on e.organization_id = d.organization_id and e.id = d.endpoint_id
      where d.organization_id = $1 and d.status = 'failed' and d.id = any($2::uuid[])
      group by 2 order by 2`,
    values: [organizationId, plainArray(ids)],
  })
  return {
    count: rows.reduce((sum, { count }) => sum + Number(count), 0),
    receivers: rows.flatMap(({ receiver }) => receiver ?? []),
  }
}

/** An endpoint that was paused because every attempt failed. */
export interface PausedEndpoint {
  readonly id: string
  /** The origin of the receiver; null if the endpoint has none any more. */
  readonly receiver: string | null
  readonly pausedAt: Instant
}

/** The endpoints that were paused after this time, and still are. There are at most a few. */
export function listPausedAfter(
  db: Queryable,
  organizationId: string,
  after: Instant,
): Promise<PausedEndpoint[]> {
  return db.query<PausedEndpoint>({
    name: 'list-paused-after',
    text: `
      select e.id, coalesce(e.url, o.webhook_url) as receiver, e.paused_at as "pausedAt"
      from webhook_endpoints e join organizations o on o.id = e.organization_id
      where e.organization_id = $1 and not e.is_paused and e.paused_at > $2
      order by e.paused_at`,
    values: [organizationId, toIso(after)],
  })
}

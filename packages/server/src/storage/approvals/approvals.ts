import type { Approval } from '../../core/approvals/approval.ts'
import type { ApprovalStatus } from '../../core/approvals/permit.ts'
import { idAt } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { CLOCKS_APART_MS } from '../clock-gaps.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { type Condition, type Page, type PageRequest, pageOf } from '../page.ts'
import { SEARCHED_MAX } from '../page-statements.ts'

export const APPROVAL_COLUMNS = `
  id, agent_id as "agentId", mandate_id as "mandateId", transaction_id as "transactionId", path, vendor,
  category, amount, currency, payee, card_id as "cardId", status, asked, asked_by as "askedBy",
  makes_known as "makesKnown", waits_ms as "waitsMs", max_amount as "maxAmount",
  expires_at as "expiresAt", used_by as "usedBy", used_at as "usedAt", created_at as "createdAt"`

export async function findApproval(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Approval | undefined> {
  const [approval] = await db.query<Approval>({
    name: 'find-approval',
    text: `select ${APPROVAL_COLUMNS} from approvals where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return approval
}

/** Those of the requests that wait for an answer, oldest first. */
export function listPendingApprovals(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<Approval[]> {
  return db.query<Approval>({
    name: 'list-pending-approvals',
    text: `select ${APPROVAL_COLUMNS} from approvals
           where organization_id = $1 and id = any($2::uuid[]) and status = 'pending'
             and expires_at > $3
           order by id`,
    values: [organizationId, plainArray(ids), toIso(now)],
  })
}

export interface ApprovalFilter {
  readonly status: ApprovalStatus | undefined
  readonly agentId: string | undefined
  readonly vendor: string | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  /** The agents that a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

export function listApprovals(
  db: Queryable,
  organizationId: string,
  filter: ApprovalFilter,
  now: Instant,
  page: PageRequest,
  searchedMax = SEARCHED_MAX,
): Promise<Page<Approval>> {
  const { status, agentId, vendor, from, to, agentIds } = filter
  // An id has the time of its request.
  const conditions: (Condition | undefined)[] = [
    ['organization_id = ?', organizationId],
    agentId === undefined ? undefined : ['agent_id = ?', agentId],
    from === undefined ? undefined : ['id >= ?', idAt(from - CLOCKS_APART_MS)],
    to === undefined ? undefined : ['id < ?', idAt(to + CLOCKS_APART_MS)],
  ]
  const filters: (Condition | undefined)[] = [
    status === undefined ? undefined : statusCondition(status, now),
    vendor === undefined ? undefined : ['vendor = ?', vendor],
    agentIds === null ? undefined : ['agent_id = any(?::uuid[])', plainArray(agentIds)],
    from === undefined ? undefined : ['created_at >= ?', toIso(from)],
    to === undefined ? undefined : ['created_at < ?', toIso(to)],
  ]
  return pageOf<Approval>(db, page, {
    columns: APPROVAL_COLUMNS,
    from: 'approvals',
    conditions: conditions.filter((condition) => condition !== undefined),
    filters: filters.filter((condition) => condition !== undefined),
    searchedMax,
  })
}

/**
 * Expiry is decided by the clock: a pending or approved request past `expires_at` reads as expired
 * before the sweeper has set its status.
 */
function statusCondition(status: ApprovalStatus, now: Instant): Condition {
  if (status === 'pending') return [`status = 'pending' and expires_at > ?`, toIso(now)]
  if (status === 'approved') return [`status = 'approved' and expires_at > ?`, toIso(now)]
  if (status !== 'expired') return ['status = ?', status]
  return [
    `(status = 'expired' or status in ('pending', 'approved') and expires_at <= ?)`,
    toIso(now),
  ]
}

/**
 * The number of pending requests, for the agents that the caller may see; null means all agents.
 */
export async function countWaiting(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[] | null,
  now: Instant,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-waiting-approvals',
    text: `
      select count(*) as count from approvals
      where organization_id = $1 and status = 'pending' and expires_at > $2
        and ($3::uuid[] is null or agent_id = any($3::uuid[]))`,
    values: [organizationId, toIso(now), agentIds === null ? null : plainArray(agentIds)],
  })
  return Number(row?.count ?? 0n)
}

/** Returns the ids that are no longer pending, or do not exist. */
export async function listAnswered(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'list-answered-approvals',
    text: `
      select w.id from unnest($2::uuid[]) as w (id)
      where not exists (
        select 1 from approvals a
        where a.organization_id = $1 and a.id = w.id and a.status = 'pending' and a.expires_at > $3)`,
    values: [organizationId, plainArray(ids), toIso(now)],
  })
  return rows.map(({ id }) => id)
}

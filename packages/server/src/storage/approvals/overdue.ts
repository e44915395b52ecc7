import type { Approval } from '../../core/approvals/approval.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { APPROVAL_COLUMNS } from './approvals.ts'

/** Organizations with pending requests past their expiry, read without locks. */
export async function listOrganizationsWithOverdue(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-organizations-with-overdue-requests',
    text: `
      select organization_id as "organizationId" from approvals
      where status = 'pending' and expires_at <= $1 /*among organization_id*/
      group by organization_id order by min(expires_at) limit $2`,
    values: [toIso(now), limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}

/** Locks overdue requests, the longest overdue first. Skips those that a decision has locked. */
export function lockOverdueRequests(
  tx: Tx,
  organizationId: string,
  now: Instant,
  limit: number,
): Promise<Approval[]> {
  return tx.query<Approval>({
    name: 'lock-overdue-requests',
    text: `select ${APPROVAL_COLUMNS} from approvals
           where organization_id = $1 and status = 'pending' and expires_at <= $2
           order by expires_at, id limit $3 for update skip locked`,
    values: [organizationId, toIso(now), limit],
  })
}

export function expireRequests(organizationId: string, ids: readonly string[]): Statement {
  return {
    name: 'expire-requests',
    text: `update approvals set status = 'expired'
           where organization_id = $1 and id = any($2::uuid[]) and status = 'pending'`,
    values: [organizationId, plainArray(ids)],
  }
}

import type { Approval } from '../../core/approvals/approval.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { COUNTED_MAX, type Page, type PageRequest, totalOf } from '../page.ts'
import { APPROVAL_COLUMNS, type ApprovalFilter } from './approvals.ts'

const PENDING = `
  from approvals
  where organization_id = $1 and status = 'pending' and expires_at > $2
    and ($3::uuid is null or agent_id = $3) and ($4::text is null or vendor = $4)
    and ($5::uuid[] is null or agent_id = any($5::uuid[]))
    and ($6::timestamptz is null or created_at >= $6)
    and ($7::timestamptz is null or created_at < $7)`

/**
 * One page of pending requests, those that expire first at the beginning. The index of pending
 * requests provides the order. A decision changes the expiry of the request that a page ended with,
 * so the next page begins after the expiry that it was opened with.
 */
export async function listSoonest(
  db: Queryable,
  organizationId: string,
  { agentId, vendor, agentIds, from, to }: Omit<ApprovalFilter, 'status'>,
  now: Instant,
  { limit, offset, after }: PageRequest,
): Promise<Page<Approval>> {
  const filter = [
    organizationId,
    toIso(now),
    agentId ?? null,
    vendor ?? null,
    agentIds === null ? null : plainArray(agentIds),
    from === undefined ? null : toIso(from),
    to === undefined ? null : toIso(to),
  ]
  const [counted] = await db.query<{ total: bigint }>({
    name: 'count-soonest-approvals',
    text: `select count(*) as total from (select 1 ${PENDING} limit ${COUNTED_MAX}) as counted`,
    values: filter,
  })
  const found = await db.query<Approval>({
    name: 'list-soonest-approvals',
    text: `
      select ${APPROVAL_COLUMNS} ${PENDING}
        and ($8::uuid is null or (expires_at, id) > (
          select last.created_at + last.waits_ms * interval '1 millisecond', last.id
          from approvals last where last.organization_id = $1 and last.id = $8))
      order by expires_at, id limit $9 offset $10`,
    values: [...filter, after ?? null, limit + 1, offset],
  })
  return {
    rows: found.slice(0, limit),
    ...totalOf(Number(counted?.total ?? 0n)),
    limit,
    offset,
    hasMore: found.length > limit,
  }
}

import { idAt } from '../core/id.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'

/**
 * A hold that is past its expiry but still counted as held. All queries here read without locks:
 * each hold is checked again under its own lock.
 */

export interface OverdueHold {
  readonly id: string
  readonly expiresAt: Instant
}

/** Organizations that have overdue holds; the one that has waited longest comes first. */
export async function listOverdueOrganizations(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-overdue-organizations',
    text: `
      select organization_id as "organizationId" from transactions
      where status = 'held' and expires_at <= $1 /*among organization_id*/
      group by organization_id order by min(expires_at) limit $2`,
    values: [toIso(now), limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}

/** Overdue holds, the longest overdue first; `after` is the last one of the previous page. */
export function listOverdueHolds(
  db: Queryable,
  organizationId: string,
  now: Instant,
  limit: number,
  after?: OverdueHold,
): Promise<OverdueHold[]> {
  return db.query<OverdueHold>({
    name: 'list-overdue-holds',
    text: `
      select id, expires_at as "expiresAt" from transactions
      where organization_id = $1 and status = 'held' and expires_at <= $2
        and (expires_at, id) > ($3, $4)
      order by expires_at, id limit $5`,
    values: [
      organizationId,
      toIso(now),
      after ? toIso(after.expiresAt) : '-infinity',
      after?.id ?? idAt(0),
      limit,
    ],
  })
}

/**
 * The overdue holds that reduce the budget of one of these mandates: holds of the mandate itself or
 * of a descendant.
 */
export function listOverdueHoldsBelow(
  db: Queryable,
  organizationId: string,
  mandateIds: readonly string[],
  now: Instant,
  limit: number,
): Promise<OverdueHold[]> {
  return db.query<OverdueHold>({
    name: 'list-overdue-holds-below',
    text: `
      select t.id, t.expires_at as "expiresAt" from transactions t
      join mandates m on m.organization_id = $1 and m.id = t.mandate_id
      where t.organization_id = $1 and t.status = 'held' and t.expires_at <= $2
        and (m.id || m.ancestor_ids) && $3::uuid[]
      order by t.expires_at, t.id limit $4`,
    values: [organizationId, toIso(now), plainArray(mandateIds), limit],
  })
}

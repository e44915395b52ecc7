import { idAt } from '../core/id.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'

/**
 * Holds that are over but still in the books. All of this is asked without locks: each hold is judged again
 * under its own.
 */

export interface OverdueHold {
  readonly id: string
  readonly expiresAt: Instant
}

/** Organizations that have such holds; the one that has waited longest comes first. */
export async function listOverdueOrganizations(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-overdue-organizations',
    text: `
      select organization_id as "organizationId" from transactions
      where status = 'held' and expires_at <= $1
      group by organization_id order by min(expires_at) limit $2`,
    values: [toIso(now), limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}

/** The longest overdue first; `after` is the last one of the previous page. */
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

/** Those that take room in one of these mandates: they were drawn on it, or on one below it. */
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

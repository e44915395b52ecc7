import { idAt, instantOf } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Queryable, Statement } from './engine/database.ts'

/**
 * Ids carry an estimate of the database's time, and `created_at` carries the time itself. They
 * hardly ever differ by more than this; if they do, the organization has a row in `clock_gaps`.
 */
export const CLOCKS_APART_MS = 600_000

/** How far the database's clock itself may have been wrong, so that it went back later. */
export const CLOCK_WRONG_MS = 86_400_000

/**
 * The largest difference between ids and `created_at` in an organization. Queries that turn a time
 * range into an id range widen it by this much.
 */
export async function readClockGap(db: Queryable, organizationId: string): Promise<number> {
  const [row] = await db.query<{ ms: bigint }>({
    name: 'read-clock-gap',
    text: 'select largest_ms as ms from clock_gaps where organization_id = $1',
    values: [organizationId],
  })
  return Math.max(CLOCKS_APART_MS, Number(row?.ms ?? 0n))
}

/**
 * Stores the largest difference, in the transaction that stores these decisions. Sends nothing if
 * all ids are near the time, as they nearly always are: the exception is a process that was
 * suspended between making an id and storing its decision.
 */
export function keepClockGap(
  organizationId: string,
  at: Instant,
  decisions: readonly { readonly id: string }[],
): Statement[] {
  const [from, to] = [idAt(at - CLOCKS_APART_MS), idAt(at + CLOCKS_APART_MS)]
  const far = decisions.filter(({ id }) => id < from || id >= to)
  if (far.length === 0) return []
  const ms = Math.max(...far.map(({ id }) => Math.abs(at - instantOf(id))))
  return [
    {
      name: 'keep-clock-gap',
      text: `insert into clock_gaps (organization_id, largest_ms) values ($1, $2)
             on conflict (organization_id) do update
             set largest_ms = greatest(clock_gaps.largest_ms, excluded.largest_ms)`,
      values: [organizationId, ms],
    },
  ]
}

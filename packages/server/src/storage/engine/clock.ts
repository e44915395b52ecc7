import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from './database.ts'

/** The time that decisions go by. */
export type DecisionClock = (db: Queryable) => Promise<Instant>

/**
 * The database's clock: with several processes, one clock decides about periods, windows and
 * expiry. Only tests pass another one, because they have to move it.
 */
export function createDecisionClock(other: (() => Instant) | undefined): DecisionClock {
  if (other) return async () => other()
  return async (db) => {
    const [row] = await db.query<{ now: Instant }>({
      name: 'read-clock',
      text: 'select clock_timestamp() as now',
    })
    if (!row) throw new Error('The database did not tell the time.')
    return row.now
  }
}

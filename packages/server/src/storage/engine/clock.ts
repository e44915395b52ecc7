import type { Instant } from '../../core/time/instant.ts'
import { createEstimate } from './estimated-time.ts'
import type { Queryable } from './queryable.ts'

/** Asks the database for the time, in a statement of its own. */
export type DatabaseClock = (db: Queryable) => Promise<Instant>

/**
 * The time of the database, which is the same for all processes, whatever their own clocks show.
 */
export interface Clock {
  /**
   * For whatever changes or judges state. Send it after the locks, in their round trip: a statement
   * that takes a lock may have read the time before it waited, and SQL's own `now()` is the start of
   * the transaction.
   */
  readonly read: DatabaseClock
  /**
   * Takes an instant that came with another answer. `askedAt` is when the question was sent, on this
   * process's monotonic clock.
   */
  heard(instant: Instant, askedAt: number): Instant
  /**
   * What the database's clock shows, as well as this process knows without asking. Only for what is
   * shown or named: ids, the end of a key, filters, partitions.
   */
  estimate(): Instant
}

/** Only tests pass `turned`, because they have to move the clock. While it gives nothing, time is real. */
export async function createClock(
  db: Queryable,
  turned: () => Instant | undefined = () => undefined,
): Promise<Clock> {
  const first = await ask(db)
  const known = createEstimate(first)

  async function read(from: Queryable): Promise<Instant> {
    const answer = await ask(from)
    known.learn(answer)
    return turned() ?? answer.instant
  }

  return {
    read,
    heard(instant, askedAt) {
      known.learn({ instant, askedAt, answeredAt: performance.now() })
      return turned() ?? instant
    },
    estimate: () => turned() ?? known.at(performance.now()),
  }
}

/** The database's time where there is no clock yet. */
export async function readClock(db: Queryable): Promise<Instant> {
  const { instant } = await ask(db)
  return instant
}

async function ask(db: Queryable) {
  const askedAt = performance.now()
  const [row] = await db.query<{ now: Instant }>({
    name: 'read-clock',
    text: 'select clock_timestamp() as now',
  })
  if (!row) throw new Error('The database did not tell the time.')
  return { instant: row.now, askedAt, answeredAt: performance.now() }
}

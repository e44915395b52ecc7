import { within } from '../../base/within.ts'
import type { Instant } from '../../core/time/instant.ts'
import { isDistributed } from '../distributed/distribution.ts'
import { createEstimate, type Reading } from './estimated-time.ts'
import type { Queryable } from './queryable.ts'

/** Reads the database's clock, in its own statement. */
export type DatabaseClock = (db: Queryable) => Promise<Instant>

/**
 * The database's time, which is the same for all processes, whatever their own clocks show (ADR 21).
 */
export interface Clock {
  /**
   * For code that changes or judges state. Send it after the locks, in their round trip: a statement
   * that takes a lock may have read the time before it waited, and SQL's own `now()` is the start of
   * the transaction.
   */
  readonly read: DatabaseClock
  /**
   * Learns from an instant that came with a different result. `askedAt` is when the query was sent, on
   * this process's monotonic clock.
   */
  heard(instant: Instant, askedAt: number): Instant
  /**
   * On a distributed store, the time of the coordinator: a statement that is carried out by a worker
   * reads the worker's clock instead (ADR 64). Undefined on one machine, where no statement is sent.
   */
  ofCoordinator(tx: Queryable): Promise<Instant> | undefined
  /**
   * The database's time as this process estimates it, without a query. Only for values that are
   * displayed or used as names: ids, the end of a key, filters, partitions.
   */
  estimate(): Instant
  /**
   * Reads the database's clock if this process has not heard it for a minute: the machine may have been
   * suspended, and then the estimate is behind. Undefined if no read is needed, so that no request
   * waits. Code that makes ids awaits this first. The wait is short and never rejects, because a
   * decline at a deadline waits for it too.
   */
  renew(): Promise<void> | undefined
}

/** After this long without the database's time, the clock is read before ids are made. */
const UNHEARD_MS = 60_000
/** The longest that this read may delay a request. */
const RENEWED_WITHIN_MS = 250

/**
 * Only tests and the demo pass `turned`, to move the clock. While it returns undefined, time is
 * real. With `isAlone`, no statement reads the database's clock while time is turned.
 */
export async function createClock(
  db: Queryable,
  turned: () => Instant | undefined = () => undefined,
  isAlone = false,
): Promise<Clock> {
  const first = await ask(db)
  const isSpread = await isDistributed(db)
  const known = createEstimate(first)
  let heardAt = nowHere()
  let asking: { readonly since: number; readonly done: Promise<void> } | undefined

  function learn(reading: Reading): void {
    known.learn(reading)
    heardAt = nowHere()
  }

  async function read(from: Queryable): Promise<Instant> {
    const alone = isAlone ? turned() : undefined
    if (alone !== undefined) return alone
    const answer = await ask(from)
    learn(answer)
    return turned() ?? answer.instant
  }

  async function askAgain(): Promise<void> {
    try {
      await read(db)
    } catch {
      // The caller continues with the estimate, and its own statement meets the same failure.
    } finally {
      asking = undefined
    }
  }

  return {
    read,
    heard(instant, askedAt) {
      learn({ instant, askedAt, answeredAt: performance.now() })
      return turned() ?? instant
    },
    ofCoordinator: (tx) => (isSpread ? ask(tx).then(({ instant }) => instant) : undefined),
    estimate: () => turned() ?? known.at(performance.now()),
    renew() {
      if (!hasPassed(heardAt)) return undefined
      asking ??= { since: performance.now(), done: askAgain() }
      const leftMs = RENEWED_WITHIN_MS - (performance.now() - asking.since)
      return leftMs <= 0 ? undefined : within(leftMs, asking.done)
    },
  }
}

interface Here {
  readonly monotonic: number
  readonly wall: number
}

/**
 * The monotonic clock stands still while a machine is suspended; only the wall clock reveals that. It
 * is compared only with itself: a wrong one changes nothing, and a jump costs one query.
 */
function nowHere(): Here {
  return { monotonic: performance.now(), wall: Date.now() }
}

function hasPassed({ monotonic, wall }: Here): boolean {
  const now = nowHere()
  return now.monotonic - monotonic >= UNHEARD_MS || Math.abs(now.wall - wall) >= UNHEARD_MS
}

/** The database's time, for callers that have no clock yet. */
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
  if (!row) throw new Error('The database did not return its time.')
  return { instant: row.now, askedAt, answeredAt: performance.now() }
}

/**
 * How far this machine's clock is ahead of the database's, in milliseconds; negative if it is
 * behind. Half of the round trip is taken off.
 */
export async function readClockDifference(db: Queryable): Promise<number> {
  const { instant, askedAt, answeredAt } = await ask(db)
  return nowHere().wall - (answeredAt - askedAt) / 2 - instant
}

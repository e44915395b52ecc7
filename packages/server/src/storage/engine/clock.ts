import type { Instant } from '../../core/time/instant.ts'
import { createEstimate, type Reading } from './estimated-time.ts'
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
  /**
   * Asks the database if this process has not heard its clock for a minute: it may have slept, and then
   * the estimate is behind. Undefined where it has, so that nobody waits. Whoever makes ids waits for it
   * before. It waits a moment at most and never rejects, because a decline at a deadline waits behind it.
   */
  renew(): Promise<void> | undefined
}

/** After so long without hearing the database's clock it is asked before ids are made. */
const UNHEARD_MS = 60_000
/** How long that may hold up a request. */
const RENEWED_WITHIN_MS = 250

/** Only tests pass `turned`, because they have to move the clock. While it gives nothing, time is real. */
export async function createClock(
  db: Queryable,
  turned: () => Instant | undefined = () => undefined,
): Promise<Clock> {
  const first = await ask(db)
  const known = createEstimate(first)
  let heardAt = nowHere()
  let asking: { readonly since: number; readonly done: Promise<void> } | undefined

  function learn(reading: Reading): void {
    known.learn(reading)
    heardAt = nowHere()
  }

  async function read(from: Queryable): Promise<Instant> {
    const answer = await ask(from)
    learn(answer)
    return turned() ?? answer.instant
  }

  async function askAgain(): Promise<void> {
    try {
      await read(db)
    } catch {
      // Whoever asked goes on with the estimate, and meets the same failure in its own statement.
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
 * The monotonic clock stands still while a machine sleeps, and only the wall clock shows that. It is
 * compared with nothing but itself: a wrong one changes nothing, and one that jumps makes us ask.
 */
function nowHere(): Here {
  return { monotonic: performance.now(), wall: Date.now() }
}

function hasPassed({ monotonic, wall }: Here): boolean {
  const now = nowHere()
  return now.monotonic - monotonic >= UNHEARD_MS || Math.abs(now.wall - wall) >= UNHEARD_MS
}

/** Resolves when this is done, or when so much time has passed. */
async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, over])
  clearTimeout(timer)
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

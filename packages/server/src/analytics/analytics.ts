import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { listUncounted } from '../storage/analytics/books.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { dueBefore, keepBooks } from './keep-books.ts'

const EVERY_MS = 1_000
const ORGANIZATIONS_PER_PAGE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'
/**
 * While the process is busy, counting gets a twentieth of the time, so that it does not slow
 * decisions.
 */
const REST_TIMES_MAX = 20
const REST_MAX_MS = 5_000

interface AnalyticsParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly log: Log
}

/**
 * Keeps the sums of all organizations up to date with their feeds. One run takes one step of one
 * organization, and every organization gets a step before any gets its next, so none waits for the
 * whole backlog of a different one. The loop may stop between any two steps, and any process
 * continues from there (ADR 48).
 */
export function startAnalytics(parts: AnalyticsParts): Loop {
  const { db, clock, log } = parts
  let waiting: string[] = []
  let listedTo = FIRST
  let lap = 0
  /** Whether an organization of this lap needs a further step. */
  let hasMore = false

  async function run(): Promise<void> {
    const organizationId = waiting.shift() ?? (await listNext())
    if (organizationId === undefined) {
      if (hasMore) loop.wake()
      lap++
      listedTo = FIRST
      hasMore = false
      return
    }
    loop.wake()
    if (!(await takeStep(parts, organizationId, lap))) hasMore = true
  }

  async function listNext(): Promise<string | undefined> {
    const due = dueBefore(await clock(db))
    waiting = await listUncounted(db, listedTo, due, ORGANIZATIONS_PER_PAGE)
    listedTo = waiting.at(-1) ?? listedTo
    return waiting.shift()
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    restMs: createPace(),
    failed: (err) => logEvent(log, 'analytics.scan_failed', { err }),
  })
  return loop
}

/**
 * How long to rest after a step: as long as it took while the process is idle, and many times as
 * long the busier the process was since the last step.
 */
function createPace(): (tookMs: number) => number {
  let seen = performance.eventLoopUtilization()
  return (tookMs) => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    return Math.min(REST_MAX_MS, tookMs * Math.max(1, REST_TIMES_MAX * utilization))
  }
}

async function takeStep(
  parts: AnalyticsParts,
  organizationId: string,
  lap: number,
): Promise<boolean> {
  try {
    return await keepBooks(parts, organizationId, 1, lap)
  } catch (err) {
    // The other organizations get their turn; this one is retried in the next lap.
    logEvent(parts.log, 'analytics.update_failed', { err, organizationId })
    return true
  }
}

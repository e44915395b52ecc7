import type { Log } from './log.ts'
import { removeExpiredCounters } from './storage/decisions/read-accounts.ts'
import type { Database } from './storage/engine/database.ts'
import { ensurePartitions } from './storage/engine/partitions.ts'
import { analyzeGrownTables } from './storage/engine/statistics.ts'
import { removeExpiredAnswers } from './storage/idempotency.ts'

const EVERY_MS = 10 * 60 * 1_000
const STATISTICS_EVERY_MS = 5_000
/** A round ends after this many steps; what is left waits for the next. */
const STEPS_MAX = 100

/** Removes a bounded number of rows that are past their time, and gives their number. */
export type Remover = (db: Database, now: number) => Promise<number>

/**
 * Makes the partitions of the coming months, removes what is past its time, in small steps, and keeps
 * the planner's figures from being left far behind.
 */
export function startHousekeeping(
  db: Database,
  now: () => number,
  log: Log,
  removersOfPaths: readonly Remover[],
): { stop(): Promise<void> } {
  let round = Promise.resolve()
  let isStopped = false
  const timers = [
    setInterval(() => take(sweep), EVERY_MS),
    setInterval(() => take(() => analyzeGrownTables(db)), STATISTICS_EVERY_MS),
  ]
  for (const timer of timers) timer.unref()

  let waiting = 0
  function take(turn: () => Promise<void>): void {
    // With a database that hangs, turns would pile up.
    if (waiting > timers.length) return
    waiting += 1
    round = round
      .then(() => (isStopped ? undefined : turn()))
      .catch((err: unknown) => {
        // The next round tries again; expired rows are never read, so nothing depends on this one.
        log.error({ err }, 'Housekeeping failed.')
      })
      .finally(() => {
        waiting -= 1
      })
  }

  async function sweep(): Promise<void> {
    await ensurePartitions(db, now())
    for (const remove of [removeExpiredAnswers, removeExpiredCounters, ...removersOfPaths]) {
      for (let step = 0; step < STEPS_MAX && !isStopped; step++) {
        if ((await remove(db, now())) === 0) break
      }
    }
  }

  return {
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      await round
    },
  }
}

import { removeExpiredCounters } from './storage/account-reads.ts'
import type { Database } from './storage/database.ts'
import { removeExpiredAnswers } from './storage/idempotency.ts'
import { ensurePartitions } from './storage/partitions.ts'

const EVERY_MS = 10 * 60 * 1000
/** A round ends after this many steps; what is left waits for the next. */
const STEPS_MAX = 100

/** Makes the partitions of the coming months and removes what is past its time, in small steps. */
export function startHousekeeping(
  db: Database,
  now: () => number,
  log: { error(fields: object, message: string): void },
): { stop(): Promise<void> } {
  let round = Promise.resolve()
  let isStopped = false
  const timer = setInterval(() => {
    round = round.then(sweep).catch((err: unknown) => {
      // The next round tries again; expired rows are never read, so nothing depends on this one.
      log.error({ err }, 'Housekeeping failed.')
    })
  }, EVERY_MS)
  timer.unref()

  async function sweep(): Promise<void> {
    await ensurePartitions(db, now())
    for (const remove of [removeExpiredAnswers, removeExpiredCounters]) {
      for (let step = 0; step < STEPS_MAX && !isStopped; step++) {
        if ((await remove(db, now())) === 0) break
      }
    }
  }

  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await round
    },
  }
}

import type { Database } from './storage/database.ts'
import { removeExpiredAnswers } from './storage/idempotency.ts'

const EVERY_MS = 10 * 60 * 1000
/** A round ends after this many steps; what is left waits for the next. */
const STEPS_MAX = 100

/** Removes what is past its time, in small steps, so that tables do not grow for ever. */
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
    for (let step = 0; step < STEPS_MAX && !isStopped; step++) {
      if ((await removeExpiredAnswers(db, now())) === 0) return
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

import type { Instant } from '../core/time.ts'
import type { Database } from '../storage/database.ts'
import { listOverdueHolds } from '../storage/transactions.ts'
import { expireHold } from './bookings.ts'
import type { Memory } from './memory.ts'

const EVERY_MS = 1_000
const HOLDS_AT_ONCE = 100

interface SweeperParts {
  readonly db: Database
  readonly memory: Memory
  readonly now: () => Instant
  readonly log: { error(fields: object, message: string): void }
}

/**
 * Gives back the budget of holds whose time is over. Reads show such a hold as expired at once; this
 * is what makes its budget spendable again, within about a second. Several processes may sweep: each
 * hold is looked at again under its locks.
 */
export function startHoldSweeper(parts: SweeperParts): { stop(): Promise<void> } {
  let round: Promise<void> = Promise.resolve()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    round = sweep(parts)
      // The next round tries again; until then the budget is held, which errs on the safe side.
      .catch((err: unknown) => parts.log.error({ err }, 'Expired holds could not be given back.'))
      .finally(() => {
        isBusy = false
      })
  }, EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

async function sweep({ db, memory, now }: SweeperParts): Promise<void> {
  for (const { organizationId, id } of await listOverdueHolds(db, now(), HOLDS_AT_ONCE)) {
    await db.transaction((tx) => expireHold({ tx, memory, organizationId, id }, now()))
  }
}

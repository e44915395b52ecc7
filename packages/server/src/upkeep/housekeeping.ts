import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { removeExpiredCounters } from '../storage/decisions/store-usage.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Remover } from '../storage/engine/database.ts'
import { ensurePartitions } from '../storage/engine/partitions.ts'
import { analyzeGrownTables } from '../storage/engine/statistics.ts'
import { removeExpiredAnswers } from '../storage/idempotency.ts'
import { removeOldMessages } from '../storage/messages/outbox.ts'
import { removeEndedInvitations } from '../storage/people/invitations.ts'
import { removeEndedSessions } from '../storage/people/session-ends.ts'
import { removeEndedAttempts } from '../storage/people/sign-in-attempts.ts'
import { removeEndedRevocations } from '../storage/tokens/token-revocations.ts'

const EVERY_MS = 10 * 60 * 1_000
const STATISTICS_EVERY_MS = 5_000
/** A round ends after this many steps; the rest waits for the next round. */
const STEPS_MAX = 100

/**
 * Creates the partitions of the coming months, removes expired rows in small steps, and keeps the
 * planner's statistics from falling far behind.
 */
export function startHousekeeping(
  db: Database,
  clock: DatabaseClock,
  log: Log,
  removersOfPaths: readonly Remover[],
): Pick<Loop, 'round' | 'stop'> {
  const removers = [
    removeExpiredAnswers,
    removeExpiredCounters,
    removeEndedRevocations,
    removeEndedSessions,
    removeEndedInvitations,
    removeEndedAttempts,
    removeOldMessages,
    ...removersOfPaths,
  ]
  const inTurn = createTurns()
  const failed = (err: unknown): void => {
    // The next round tries again. Expired rows are never read, so nothing depends on this round.
    logEvent(log, 'housekeeping.round_failed', { err })
  }

  async function sweep(isStopping: () => boolean): Promise<void> {
    await ensurePartitions(db, await clock(db))
    for (const remove of removers) {
      for (let step = 0; step < STEPS_MAX && !isStopping(); step++) {
        if ((await remove(db, await clock(db))) === 0) break
      }
    }
  }

  function startRounds(everyMs: number, turn: typeof sweep): Loop {
    const run: typeof sweep = (isStopping) =>
      inTurn(async () => {
        if (!isStopping()) await turn(isStopping)
      })
    return startLoop({ run, everyMs, failed })
  }

  const sweeps = startRounds(EVERY_MS, sweep)
  const loops = [sweeps, startRounds(STATISTICS_EVERY_MS, () => analyzeGrownTables(db))]
  return {
    round: sweeps.round,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/**
 * Runs one turn at a time, in the order of the calls: no partition is created while tables are
 * analyzed.
 */
function createTurns(): (turn: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (turn) => {
    const mine = last.then(turn)
    last = mine.catch(() => {})
    return mine
  }
}

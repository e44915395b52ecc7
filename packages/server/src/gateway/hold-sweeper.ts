import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { listOverdueHolds, type OverdueHold } from '../storage/transactions.ts'
import { expireHold } from './holds.ts'
import type { PolicyCache } from './policy-cache.ts'

const EVERY_MS = 1_000
const HOLDS_AT_ONCE = 100

interface SweeperParts {
  readonly db: Database
  readonly policyCache: PolicyCache
  readonly clock: Clock
  readonly log: Log
}

export interface HoldSweeper {
  /** Gives back every hold whose time has passed, and resolves when that is done. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

/**
 * Gives back the budget of holds whose time has passed, about once a second, and whenever somebody
 * is about to look at a budget. Several processes may sweep, because each hold is checked again
 * under its locks.
 */
export function startHoldSweeper(parts: SweeperParts): HoldSweeper {
  const loop = startLoop({
    run: () => sweepAll(parts),
    everyMs: EVERY_MS,
    // The next round tries again. Until then the budget stays held, which errs on the safe side.
    failed: (err) => parts.log.error({ err }, 'Expired holds could not be looked for.'),
  })
  return { sweep: loop.round, stop: loop.stop }
}

async function sweepAll(parts: SweeperParts): Promise<void> {
  const { db, clock } = parts
  let after: OverdueHold | undefined
  do {
    const overdue: OverdueHold[] = await listOverdueHolds(
      db,
      clock.estimate(),
      after,
      HOLDS_AT_ONCE,
    )
    for (const hold of overdue) await expire(parts, hold)
    after = overdue.length === HOLDS_AT_ONCE ? overdue.at(-1) : undefined
  } while (after !== undefined)
}

/**
 * A hold that fails stays held and is skipped: it must not keep the others from being given back.
 */
async function expire(
  { db, policyCache, clock, log }: SweeperParts,
  hold: OverdueHold,
): Promise<void> {
  const { organizationId, id } = hold
  try {
    await db.transaction((tx) => expireHold({ tx, policyCache, clock, organizationId, id }))
  } catch (err) {
    log.error({ err, organizationId, id }, 'An expired hold could not be given back.')
  }
}

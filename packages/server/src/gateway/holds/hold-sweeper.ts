import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { startLoop } from '../../base/loop.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { transactionFor, waitBriefly } from '../../storage/engine/queryable.ts'
import { isDeadlock, isLockTimeout, isRolledBack } from '../../storage/engine/storage-error.ts'
import {
  listOverdueHolds,
  listOverdueHoldsBelow,
  listOverdueOrganizations,
  type OverdueHold,
} from '../../storage/overdue-holds.ts'
import type { PolicyCache } from '../policy-cache.ts'
import { expireHolds } from './end-holds.ts'

const EVERY_MS = 1_000
const HOLDS_AT_ONCE = 100
const ORGANIZATIONS_AT_ONCE = 1_000
/** The next round continues with the rest. */
const BATCHES_PER_ROUND_MAX = 100
/** The limit of batches that a single spend waits for. */
const BATCHES_PER_SPEND_MAX = 10

interface SweeperParts {
  readonly db: Database
  readonly policyCache: PolicyCache
  readonly clock: Clock
  readonly log: Log
}

export type SweepLine = (
  organizationId: string,
  mandateIds: readonly string[],
  at: Instant,
) => Promise<void>

/**
 * How a sweep gets its connection. A sweep for a request uses its organization's share. The rounds
 * and the lanes have their own limits, and must not wait behind the requests of one organization.
 */
type Begin = <T>(organizationId: string, run: (tx: Tx) => Promise<T>) => Promise<T>

export interface HoldSweeper {
  /**
   * Releases one batch of the organization's overdue holds, without waiting for those of other
   * organizations.
   */
  sweep(organizationId: string): Promise<void>
  /**
   * Releases holds that take room in one of these mandates and had expired at the given instant, by
   * which a spend was judged. The clock's estimate might not have reached that instant yet.
   */
  sweepLine: SweepLine
  /** The same for a preview, which uses its organization's share of the connections. */
  sweepLineOnRequest: SweepLine
  stop(): Promise<void>
}

/**
 * Releases the budget of expired holds: about once a second, before a budget is shown, and when a
 * spend lacks the room that they take. Several processes may sweep, because each hold is checked
 * again under its locks.
 *
 * A transaction covers one organization and few holds, and does not wait long for a lock. So a
 * problem in one organization does not keep the holds of the others from being released.
 */
export function startHoldSweeper(parts: SweeperParts): HoldSweeper {
  const { db, clock, log } = parts
  const underWay = new Map<string, Promise<void>>()
  const onRequest: Begin = (organizationId, run) => transactionFor(db, organizationId, run)
  const byItself: Begin = (_organizationId, run) => db.transaction(run)
  const loop = startLoop({
    run: (isStopping) => sweepAll(parts, byItself, isStopping),
    everyMs: EVERY_MS,
    // The next round retries. Until then the budget stays held, which errs on the safe side.
    failed: (err) => logEvent(log, 'holds.scan_failed', { err }),
  })

  async function sweepOnce(organizationId: string): Promise<void> {
    const overdue = await listOverdueHolds(db, organizationId, clock.estimate(), HOLDS_AT_ONCE)
    await giveBackAll(parts, onRequest, organizationId, overdue)
  }

  const sweepLineBy =
    (begin: Begin): SweepLine =>
    async (organizationId, mandateIds, at) => {
      for (let batch = 0; batch < BATCHES_PER_SPEND_MAX; batch++) {
        const limit = HOLDS_AT_ONCE
        const overdue = await begin(organizationId, (tx) =>
          listOverdueHoldsBelow(tx, organizationId, mandateIds, at, limit),
        )
        await giveBackAll(parts, begin, organizationId, overdue)
        if (overdue.length < limit) return
      }
    }

  return {
    sweep(organizationId) {
      const running = underWay.get(organizationId)
      if (running !== undefined) return running
      const sweep = sweepOnce(organizationId).finally(() => underWay.delete(organizationId))
      underWay.set(organizationId, sweep)
      return sweep
    },
    sweepLine: sweepLineBy(byItself),
    sweepLineOnRequest: sweepLineBy(onRequest),
    stop: loop.stop,
  }
}

/** Sweeps one batch per organization in turn, then continues with those that have more. */
async function sweepAll(
  parts: SweeperParts,
  begin: Begin,
  isStopping: () => boolean,
): Promise<void> {
  const { db, clock } = parts
  const now = clock.estimate()
  const organizations = await listOverdueOrganizations(db, now, ORGANIZATIONS_AT_ONCE)
  let open = organizations.map((organizationId) => ({
    organizationId,
    after: undefined as OverdueHold | undefined,
  }))
  for (let batch = 0; batch < BATCHES_PER_ROUND_MAX && open.length > 0; batch++) {
    const next: typeof open = []
    for (const { organizationId, after } of open) {
      if (isStopping()) return
      const overdue = await begin(organizationId, (tx) =>
        listOverdueHolds(tx, organizationId, now, HOLDS_AT_ONCE, after),
      )
      const isFree = await giveBackAll(parts, begin, organizationId, overdue)
      const isFull = overdue.length === HOLDS_AT_ONCE
      if (isFree && isFull) next.push({ organizationId, after: overdue.at(-1) })
    }
    open = next
  }
}

/** Returns false if the locks are taken: the organization gets its next turn in the next round. */
async function giveBackAll(
  parts: SweeperParts,
  begin: Begin,
  organizationId: string,
  overdue: readonly OverdueHold[],
): Promise<boolean> {
  if (overdue.length === 0) return true
  const ids = overdue.map(({ id }) => id)
  try {
    await giveBackTogether(parts, begin, organizationId, ids)
    return true
  } catch (err) {
    if (isLockTimeout(err) || isDeadlock(err)) {
      logEvent(parts.log, 'holds.locked', { err, organizationId })
      return false
    }
    // Without a database, no hold can be released.
    if (!isRolledBack(err)) throw err
  }
  for (const id of ids) await giveBackAlone(parts, begin, organizationId, id)
  return true
}

async function giveBackTogether(
  { policyCache, clock }: SweeperParts,
  begin: Begin,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await begin(organizationId, async (tx) => {
    tx.send(waitBriefly())
    await expireHolds({ tx, policyCache, clock, organizationId }, ids)
  })
}

/** A hold that fails stays held and is skipped: it must not keep the others from being released. */
async function giveBackAlone(
  parts: SweeperParts,
  begin: Begin,
  organizationId: string,
  id: string,
): Promise<void> {
  try {
    await giveBackTogether(parts, begin, organizationId, [id])
  } catch (err) {
    logEvent(parts.log, 'holds.release_failed', { err, organizationId, id })
  }
}

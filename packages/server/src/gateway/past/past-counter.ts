import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { startLoop } from '../../base/loop.ts'
import { seriesSince } from '../../core/decision/past.ts'
import { pastKey } from '../../core/rules/counter-key.ts'
import {
  findTree,
  listPastCounts,
  lockOneMandate,
  movePastCount,
  type PastCount,
  readPast,
  readPastCounts,
  removeCounters,
  removePastCount,
} from '../../storage/decisions/past.ts'
import { listVendorPasts, type VendorPast } from '../../storage/decisions/past-vendors.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import type { PolicyCache } from '../policy-cache.ts'
import { membersOf, storePast } from './count-past.ts'
import { learnFurther } from './learn-vendors.ts'
import { PAST_ROWS } from './past-rows.ts'

const EVERY_MS = 1_000
const COUNTS_PER_ROUND = 100
const STEPS_PER_TURN = 20

interface PastCounterParts {
  readonly db: Database
  readonly policyCache: PolicyCache
  readonly clock: DatabaseClock
  readonly log: Log
}

interface Place {
  readonly organizationId: string
  readonly mandateId: string
  readonly version: number
}

export interface PastCounter {
  /** Wakes the loop, because there is a past to count. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Counts the pasts that were too long to be counted when their rules were added. It works in steps.
 * Each step locks one mandate and stores a cursor, so that any process can take over and no
 * decision waits long.
 *
 * The sums are exact, whatever happens between two steps. Decisions made after the rules were added
 * count themselves. An earlier transaction counts in its state at the time of its step. Later
 * changes to it correct the counters; earlier ones do not (`recount`).
 */
export function startPastCounter(parts: PastCounterParts): PastCounter {
  const loop = startLoop({
    run: (isStopping) => countAll(parts, isStopping),
    everyMs: EVERY_MS,
    // The next round retries. Until then the rules reject every spend that they count.
    failed: (err) => logEvent(parts.log, 'rules.history_scan_failed', { err }),
  })
  return { wake: loop.wake, stop: loop.stop }
}

/** Works in turns, so that a very long past does not keep the others waiting. */
async function countAll(parts: PastCounterParts, isStopping: () => boolean): Promise<void> {
  let hasMore = true
  while (hasMore && !isStopping()) {
    hasMore = false
    const [counts, vendors] = await Promise.all([
      listPastCounts(parts.db, COUNTS_PER_ROUND),
      listVendorPasts(parts.db, COUNTS_PER_ROUND),
    ])
    const turns = [
      ...counts.map((place) => turnOf(parts, place, () => countSome(parts, place))),
      ...vendors.map((place) => turnOf(parts, place, () => learnSome(parts, place))),
    ]
    for (const takeTurn of turns) {
      const isDone = isStopping() || (await takeTurn())
      if (!isDone) hasMore = true
    }
  }
}

/**
 * A past that fails stays strict and is retried: it must not keep the others from being counted.
 */
function turnOf(
  { log }: PastCounterParts,
  { organizationId, mandateId }: Omit<Place, 'version'>,
  run: () => Promise<boolean>,
): () => Promise<boolean> {
  return async () => {
    try {
      return await run()
    } catch (err) {
      logEvent(log, 'rules.history_failed', { err, organizationId, mandateId })
      // The next round retries.
      return true
    }
  }
}

async function countSome(parts: PastCounterParts, place: Place): Promise<boolean> {
  const members = membersOf(await findTree(parts.db, place.organizationId, place.mandateId))
  return takeSteps(parts, (tx) => step(parts, tx, place, members))
}

function learnSome(
  parts: PastCounterParts,
  { organizationId, ...past }: VendorPast & { readonly organizationId: string },
): Promise<boolean> {
  return takeSteps(parts, (tx) => learnFurther(tx, organizationId, past))
}

async function takeSteps(
  { db }: PastCounterParts,
  takeStep: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  for (let steps = 0; steps < STEPS_PER_TURN; steps++) {
    if (await db.transaction(takeStep)) return true
  }
  return false
}

/** Returns whether everything is counted. */
async function step(
  { policyCache, clock }: PastCounterParts,
  tx: Tx,
  { organizationId, mandateId, version }: Place,
  members: ReturnType<typeof membersOf>,
): Promise<boolean> {
  const [mandate, counts, at] = await Promise.all([
    lockOneMandate(tx, organizationId, mandateId),
    readPastCounts(tx, organizationId, [mandateId]),
    clock(tx),
  ])
  const count = counts.find((other) => other.version === version)
  if (!mandate || !count) return true
  const policy = (await policyCache.load(tx, organizationId, [mandate]))(mandate)
  // A later change may have taken the rules away.
  if (seriesSince(policy, version).length === 0) return finish(tx, organizationId, count)
  const limit = PAST_ROWS.perStep
  const rows = await readPast(tx, organizationId, members.agentIds, count, limit)
  await storePast(tx, { organizationId, policy, version, members, at }, rows)
  const last = rows.at(-1)
  if (rows.length < limit || !last) return finish(tx, organizationId, count)
  const cursor = { agentId: last.agentId, transactionId: last.id }
  tx.send(movePastCount(organizationId, count, cursor))
  return false
}

/** From now on the rules judge by the counters. */
function finish(tx: Tx, organizationId: string, count: PastCount): true {
  tx.send(removeCounters(organizationId, [pastKey(count.mandateId, { since: count.version })]))
  tx.send(removePastCount(organizationId, count))
  return true
}

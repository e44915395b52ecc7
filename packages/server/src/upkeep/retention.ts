import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { dropIfEmpty, listOldPartitions } from '../storage/engine/old-partitions.ts'
import {
  listRetentions,
  listWithDetails,
  noteDetailsRemoved,
  type OrganizationRetention,
  removeDetails,
} from '../storage/retention.ts'
import { sayPruned } from './say-pruned.ts'
import { BATCH, BATCHES_PER_TURN, type RemovedEvents, sweepEvents } from './sweep-events.ts'

const EVERY_MS = 10 * 60 * 1_000
const ORGANIZATIONS_PER_PAGE = 200
const REST_MIN_MS = 100
const REST_MAX_MS = 10_000
const DAY_MS = 86_400_000

/**
 * Monthly partitions of these tables are dropped once they are empty. Those of transactions never
 * are.
 */
const DROPPED_WHEN_EMPTY = ['webhook_events', 'webhook_deliveries', 'webhook_attempts']

interface RetentionParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly log: Log
}

/** The number of rows of each kind that one turn removed. */
interface Removed extends RemovedEvents {
  details: number
}

/**
 * Removes data past their retention period: details of transactions, events and attempts. It works
 * organization by organization in small batches, and rests as long as it worked, so that decisions
 * hardly notice it. It may stop between any two batches, and the next process continues from there
 * (ADR 26).
 */
export function startRetention(parts: RetentionParts): Loop {
  const { db, clock, log } = parts
  /** Organizations that had more to remove than their turn allowed. */
  let unfinished = new Set<string>()

  async function run(isStopping: () => boolean): Promise<void> {
    const now = await clock(db)
    // Read again in every round, because an organization may have extended its retention.
    const all = await listAll(db)
    const left = all.filter(({ organizationId }) => unfinished.has(organizationId))
    unfinished = await takeTurns(parts, left.length > 0 ? left : all, now, unfinished, isStopping)
    if (isStopping() || all.length === 0) return
    if (unfinished.size > 0) loop.wake()
    else await dropEmptyMonths(parts, now)
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    restMs: (tookMs) => Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, tookMs)),
    failed: (err) => logEvent(log, 'retention.scan_failed', { err }),
  })
  return loop
}

async function listAll(db: Database): Promise<OrganizationRetention[]> {
  const all: OrganizationRetention[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await listRetentions(db, after, ORGANIZATIONS_PER_PAGE)
    all.push(...page)
    const last = page.at(-1)
    if (!last || page.length < ORGANIZATIONS_PER_PAGE) return all
    after = last.organizationId
  }
}

/** Returns the organizations that have more to look at than fits into a turn. */
async function takeTurns(
  parts: RetentionParts,
  retentions: readonly OrganizationRetention[],
  now: Instant,
  goingOn: ReadonlySet<string>,
  isStopping: () => boolean,
): Promise<Set<string>> {
  const unfinished = new Set<string>()
  for (const retention of retentions) {
    if (isStopping()) break
    const { organizationId } = retention
    const isDone = await takeTurn(parts, retention, now, goingOn.has(organizationId), isStopping)
    if (!isDone) unfinished.add(organizationId)
  }
  return unfinished
}

/** False if there was more to look at than fits into a turn. */
async function takeTurn(
  { db, log }: RetentionParts,
  retention: OrganizationRetention,
  now: Instant,
  isGoingOn: boolean,
  isStopping: () => boolean,
): Promise<boolean> {
  const { organizationId } = retention
  const removed: Removed = { details: 0, attempts: 0, urls: 0, deliveries: 0, events: 0 }
  try {
    await sweepDetails(db, retention, now, removed, isStopping)
    const isDone = await sweepEvents(db, retention, now, { removed, isGoingOn, isStopping })
    if (Object.values(removed).some((count) => count > 0)) {
      logEvent(log, 'retention.removed', { organizationId, ...removed })
    }
    return isDone && removed.details < BATCH * BATCHES_PER_TURN
  } catch (err) {
    // The other organizations get their turn; this one is retried in the next round.
    logEvent(log, 'retention.removal_failed', { err, organizationId })
    return true
  }
}

async function sweepDetails(
  db: Database,
  retention: OrganizationRetention,
  now: Instant,
  removed: Removed,
  isStopping: () => boolean,
): Promise<void> {
  const { organizationId, detailsDays } = retention
  if (detailsDays === null) return
  const before = now - detailsDays * DAY_MS
  let from = retention
  let isComplete = true
  for (let batch = 0; batch < BATCHES_PER_TURN && !isStopping(); batch++) {
    const ids = await listWithDetails(db, from, before, BATCH)
    const last = ids.at(-1)
    if (last === undefined) break
    if (batch === 0) await sayPruned(db, organizationId, now, { detailsBefore: toIso(before) })
    const count = await removeDetails(db, organizationId, ids, now)
    removed.details += count
    // A skipped, locked transaction must be found again, so the stored position stays before it.
    isComplete &&= count === ids.length
    from = { ...from, detailsRemovedTo: last }
    if (isComplete) await noteDetailsRemoved(db, organizationId, last)
    if (ids.length < BATCH) break
  }
}

async function dropEmptyMonths({ db, log }: RetentionParts, now: Instant): Promise<void> {
  for (const partition of await listOldPartitions(db, DROPPED_WHEN_EMPTY, now)) {
    const outcome = await dropIfEmpty(db, partition)
    const { name } = partition
    if (outcome === 'dropped') logEvent(log, 'retention.partition_dropped', { name })
    if (outcome === 'busy') logEvent(log, 'retention.partition_busy', { name })
  }
}

import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { GATEWAY } from '../core/actor.ts'
import type { Fields } from '../core/change.ts'
import { toPublicId } from '../core/id.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { recordChange } from '../storage/changes.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { dropIfEmpty, listOldPartitions } from '../storage/engine/old-partitions.ts'
import { lockOrganization } from '../storage/organizations.ts'
import {
  hasEventsBefore,
  listRetentions,
  listWithDetails,
  noteDetailsRemoved,
  noteEventsRemoved,
  type OrganizationRetention,
  REMOVALS,
  removeDetails,
} from '../storage/retention.ts'

const EVERY_MS = 10 * 60 * 1_000
/** Small batches, so that no row is locked for long. */
const BATCH = 500
/** How many batches of each kind an organization gets before the next organization's turn. */
const BATCHES_PER_TURN = 20
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
interface Removed {
  details: number
  attempts: number
  /** Webhook URLs that are no longer used. */
  urls: number
  deliveries: number
  events: number
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
    unfinished = await takeTurns(parts, left.length > 0 ? left : all, now, isStopping)
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

/** Returns the organizations that have more to remove than fits into a turn. */
async function takeTurns(
  parts: RetentionParts,
  retentions: readonly OrganizationRetention[],
  now: Instant,
  isStopping: () => boolean,
): Promise<Set<string>> {
  const unfinished = new Set<string>()
  for (const retention of retentions) {
    if (isStopping()) break
    const isDone = await takeTurn(parts, retention, now, isStopping)
    if (!isDone) unfinished.add(retention.organizationId)
  }
  return unfinished
}

/** False if there was more to remove than fits into a turn. */
async function takeTurn(
  { db, log }: RetentionParts,
  retention: OrganizationRetention,
  now: Instant,
  isStopping: () => boolean,
): Promise<boolean> {
  const { organizationId } = retention
  const removed: Removed = { details: 0, attempts: 0, urls: 0, deliveries: 0, events: 0 }
  try {
    await sweepDetails(db, retention, now, removed, isStopping)
    await sweepEvents(db, retention, now, removed, isStopping)
    const counts = Object.values(removed)
    if (counts.some((count) => count > 0)) {
      logEvent(log, 'retention.removed', { organizationId, ...removed })
    }
    return counts.every((count) => count < BATCH * BATCHES_PER_TURN)
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

async function sweepEvents(
  db: Database,
  { organizationId, eventsDays }: OrganizationRetention,
  now: Instant,
  removed: Removed,
  isStopping: () => boolean,
): Promise<void> {
  if (eventsDays === null) return
  const before = now - eventsDays * DAY_MS
  if (!(await hasEventsBefore(db, organizationId, before))) return
  await sayPruned(db, organizationId, now, { eventsBefore: toIso(before) }, (tx) =>
    noteEventsRemoved(tx, organizationId, before),
  )
  for (const [what, remove] of REMOVALS) {
    for (let batch = 0; batch < BATCHES_PER_TURN && !isStopping(); batch++) {
      const count = await remove(db, organizationId, before, BATCH)
      removed[what] += count
      if (count < BATCH) break
    }
  }
}

/**
 * Records each removal in the audit log before it happens: if data are missing without such a
 * record, the gateway did not remove them.
 */
async function sayPruned(
  db: Database,
  organizationId: string,
  at: Instant,
  after: Fields,
  note: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const subjectId = toPublicId('org', organizationId)
  await db.transaction(async (tx) => {
    // The change commits to the organization's row, so the row must not change meanwhile.
    await lockOrganization(tx, organizationId)
    await note(tx)
    const pruned = { operation: 'organization.pruned', subjectId, at, before: null, after } as const
    recordChange(tx, organizationId, GATEWAY, pruned)
  })
}

async function dropEmptyMonths({ db, log }: RetentionParts, now: Instant): Promise<void> {
  for (const partition of await listOldPartitions(db, DROPPED_WHEN_EMPTY, now)) {
    const outcome = await dropIfEmpty(db, partition)
    const { name } = partition
    if (outcome === 'dropped') logEvent(log, 'retention.partition_dropped', { name })
    if (outcome === 'busy') logEvent(log, 'retention.partition_busy', { name })
  }
}

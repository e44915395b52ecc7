import { type Instant, toIso } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import {
  hasEventsBefore,
  listOld,
  type OldKind,
  removeOld,
  type SweepPosition,
  storeSweepPosition,
} from '../storage/old-events.ts'
import { noteEventsRemoved, type OrganizationRetention } from '../storage/retention.ts'
import { sayPruned } from './say-pruned.ts'

/** Small batches, so that no row is locked for long. */
export const BATCH = 500
/** How many batches of each kind an organization gets before the next organization's turn. */
export const BATCHES_PER_TURN = 20
const DAY_MS = 86_400_000
/**
 * How long rows that were kept are not looked at again. A paused endpoint keeps any number of events for as
 * long as it is paused.
 */
const AGAIN_AFTER_MS = 60 * 60 * 1_000

/** Rows are removed before the rows that they refer to. */
const ORDER: readonly OldKind[] = ['attempts', 'urls', 'deliveries', 'events']

export type RemovedEvents = Record<OldKind, number>

interface Turn {
  /** Counts the removed rows. */
  readonly removed: RemovedEvents
  /** Whether the last turn of this organization ended before its last row. */
  readonly isGoingOn: boolean
  readonly isStopping: () => boolean
}

/**
 * Removes events, deliveries, attempts and replaced URLs past the retention period, batch by batch in the order
 * of their ids. A turn that keeps rows stores where it ended, so that the next one continues behind them.
 * Returns false if there was more than fits into a turn.
 */
export async function sweepEvents(
  db: Database,
  retention: OrganizationRetention,
  now: Instant,
  { removed, isGoingOn, isStopping }: Turn,
): Promise<boolean> {
  const { organizationId, eventsDays } = retention
  if (eventsDays === null) return true
  const before = now - eventsDays * DAY_MS
  const position = beginAt(retention, now, isGoingOn)
  const to = { deliveries: position.deliveriesTo, events: position.eventsTo }
  const hasOld = await hasEventsBefore(db, organizationId, position, before)
  const remove = createRemoval(db, organizationId, now, before)
  const sweeps = []
  for (const kind of hasOld ? ORDER : []) {
    const after = isKeeping(kind) ? to[kind] : null
    const sweep = await sweepKind((from) => remove(kind, from), after, isStopping)
    removed[kind] += sweep.removed
    if (isKeeping(kind)) to[kind] = sweep.after
    sweeps.push({ ...sweep, hasKept: isKeeping(kind) && sweep.hasKept })
  }
  const hasKept = sweeps.some((sweep) => sweep.hasKept)
  const againAt = position.againAt ?? now + AGAIN_AFTER_MS
  const next = { deliveriesTo: to.deliveries, eventsTo: to.events, againAt }
  if (hasKept) await storeSweepPosition(db, organizationId, next)
  // The rows that were kept before are gone.
  else if (isFreed(position, retention)) await storeSweepPosition(db, organizationId, position)
  return sweeps.every(({ isDone }) => isDone)
}

/** Whether this turn began with the oldest, although a position is stored. */
function isFreed(begun: SweepPosition, stored: SweepPosition): boolean {
  return begun.againAt === null && stored.againAt !== null
}

/** Whether rows of this kind can stay for long, although they are old. */
function isKeeping(kind: OldKind): kind is 'deliveries' | 'events' {
  return kind === 'deliveries' || kind === 'events'
}

interface Batch {
  /** The last row that was looked at; null if there was none. */
  readonly last: string | null
  readonly removed: number
  readonly hasKept: boolean
  /** Whether there can be further rows. */
  readonly isFull: boolean
}

async function sweepKind(
  remove: (after: string | null) => Promise<Batch>,
  from: string | null,
  isStopping: () => boolean,
): Promise<{ after: string | null; removed: number; hasKept: boolean; isDone: boolean }> {
  const sum = { after: from, removed: 0, hasKept: false, isDone: false }
  for (let batch = 0; batch < BATCHES_PER_TURN && !isStopping() && !sum.isDone; batch++) {
    const { last, removed, hasKept, isFull } = await remove(sum.after)
    sum.after = last ?? sum.after
    sum.removed += removed
    sum.hasKept ||= hasKept
    sum.isDone = !isFull
  }
  return sum
}

/** Removes a batch of one kind after another. The first one that removes rows says so in the audit log. */
function createRemoval(db: Database, organizationId: string, now: Instant, before: Instant) {
  let isSaid = false
  return async (kind: OldKind, after: string | null): Promise<Batch> => {
    const rows = await listOld(db, organizationId, kind, { after, before, limit: BATCH })
    const ids = rows.flatMap(({ id, isRemovable }) => (isRemovable ? [id] : []))
    if (ids.length > 0 && !isSaid) {
      await sayPruned(db, organizationId, now, { eventsBefore: toIso(before) }, (tx) =>
        noteEventsRemoved(tx, organizationId, before),
      )
      isSaid = true
    }
    return {
      last: rows.at(-1)?.id ?? null,
      removed: ids.length > 0 ? await removeOld(db, organizationId, kind, ids, before) : 0,
      hasKept: ids.length < rows.length,
      isFull: rows.length === BATCH,
    }
  }
}

/** The stored position, or the beginning once it is time to look at everything again. */
function beginAt(
  { deliveriesTo, eventsTo, againAt }: OrganizationRetention,
  now: Instant,
  isGoingOn: boolean,
): SweepPosition {
  const isStale = againAt !== null && againAt <= now && !isGoingOn
  return isStale
    ? { deliveriesTo: null, eventsTo: null, againAt: null }
    : { deliveriesTo, eventsTo, againAt }
}

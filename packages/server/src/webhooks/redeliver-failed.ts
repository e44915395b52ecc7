import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import type { Instant } from '../core/time/instant.ts'
import { NO_ORGANIZATION } from '../storage/api-keys.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { accountRedelivery } from '../storage/webhooks/account-redelivery.ts'
import { listEndpointIds } from '../storage/webhooks/endpoints.ts'
import {
  listNextFailed,
  listRedeliveries,
  lockRedelivery,
  queueAllAgain,
  REDELIVERED_MAX,
  type RunningRedelivery,
  storeRedelivery,
} from '../storage/webhooks/redeliveries.ts'

/** A task whose process has died waits at most this long for another one. */
const POLL_MS = 5_000
/** The time between two steps of a task. */
const REST_MS = 250
/** Few, because new events wait behind them if the receiver is slow. */
const QUEUED_AT_ONCE = 10
const ORGANIZATIONS_AT_ONCE = 64

export interface Redeliveries {
  /** Starts a round soon, because a task has begun. */
  wake(): void
  stop(): Promise<void>
}

interface RedeliveryParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly log: Log
  /** Called after deliveries were queued. */
  wakeDispatcher(): void
}

/**
 * Carries out the tasks that send failed deliveries again, oldest first and a few at a time. A task
 * is a row that stores how far it is, so any process can continue it after a restart. The dispatcher
 * sends the deliveries, once each, as if a caller had requested every single one.
 */
export function startRedeliveries(parts: RedeliveryParts): Redeliveries {
  const { db, log } = parts
  let after = NO_ORGANIZATION
  const loop = startLoop({
    everyMs: POLL_MS,
    restMs: () => REST_MS,
    failed: (err) => logEvent(log, 'webhooks.redelivery_scan_failed', { err }),
    async run(isStopping) {
      const ids = await listRedeliveries(db, after, ORGANIZATIONS_AT_ONCE)
      // The next round begins with the organizations that had no turn in this one.
      after = ids[ORGANIZATIONS_AT_ONCE - 1] ?? NO_ORGANIZATION
      for (const id of ids) {
        if (isStopping()) return
        try {
          if (await continueTask(parts, id)) loop.wake()
        } catch (err) {
          logEvent(log, 'webhooks.redelivery_failed', { err, organizationId: id })
        }
      }
    },
  })
  // Continues the tasks of a process that has ended.
  loop.wake()
  return loop
}

/** Returns whether the task goes on. */
async function continueTask(
  { db, clock, wakeDispatcher }: RedeliveryParts,
  organizationId: string,
): Promise<boolean> {
  const task = await db.transaction(async (tx) => {
    const [locked, at, all] = await Promise.all([
      lockRedelivery(tx, organizationId),
      clock(tx),
      listEndpointIds(tx, organizationId, 'all'),
    ])
    if (!locked) return undefined
    const accounted = await accountRedelivery(tx, organizationId, locked)
    const next =
      all.length > 0
        ? await queueNext(tx, organizationId, accounted, at)
        : { ...accounted, status: 'stopped' as const, endedAt: at }
    tx.send(storeRedelivery(organizationId, next))
    return next
  })
  if (!task) return false
  if (task.entryIds.length > 0) wakeDispatcher()
  return task.status === 'running'
}

/** Fills the room in the queue, or ends the task if nothing is left. */
async function queueNext(
  tx: Tx,
  organizationId: string,
  task: RunningRedelivery,
  at: Instant,
): Promise<RunningRedelivery> {
  const begun = task.sent + task.failed + task.entryIds.length
  const room = Math.min(QUEUED_AT_ONCE - task.entryIds.length, REDELIVERED_MAX - begun)
  const active = await listEndpointIds(tx, organizationId, 'active')
  const next = room > 0 ? await listNextFailed(tx, organizationId, task, active, room) : []
  const ids = next.map(({ id }) => id)
  if (ids.length === 0 && task.entryIds.length === 0)
    return { ...task, status: 'done', endedAt: at }
  const entryIds = ids.map(() => newId(at))
  if (ids.length > 0) tx.send(queueAllAgain(organizationId, entryIds, next, at))
  return {
    ...task,
    afterId: ids.at(-1) ?? task.afterId,
    deliveryIds: [...task.deliveryIds, ...ids],
    entryIds: [...task.entryIds, ...entryIds],
    // A delivery can fail while the task runs.
    total: Math.max(task.total, begun + ids.length),
  }
}

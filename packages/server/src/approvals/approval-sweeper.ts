import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { decidedData } from '../core/events/approval-event.ts'
import {
  expireRequests,
  listOrganizationsWithOverdue,
  lockOverdueRequests,
} from '../storage/approvals/overdue.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { waitBriefly } from '../storage/engine/queryable.ts'
import { toApprovalEvent } from '../storage/webhooks/approval-events.ts'
import { readSubscription, tellEvents, untoldUnless } from '../storage/webhooks/subscriptions.ts'

const EVERY_MS = 1_000
const REQUESTS_AT_ONCE = 100
const ORGANIZATIONS_AT_ONCE = 1_000

interface SweeperParts {
  readonly db: Database
  readonly clock: Clock
  /** Called after the commit, if an event was stored. */
  onStored(organizationId: string, hasWebhook: boolean): void
  readonly log: Log
}

/**
 * Marks requests that were not decided in time as expired, and sends the event. A request reads as
 * expired by the clock alone, so only the event depends on this sweeper. A transaction locks one
 * organization and few requests. Requests that one round does not reach are left to the next (ADR
 * 42).
 */
export function startApprovalSweeper(parts: SweeperParts): Loop {
  const { db, clock, log } = parts
  return startLoop({
    everyMs: EVERY_MS,
    failed: (err) => logEvent(log, 'approvals.scan_failed', { err }),
    async run(isStopping) {
      const now = clock.estimate()
      for (const id of await listOrganizationsWithOverdue(db, now, ORGANIZATIONS_AT_ONCE)) {
        if (isStopping()) return
        // An organization whose feed is locked must not delay the events of the others.
        await sweepOne(parts, id).catch((err: unknown) => {
          logEvent(log, 'approvals.expire_failed', { err, organizationId: id })
        })
      }
    },
  })
}

async function sweepOne(
  { db, clock, onStored }: SweeperParts,
  organizationId: string,
): Promise<void> {
  const hasWebhook = await db.transaction((tx) => expire(tx, clock, organizationId))
  if (hasWebhook !== undefined) onStored(organizationId, hasWebhook)
}

/** Returns undefined if no event was stored. */
async function expire(tx: Tx, clock: Clock, organizationId: string): Promise<boolean | undefined> {
  tx.send(waitBriefly())
  const [found, now, subscription] = await Promise.all([
    lockOverdueRequests(tx, organizationId, clock.estimate(), REQUESTS_AT_ONCE),
    clock.read(tx),
    readSubscription(tx, organizationId),
  ])
  // The estimate may be ahead of the database's clock, which decides.
  const overdue = found.filter(({ expiresAt }) => expiresAt <= now)
  if (overdue.length === 0) return undefined
  const ids = overdue.map(({ id }) => id)
  tx.send(expireRequests(organizationId, ids))
  const events = overdue.map((approval) => {
    const data = decidedData({ ...approval, status: 'expired' }, undefined)
    const event = toApprovalEvent('approval.decided', approval, data, now)
    return { ...event, ...untoldUnless(subscription, 'approval.decided') }
  })
  for (const told of tellEvents(organizationId, now, events, subscription)) tx.sendLast(told)
  return subscription.hasWebhook
}

import type { Lifecycle } from '../base/lifecycle.ts'
import type { Log } from '../base/log.ts'
import { createFeedSignal } from '../http/feed-signal.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { startDispatcher } from '../webhooks/dispatcher.ts'
import { startRedeliveries } from '../webhooks/redeliver-failed.ts'
import type { Metering } from './observation/metering.ts'

interface WebhookParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly clock: DatabaseClock
  readonly retryDelaysMs: readonly number[]
  readonly log: Log
}

/** Starts the delivery of events, and connects it with those who store and follow them. */
export function startWebhooks(
  { add }: Lifecycle,
  { retryDelaysMs, ...parts }: WebhookParts,
  { onAttempt, toReceivers }: Pick<Metering, 'onAttempt' | 'toReceivers'>,
) {
  const outbound = toReceivers(parts.outbound)
  const dispatcher = add(
    startDispatcher({ ...parts, outbound, delaysMs: retryDelaysMs, onAttempt }),
  )
  const { db, clock, log } = parts
  const { wake: wakeDispatcher } = dispatcher
  const redeliveries = add(startRedeliveries({ db, clock, log, wakeDispatcher }))
  const feed = createFeedSignal()
  const onStored = (organizationId: string, hasWebhook: boolean): void => {
    if (hasWebhook) dispatcher.wake()
    feed.announce(organizationId)
  }
  const forRoutes = {
    feed,
    maxAttempts: retryDelaysMs.length + 1,
    wakeDispatcher,
    wakeRedeliveries: redeliveries.wake,
  }
  return { dispatcher, onStored, forRoutes }
}

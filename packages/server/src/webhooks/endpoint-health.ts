import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { toPublicId } from '../core/id.ts'
import { FAILING_MAX_MS } from '../core/webhook-endpoint.ts'
import type { Database } from '../storage/engine/database.ts'
import type { AttemptEnd } from '../storage/webhooks/attempts.ts'
import { noteFailure, noteRecovery } from '../storage/webhooks/endpoint-health.ts'
import type { Attempt } from './attempt.ts'

type Ended = Pick<AttemptEnd, 'outcome' | 'endedAt'>

/**
 * Notes whether the endpoint of an attempt works, and pauses it once every attempt has failed for five
 * days. A note that is lost with its process follows from the next attempt. It is not part of the
 * transaction that stores ends, so that ends never wait for a change of one endpoint.
 */
export async function noteHealth(
  { db, log }: { readonly db: Database; readonly log: Log },
  { organizationId, endpointId, failingSince }: Attempt,
  { outcome, endedAt }: Ended,
): Promise<void> {
  try {
    if (outcome === 'succeeded' && failingSince !== null) {
      await noteRecovery(db, organizationId, endpointId)
    }
    if (outcome !== 'failed') return
    if (failingSince !== null && endedAt < failingSince + FAILING_MAX_MS) return
    if (!(await noteFailure(db, organizationId, endpointId, endedAt))) return
    const fields = { organizationId, endpointId: toPublicId('whe', endpointId) }
    logEvent(log, 'webhooks.endpoint_paused', fields)
  } catch (err) {
    logEvent(log, 'webhooks.health_not_stored', { err, organizationId })
  }
}

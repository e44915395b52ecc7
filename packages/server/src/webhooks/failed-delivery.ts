import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { toPublicId } from '../core/id.ts'

/** A delivery that has no further automatic retry. */
export interface FailedDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  /** The status of the last attempt; null if there was no response. */
  readonly statusCode: number | null
  readonly errorClass: string | null
  /** The number of failed attempts. */
  readonly attempts: number
}

/**
 * Logs one line for the operator, with the fields that identify the delivery. It omits the URL,
 * which may contain a token, and the receiver's response: only the organization sees those, in its
 * delivery log.
 */
export function tellFailure(log: Log, { deliveryId, ...rest }: FailedDelivery): void {
  const fields = { ...rest, deliveryId: toPublicId('dlv', deliveryId) }
  logEvent(log, 'webhooks.delivery_failed', fields)
}

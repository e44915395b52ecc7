import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { toPublicId } from '../core/id.ts'

/** A delivery that is not tried again automatically. */
export interface FailedDelivery {
  readonly organizationId: string
  readonly eventId: string
  /** The status of the last attempt; null if no answer came. */
  readonly statusCode: number | null
  readonly errorClass: string | null
  /** How many attempts counted as failed. */
  readonly attempts: number
}

/**
 * One line for the operator, with what is needed to find the delivery. It leaves out the URL, which
 * may carry a token, and the receiver's words: those are in the log of deliveries, for the
 * organization alone.
 */
export function tellFailure(log: Log, { eventId, ...rest }: FailedDelivery): void {
  const fields = { ...rest, deliveryId: toPublicId('dlv', eventId) }
  logEvent(log, 'webhooks.delivery_failed', fields)
}

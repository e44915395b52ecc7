import { toPublicId } from '../core/id.ts'
import type { Log } from '../log.ts'

/** A delivery that is not tried again by itself. */
export interface FailedDelivery {
  readonly organizationId: string
  readonly eventId: string
  /** Of the last attempt; null where no answer came. */
  readonly statusCode: number | null
  readonly errorClass: string | null
  /** How many counted as failed. */
  readonly attempts: number
}

/**
 * One line for the operator, with what is needed to find the delivery. Not the URL, which may carry a
 * token, and no words of the receiver: those are in the log of deliveries, for the organization alone.
 */
export function tellFailure(log: Log, { eventId, ...rest }: FailedDelivery): void {
  const fields = { ...rest, deliveryId: toPublicId('dlv', eventId) }
  log.warn(fields, 'A webhook delivery failed and is not tried again.')
}

import type { Database } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { X402Payment } from '../payment.ts'
import { findDelivery, storeDelivery } from '../storage/deliveries.ts'
import { deliveryPurpose } from '../storage/sealed-values.ts'
import { type Delivery, isDelivered } from './delivery.ts'

interface KeepingParts {
  readonly db: Database
  readonly sealer: Sealer
}

const KEPT_MAX = 1_024 * 1_024

const NOT_KEPT = {
  code: 'not_kept',
  message: 'The vendor delivered more than 1 MiB, which was passed on once and not stored.',
}

/**
 * Says that the vendor delivered: an agent that believes otherwise would complain, or buy again.
 */
const GONE: Delivery = {
  resource: null,
  resourceError: {
    code: 'not_kept',
    message:
      'The vendor delivered, and the delivery was passed on. Its copy was stored for a day and is removed.',
  },
  receipt: null,
  isGone: true,
}

/** Stores a vendor's delivery, sealed: it was paid for, and is private to the organization. */
export function keepDelivery(
  { db, sealer }: KeepingParts,
  payment: X402Payment,
  delivery: Delivery,
): Promise<void> {
  const text = JSON.stringify(delivery)
  const kept = text.length > KEPT_MAX ? JSON.stringify(withoutBody(delivery)) : text
  const sealed = sealer.seal(payment.organizationId, deliveryPurpose(payment), kept)
  return storeDelivery(db, payment, { sealed, delivered: isDelivered(delivery) })
}

const NEVER_KEPT = { sealed: null, delivered: null }

export async function findKept(
  { db, sealer }: KeepingParts,
  payment: X402Payment,
): Promise<Delivery | undefined> {
  const { sealed, delivered } = (await findDelivery(db, payment)) ?? NEVER_KEPT
  if (sealed) {
    return JSON.parse(sealer.open(payment.organizationId, deliveryPurpose(payment), sealed))
  }
  return delivered ? GONE : undefined
}

/** Keeps the status, because a retry must not report that nothing was delivered. */
function withoutBody(delivery: Delivery): Delivery {
  const { resource } = delivery
  return {
    ...delivery,
    resource: resource && { ...resource, body: '', bodyEncoding: 'utf8', truncated: true },
    resourceError: NOT_KEPT,
  }
}

import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { PaymentKey, X402Payment } from '../payment.ts'

/**
 * Long enough for an agent that lost the answer, and not longer: deliveries may be large and many.
 */
const DELIVERY_KEPT_MS = 24 * 60 * 60 * 1_000

/**
 * Takes the lease for a call to the vendor, and returns whether that succeeded. No other request
 * calls the vendor before `until`.
 */
export async function takeCall(
  db: Queryable,
  { organizationId, id }: X402Payment,
  { now, until }: { now: Instant; until: Instant },
): Promise<boolean> {
  const rows = await db.query({
    text: `update x402_payments set calling_until = $4
           where organization_id = $1 and id = $2 and delivery is null
             and (calling_until is null or calling_until <= $3)
           returning 1`,
    values: [organizationId, id, toIso(now), toIso(until)],
  })
  return rows.length > 0
}

/** Releases the caller's own lease. */
export async function endCall(
  db: Queryable,
  { organizationId, id }: PaymentKey,
  until: Instant,
): Promise<void> {
  await db.query({
    text: `update x402_payments set calling_until = null
           where organization_id = $1 and id = $2 and calling_until = $3`,
    values: [organizationId, id, toIso(until)],
  })
}

/**
 * Stores the first answer and ignores later ones. `delivered` says whether the answer contains the
 * goods.
 */
export async function storeDelivery(
  db: Queryable,
  { organizationId, id }: X402Payment,
  { sealed, delivered }: { readonly sealed: Buffer; readonly delivered: boolean },
): Promise<void> {
  await db.query({
    text: `update x402_payments set delivery = $3, delivered = $4
           where organization_id = $1 and id = $2 and delivery is null`,
    values: [organizationId, id, sealed, delivered],
  })
}

/** A stored answer, or its remains. */
interface DeliveryRow {
  /** Null after its removal, or if no answer was stored. */
  readonly sealed: Buffer | null
  /** Null if no answer was stored. */
  readonly delivered: boolean | null
}

export async function findDelivery(
  db: Queryable,
  { organizationId, id }: X402Payment,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.query<DeliveryRow>({
    text: `select delivery as sealed, delivered from x402_payments
           where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row
}

/**
 * Removes old deliveries, a limited number at once, and returns the number removed. Copies from
 * older versions lack `delivered`. They count as delivered, because nearly all of them are.
 */
export async function removeOldDeliveries(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      update x402_payments p set delivery = null, delivered = coalesce(p.delivered, true)
      from (select organization_id, id from x402_payments
            where delivery is not null and created_at <= $1 limit 100) as old
      where p.organization_id = old.organization_id and p.id = old.id
      returning 1`,
    values: [toIso(now - DELIVERY_KEPT_MS)],
  })
  return rows.length
}

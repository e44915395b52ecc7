import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { PaymentKey, X402Payment } from '../payment.ts'

/**
 * Long enough for an agent that lost an answer, but no longer: deliveries may be large and many.
 */
const DELIVERY_KEPT_MS = 24 * 60 * 60 * 1_000

/** Whether it is the caller's turn to call the vendor. Nobody else calls it before `until`. */
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

/** Gives the caller's own turn back. */
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

/** The first answer is kept, and no other. `delivered` says whether it is what was paid for. */
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

/** What is left of an answer that was kept. */
interface DeliveryRow {
  /** Null once it is removed, or if none was ever kept. */
  readonly sealed: Buffer | null
  /** Null if none was ever kept. */
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
 * Removes what was delivered long ago, a bounded number at once; returns the number removed. A copy
 * of an older version does not say whether it is of a delivery; nearly all are.
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

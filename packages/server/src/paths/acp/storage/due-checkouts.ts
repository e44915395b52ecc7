import { type Instant, toIso } from '../../../core/time/instant.ts'
import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import { plainArray } from '../../../storage/engine/wire-array.ts'
import type { AcpCheckout, CheckoutKey } from '../checkout/checkout.ts'
import { CHECKOUT_COLUMNS, type CheckoutRow, toCheckout } from './checkouts.ts'

/**
 * Lists open checkouts whose check is due, without a lock, except those of the organizations in
 * `leftOut`.
 */
export function listDueCheckouts(
  db: Queryable,
  now: Instant,
  limit: number,
  leftOut: readonly string[],
): Promise<CheckoutKey[]> {
  return db.query<CheckoutKey>({
    name: 'list-due-acp-checkouts',
    text: `
      select organization_id as "organizationId", id from acp_checkouts
      where next_check_at <= $1 and organization_id <> all($3::uuid[]) /*among organization_id*/
      order by next_check_at limit $2`,
    values: [toIso(now), limit, leftOut],
  })
}

/**
 * Leases the organization's checkouts that are still due, by postponing their next check until the
 * lease ends. If a process dies, its checkouts wait for that time. The new step keeps a process
 * that worked on them before from changing them.
 */
export async function claimCheckouts(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  { now, until }: { readonly now: Instant; readonly until: Instant },
): Promise<AcpCheckout[]> {
  const rows = await db.query<CheckoutRow>({
    name: 'claim-acp-checkouts',
    text: `
      update acp_checkouts set next_check_at = $3, checks = checks + 1, step = step + 1
      where organization_id = $1 and id = any(array(
        select due.id from acp_checkouts due
        where due.organization_id = $1 and due.id = any($4::uuid[]) and due.next_check_at <= $2
        for update skip locked))
      returning ${CHECKOUT_COLUMNS}`,
    values: [organizationId, toIso(now), toIso(until), ids],
  })
  return rows.map(toCheckout)
}

/**
 * Schedules the next check, unless another process has changed the checkout since and scheduled it.
 */
export async function postponeCheckout(
  db: Queryable,
  { organizationId, id, step }: CheckoutKey & Pick<AcpCheckout, 'step'>,
  at: Instant,
): Promise<void> {
  await db.query({
    name: 'postpone-acp-checkout',
    text: `update acp_checkouts set next_check_at = $4
           where organization_id = $1 and id = $2 and step = $3 and next_check_at is not null`,
    values: [organizationId, id, step, toIso(at)],
  })
}

/** The holds of a merchant whose payment token has expired without a known outcome. */
export interface MerchantHealth {
  readonly vendorId: string
  readonly heldPastEnd: bigint
  readonly oldestTokenEnd: Instant
}

/** Lists merchants with such holds. Merchants without them have no row. */
export function listMerchantHealth(
  db: Queryable,
  organizationId: string,
  vendorIds: readonly string[],
  endedBefore: Instant,
): Promise<MerchantHealth[]> {
  return db.query<MerchantHealth>({
    name: 'list-merchant-health',
    text: `
      select vendor_id as "vendorId", count(*) as "heldPastEnd", min(token_ends_at) as "oldestTokenEnd"
      from acp_checkouts
      where organization_id = $1 and vendor_id = any($2::uuid[]) and next_check_at is not null
        and token_ends_at <= $3
      group by vendor_id`,
    values: [organizationId, plainArray(vendorIds), toIso(endedBefore)],
  })
}

/** Open checkouts, and the earliest check that the reconciler has to make. */
export async function readCheckoutBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-acp-backlog',
    text: `
      select count(*) as count, min(next_check_at) as since
      from (select next_check_at from acp_checkouts where next_check_at is not null
            order by next_check_at limit $1) c`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}

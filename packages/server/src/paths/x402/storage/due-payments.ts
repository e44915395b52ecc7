import { type Instant, toIso } from '../../../core/time/instant.ts'
import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { X402Payment } from '../payment.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payments.ts'

/** The payments on these networks, or those on all other networks. */
export interface PaymentsOf {
  readonly networks: readonly string[]
  readonly isAmong: boolean
}

/** An open payment whose check is due. */
export interface DuePayment {
  readonly organizationId: string
  readonly id: string
}

/**
 * Lists open payments whose check is due, without a lock, except those of the organizations in
 * `leftOut`.
 */
export function listDuePayments(
  db: Queryable,
  { networks, isAmong }: PaymentsOf,
  now: Instant,
  limit: number,
  leftOut: readonly string[],
): Promise<DuePayment[]> {
  return db.query<DuePayment>({
    name: 'list-due-x402-payments',
    text: `
      select organization_id as "organizationId", id from x402_payments
      where state = 'held' and check_at <= $1 and (network = any($3::text[])) = $4
        and organization_id <> all($5::uuid[]) /*among organization_id*/
      order by check_at limit $2`,
    values: [toIso(now), limit, networks, isAmong, leftOut],
  })
}

/**
 * Leases the organization's payments that are still due, by postponing their next check until the
 * lease ends. If a process dies, its payments wait for that time. Two processes never work on the
 * same payment at a time.
 */
export async function claimPayments(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  { now, until }: { now: Instant; until: Instant },
): Promise<X402Payment[]> {
  const rows = await db.query<PaymentRow>({
    name: 'claim-x402-payments',
    text: `
      update x402_payments set check_at = $3, checks = checks + 1
      where organization_id = $1 and id = any(array(
        select due.id from x402_payments due
        where due.organization_id = $1 and due.id = any($4::uuid[]) and due.state = 'held'
          and due.check_at <= $2
        for update skip locked))
      returning ${PAYMENT_COLUMNS}`,
    values: [organizationId, toIso(now), toIso(until), ids],
  })
  return rows.map(toPayment)
}

/**
 * Schedules the next checks. Skips locked payments: another process works on them, and they keep
 * their time.
 */
export async function scheduleChecks(
  db: Queryable,
  organizationId: string,
  turns: readonly { readonly id: string; readonly at: Instant }[],
): Promise<void> {
  await db.query({
    name: 'schedule-x402-checks',
    text: `
      with free as (
        select p.id, turn.at from x402_payments p
        join unnest($2::uuid[], $3::timestamptz[]) as turn (id, at) on turn.id = p.id
        where p.organization_id = $1 and p.id = any($2::uuid[]) and p.state = 'held'
        for update of p skip locked
      )
      update x402_payments p set check_at = free.at
      from free where p.organization_id = $1 and p.id = free.id`,
    values: [organizationId, turns.map(({ id }) => id), turns.map(({ at }) => toIso(at))],
  })
}

/** Open payments, and the earliest check that the reconciler has to make. */
export async function readPaymentBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-x402-backlog',
    text: `
      select count(*) as count, min(check_at) as since
      from (select check_at from x402_payments where state = 'held' order by check_at limit $1) p`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}

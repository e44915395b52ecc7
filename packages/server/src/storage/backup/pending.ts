import { toIso } from '../../core/time/instant.ts'
import { readClock } from '../engine/clock.ts'
import type { Queryable } from '../engine/database.ts'

/** What a store will send or complete once it opens. */
export interface Pending {
  /** Webhook deliveries that wait in the queue. */
  readonly deliveries: number
  /** Messages to people that wait to be sent. */
  readonly messages: number
  /** Tasks that send failed deliveries again. */
  readonly redeliveries: number
  /** Signed x402 payments that the gateway follows on their chain. */
  readonly signedPayments: number
  /** x402 payments that were approved and not signed yet. */
  readonly unsignedPayments: number
  /** ACP checkouts that are not finished. */
  readonly checkouts: number
  /** Holds that have expired and will be released. */
  readonly expiredHolds: number
  /** Approval requests that have expired. */
  readonly expiredApprovals: number
}

/** Counts over all organizations, for the operator alone. */
export async function countPending(db: Queryable): Promise<Pending> {
  const [row] = await db.query<Record<keyof Pending, bigint>>({
    text: `
      select
        (select count(*) from webhook_queue) as "deliveries",
        (select count(*) from messages where status = 'waiting') as "messages",
        (select count(*) from webhook_redeliveries where status = 'running') as "redeliveries",
        (select count(*) from x402_payments
         where state = 'held' and handed_out_at is not null) as "signedPayments",
        (select count(*) from x402_payments
         where state = 'held' and handed_out_at is null) as "unsignedPayments",
        (select count(*) from acp_checkouts where next_check_at is not null) as "checkouts",
        (select count(*) from transactions
         where status = 'held' and expires_at <= $1) as "expiredHolds",
        (select count(*) from approvals
         where status = 'pending' and expires_at <= $1) as "expiredApprovals"`,
    values: [toIso(await readClock(db))],
    timeoutMs: 600_000,
  })
  const count = (name: keyof Pending): number => Number(row?.[name] ?? 0)
  return {
    deliveries: count('deliveries'),
    messages: count('messages'),
    redeliveries: count('redeliveries'),
    signedPayments: count('signedPayments'),
    unsignedPayments: count('unsignedPayments'),
    checkouts: count('checkouts'),
    expiredHolds: count('expiredHolds'),
    expiredApprovals: count('expiredApprovals'),
  }
}

import { logEvent } from '../../../base/log/log-event.ts'
import { type Loop, startLoop } from '../../../base/loop.ts'
import { toPublicId } from '../../../core/id.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { X402_LOG_EVENTS } from '../log-events.ts'
import type { X402Payment } from '../payment.ts'
import {
  claimPayments,
  type DuePayment,
  listDuePayments,
  type PaymentsOf,
  scheduleChecks,
} from '../storage/due-payments.ts'
import type { PaymentEnd } from '../storage/payments.ts'
import { bookEnds, findEnd, type SettlementParts } from './settlement.ts'

const EVERY_MS = 1_000
const AT_ONCE = 50
/** The lease on payments. If a process dies while it holds one, its payments wait this long. */
const CLAIMED_FOR_MS = 30_000
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 15_000
/** At the longest delay, one reminder comes about every ten minutes. */
const CHECKS_PER_REMINDER = 40

/**
 * Starts the reconciler: it queries the chain about every open payment, repeatedly, until the
 * outcome is known, and then ends the hold (ADR 15). Several processes share the work, and a lease
 * gives each payment to one of them at a time. Each chain has its own lane, so that a hanging node
 * delays only its own payments.
 */
export function startReconciler(parts: SettlementParts): Pick<Loop, 'round' | 'stop'> {
  const withNode = parts.chains.networks.filter((network) => parts.chains.chain(network))
  const lanes = [
    ...withNode.map((network) => startLane(parts, { networks: [network], isAmong: true })),
    startLane(parts, { networks: withNode, isAmong: false }),
  ]
  return {
    async round() {
      await Promise.all(lanes.map((lane) => lane.round()))
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
    },
  }
}

function startLane(parts: SettlementParts, of: PaymentsOf): Loop {
  return startLoop({
    async run(isStopping) {
      const leftOut = new Set<string>()
      while (!isStopping()) {
        const now = await parts.clock(parts.db)
        const due = await listDuePayments(parts.db, of, now, AT_ONCE, [...leftOut])
        const { payments, failed } = await claim(parts, due, now)
        await look(parts, payments)
        for (const organizationId of failed) leftOut.add(organizationId)
        // A short batch ends the round. If another process claimed the rest, that process
        // continues.
        if (payments.length < AT_ONCE && failed.length === 0) return
      }
    },
    everyMs: EVERY_MS,
    // The next round retries. Until then the budget stays held, which is the safe side.
    failed: (err) => logEvent(parts.log, X402_LOG_EVENTS['x402.scan_failed'], { err }),
  })
}

/**
 * Leases the due payments of each organization separately. If that fails for one organization, its
 * payments stay due and would fill every batch. So the rest of the round leaves this organization
 * out.
 */
async function claim(
  { db, log }: SettlementParts,
  due: readonly DuePayment[],
  now: Instant,
): Promise<{ readonly payments: readonly X402Payment[]; readonly failed: readonly string[] }> {
  const payments: X402Payment[] = []
  const failed: string[] = []
  for (const organizationId of new Set(due.map((payment) => payment.organizationId))) {
    const own = due.filter((payment) => payment.organizationId === organizationId)
    const ids = own.map(({ id }) => id)
    try {
      const until = now + CLAIMED_FOR_MS
      payments.push(...(await claimPayments(db, organizationId, ids, { now, until })))
    } catch (err) {
      failed.push(organizationId)
      logEvent(log, X402_LOG_EVENTS['x402.claim_failed'], { err, organizationId })
    }
  }
  return { payments, failed }
}

/**
 * Queries the chain about all payments at once. Books their ends one organization at a time,
 * because decisions use the same database. Schedules the open payments last, so that a failure
 * there cannot keep an end from being booked.
 */
async function look(parts: SettlementParts, payments: readonly X402Payment[]): Promise<void> {
  if (payments.length === 0) return
  const found = await Promise.allSettled(payments.map((payment) => findEnd(parts, payment)))
  const now = await parts.clock(parts.db)
  const ended = new Map<string, Map<string, PaymentEnd>>()
  const open: X402Payment[] = []
  for (const [index, payment] of payments.entries()) {
    const result = found[index]
    const end = result?.status === 'fulfilled' ? result.value : undefined
    if (end) {
      const ends = ended.get(payment.organizationId) ?? new Map<string, PaymentEnd>()
      ended.set(payment.organizationId, ends.set(payment.id, end))
    } else open.push(payment)
  }
  for (const [organizationId, ends] of ended) await book(parts, organizationId, ends)
  await postpone(parts, open, now)
  const failures = found.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length === 0) return
  const fields = { err: failures[0], network: payments[0]?.network, payments: failures.length }
  logEvent(parts.log, X402_LOG_EVENTS['x402.chain_unreachable'], fields)
}

/**
 * Warns about an overdue hold. Otherwise a halted chain, or a node without a final block, would
 * hold budgets silently.
 */
function remind({ log, now }: SettlementParts, { id, network, authorization }: X402Payment): void {
  if (now() < authorization.validBefore * 1_000) return
  const transactionId = toPublicId('txn', id)
  logEvent(log, X402_LOG_EVENTS['x402.hold_overdue'], { transactionId, network })
}

/**
 * If a batch cannot be booked, books its payments one by one, so that a failing payment does not
 * stop the others. A failed payment is retried when its lease ends.
 */
async function book(
  parts: SettlementParts,
  organizationId: string,
  ends: ReadonlyMap<string, PaymentEnd>,
): Promise<void> {
  try {
    const payments = await bookEnds(parts, organizationId, ends)
    for (const { id, network, proof } of payments) {
      const transactionId = toPublicId('txn', id)
      if (proof !== 'assumed') continue
      logEvent(parts.log, X402_LOG_EVENTS['x402.assumed_spent'], { transactionId, network })
    }
  } catch (err) {
    const [[id] = ['']] = ends
    if (ends.size > 1) {
      for (const end of ends) await book(parts, organizationId, new Map([end]))
      return
    }
    const transactionId = toPublicId('txn', id)
    logEvent(parts.log, X402_LOG_EVENTS['x402.booking_failed'], { err, transactionId })
  }
}

/**
 * Schedules the next checks of each organization separately. If that fails, its payments are due
 * again when their lease ends.
 */
async function postpone(
  parts: SettlementParts,
  open: readonly X402Payment[],
  now: Instant,
): Promise<void> {
  for (const organizationId of new Set(open.map((payment) => payment.organizationId))) {
    const own = open.filter((payment) => payment.organizationId === organizationId)
    const turns = own.map(({ id, checks }) => ({ id, at: now + delayAfter(checks) }))
    try {
      await scheduleChecks(parts.db, organizationId, turns)
    } catch (err) {
      logEvent(parts.log, X402_LOG_EVENTS['x402.postpone_failed'], { err, organizationId })
    }
  }
  for (const payment of open) {
    if (payment.checks % CHECKS_PER_REMINDER === 0) remind(parts, payment)
  }
}

/** The first checks come soon, because most payments are settled within seconds. */
function delayAfter(checks: number): number {
  return Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** Math.min(checks, 10))
}

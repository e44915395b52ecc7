import { toPublicId } from '../../../core/id.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Log } from '../../../log.ts'
import { type Loop, startLoop } from '../../../loop.ts'
import type { X402Payment } from '../payment.ts'
import {
  claimPayments,
  type DuePayment,
  listDuePayments,
  type PaymentEnd,
  type PaymentsOf,
  scheduleCheck,
} from '../storage/payments.ts'
import { bookEnd, findEnd, type SettlementParts } from './settlement.ts'

const EVERY_MS = 1_000
const AT_ONCE = 50
/** If a process dies while it works on payments, they are delayed by this much. */
const CLAIMED_FOR_MS = 30_000
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 15_000
/** About ten minutes. */
const CHECKS_PER_REMINDER = 40

interface ReconcilerParts extends SettlementParts {
  readonly log: Log
}

/**
 * Brings holds in line with the chain: asks the chain about every open payment, again and again,
 * until it is known what became of the money. Several processes share the work; only one works on a
 * payment at a time. Each chain has its own lane, so that a node that hangs delays only its own
 * payments.
 */
export function startReconciler(parts: ReconcilerParts): { stop(): Promise<void> } {
  const withNode = parts.chains.networks.filter((network) => parts.chains.chain(network))
  const lanes = [
    ...withNode.map((network) => startLane(parts, { networks: [network], isAmong: true })),
    startLane(parts, { networks: withNode, isAmong: false }),
  ]
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
    },
  }
}

function startLane(parts: ReconcilerParts, of: PaymentsOf): Loop {
  return startLoop({
    async run(isStopping) {
      while (!isStopping()) {
        const now = await parts.clock(parts.db)
        const due = await listDuePayments(parts.db, of, now, AT_ONCE)
        const payments = await claim(parts, due, now)
        await look(parts, payments)
        // Fewer also where another process was quicker; then the rest is its work too.
        if (payments.length < AT_ONCE) return
      }
    },
    everyMs: EVERY_MS,
    // The next round tries again. Until then the budget stays held, which errs on the safe side.
    failed: (err) => parts.log.warn({ err }, 'Open x402 payments could not be read.'),
  })
}

/**
 * Organization by organization: if those of one cannot be claimed, the others are looked after all
 * the same.
 */
async function claim(
  { db, log }: ReconcilerParts,
  due: readonly DuePayment[],
  now: Instant,
): Promise<X402Payment[]> {
  const claimed: X402Payment[] = []
  for (const organizationId of new Set(due.map((payment) => payment.organizationId))) {
    const own = due.filter((payment) => payment.organizationId === organizationId)
    const ids = own.map(({ id }) => id)
    try {
      const until = now + CLAIMED_FOR_MS
      claimed.push(...(await claimPayments(db, organizationId, ids, { now, until })))
    } catch (err) {
      log.warn({ err }, 'Open x402 payments of an organization could not be claimed.')
    }
  }
  return claimed
}

/**
 * The chain is asked about all payments at once, but they are booked one by one, because decisions
 * use the same database.
 */
async function look(parts: ReconcilerParts, payments: readonly X402Payment[]): Promise<void> {
  if (payments.length === 0) return
  const found = await Promise.allSettled(payments.map((payment) => findEnd(parts, payment)))
  const now = await parts.clock(parts.db)
  for (const [index, payment] of payments.entries()) {
    const result = found[index]
    const end = result?.status === 'fulfilled' ? result.value : undefined
    if (end) await book(parts, payment, end)
    else await scheduleCheck(parts.db, payment, now + delayAfter(payment.checks))
    if (!end && payment.checks % CHECKS_PER_REMINDER === 0) remind(parts, payment)
  }
  const failures = found.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length === 0) return
  const fields = { err: failures[0], network: payments[0]?.network, payments: failures.length }
  parts.log.warn(fields, 'The chain could not be asked about x402 payments.')
}

/**
 * Without this warning, a chain that stands still, or a node that knows no final block, would hold
 * budgets silently.
 */
function remind({ log, now }: ReconcilerParts, { id, network, authorization }: X402Payment): void {
  if (now() < authorization.validBefore * 1_000) return
  const transactionId = toPublicId('txn', id)
  log.warn({ transactionId, network }, 'An x402 payment is still held after its end.')
}

/** A payment that cannot be booked must not stop the others; its turn comes again. */
async function book(parts: ReconcilerParts, payment: X402Payment, end: PaymentEnd): Promise<void> {
  const { id, network } = payment
  try {
    const { proof } = await bookEnd(parts, payment, end)
    if (proof !== 'assumed') return
    const transactionId = toPublicId('txn', id)
    parts.log.warn({ transactionId, network }, 'An x402 payment is taken for spent unproven.')
  } catch (err) {
    const transactionId = toPublicId('txn', id)
    parts.log.warn({ err, transactionId }, 'The end of an x402 payment could not be booked.')
  }
}

/** The first checks come soon, because most payments are settled within seconds. */
function delayAfter(checks: number): number {
  return Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** Math.min(checks, 10))
}

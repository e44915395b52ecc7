import type { Log } from '../../../base/log.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import type { DatabaseClock } from '../../../storage/engine/clock.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import type { X402Payment } from '../payment.ts'
import { endPayments, lockPayments, type PaymentEnd } from '../storage/payments.ts'
import { addAnomalies, judgeReceipt, tellAnomalies } from './anomalies.ts'
import type { Chains } from './chains.ts'

/** Without a node, the gateway assumes this long after its end that a payment is spent. */
const ASSUMED_AFTER_MS = 15 * 60_000

export const NEVER_SIGNED: PaymentEnd = {
  state: 'released',
  proof: 'unsigned',
  chainTransaction: null,
}
const ASSUMED: PaymentEnd = { state: 'settled', proof: 'assumed', chainTransaction: null }

export interface SettlementParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly chains: Chains
  /** The process's clock, for a first check that costs no query. */
  readonly now: () => Instant
  readonly clock: DatabaseClock
  readonly log: Log
}

/**
 * Queries the chain for the outcome of a payment and books it: the hold is settled, released, or
 * left open. Only the chain counts as proof (ADR 15). Returns the payment after the booking.
 * Rejects if the node fails.
 */
export async function reconcile(
  parts: SettlementParts,
  payment: X402Payment,
): Promise<X402Payment> {
  const end = payment.state === 'held' ? await findEnd(parts, payment) : undefined
  return end ? bookEnd(parts, payment, end) : payment
}

/** Returns undefined while the payment is open. */
export async function findEnd(
  parts: SettlementParts,
  payment: X402Payment,
): Promise<PaymentEnd | undefined> {
  const chain = parts.chains.chain(payment.network)
  if (!chain) {
    const isOver = endWithoutChain(payment, parts.now()) !== undefined
    return isOver ? endWithoutChain(payment, await parts.clock(parts.db)) : undefined
  }
  const fate = await chain.fateOf(payment)
  switch (fate.kind) {
    case 'settled':
      return { state: 'settled', proof: 'chain', chainTransaction: fate.transaction }
    case 'unseen':
      return ASSUMED
    case 'dead':
      return { state: 'released', proof: 'chain', chainTransaction: fate.transaction }
    case 'open':
      return undefined
  }
}

/**
 * A payment that was signed while its network had a node waits until there is a node again. A
 * payment that was never signed needs no chain.
 */
function endWithoutChain(payment: X402Payment, now: Instant): PaymentEnd | undefined {
  const { network, authorization, fromBlock, handedOutAt } = payment
  if (fromBlock !== null && handedOutAt !== null) {
    throw new Error(`No node is configured for ${network} any more.`)
  }
  if (now < authorization.validBefore * 1_000 + ASSUMED_AFTER_MS) return undefined
  return handedOutAt === null ? NEVER_SIGNED : ASSUMED
}

export async function bookEnd(
  parts: SettlementParts,
  payment: X402Payment,
  end: PaymentEnd,
): Promise<X402Payment> {
  const { organizationId, id } = payment
  const [after] = await bookEnds(parts, organizationId, new Map([[id, end]]))
  if (!after) throw new Error('A payment is missing.')
  return after
}

/**
 * Books the ends of an organization's payments in one transaction, each once: if two processes find
 * an end at the same time, the second one sees that it is booked. Returns the payments after the
 * booking.
 */
export async function bookEnds(
  { db, gateway, clock, log }: SettlementParts,
  organizationId: string,
  ends: ReadonlyMap<string, PaymentEnd>,
): Promise<X402Payment[]> {
  const { before, after } = await repeatedTransaction(db, organizationId, async (tx) => {
    const [payments, now] = await Promise.all([
      lockPayments(tx, organizationId, [...ends.keys()]),
      clock(tx),
    ])
    const after = payments.map((payment) => afterEnd(payment, ends.get(payment.id), now))
    const ended = after.filter((payment, index) => payment !== payments[index])
    if (ended.length === 0) return { before: payments, after }
    const holds = ended.map(
      ({ id, state }) => [id, state === 'settled' ? 'settled' : 'voided'] as const,
    )
    const booked = await gateway.endAll({ tx, organizationId }, new Map(holds))
    if (booked.length < ended.length) throw new Error('A payment has no open hold.')
    tx.send(endPayments(organizationId, ended.filter(isEnded), now))
    return { before: payments, after }
  })
  for (const [index, payment] of after.entries()) tellAnomalies(log, before[index], payment)
  return after
}

/** Returns the same object if the payment has already ended, or was signed after all. */
export function afterEnd(
  payment: X402Payment,
  end: PaymentEnd | undefined,
  now: Instant,
): X402Payment {
  const isTooLate = end?.proof === 'unsigned' && payment.handedOutAt !== null
  if (!end || payment.state !== 'held' || isTooLate) return payment
  const ended = { ...payment, ...end }
  return addAnomalies(ended, judgeReceipt(ended), now)
}

function isEnded(payment: X402Payment): payment is X402Payment & PaymentEnd {
  return payment.state !== 'held' && payment.proof !== null
}

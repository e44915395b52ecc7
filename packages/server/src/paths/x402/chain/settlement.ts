import type { Instant } from '../../../core/time/instant.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import type { DatabaseClock } from '../../../storage/engine/clock.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import type { X402Payment } from '../payment.ts'
import { endPayment, lockPayment, type PaymentEnd } from '../storage/payments.ts'
import type { Chains } from './chains.ts'

/** Where no chain can be asked, a payment is assumed to be spent this long after its end. */
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
  /** For a first look, which costs no query. */
  readonly now: () => Instant
  readonly clock: DatabaseClock
}

/**
 * Asks the chain what became of a payment and books it: the hold is settled, given back, or left as
 * it is. Nobody else's word counts. Returns the payment as it is afterwards; rejects when the chain
 * cannot be asked.
 */
export async function reconcile(
  parts: SettlementParts,
  payment: X402Payment,
): Promise<X402Payment> {
  const end = payment.state === 'held' ? await findEnd(parts, payment) : undefined
  return end ? bookEnd(parts, payment, end) : payment
}

/** Undefined while the payment is open. */
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

/** A payment that was signed while a chain could be asked waits until it can be asked again. */
function endWithoutChain(payment: X402Payment, now: Instant): PaymentEnd | undefined {
  const { network, authorization, fromBlock, handedOutAt } = payment
  if (fromBlock !== null) throw new Error(`No node is configured for ${network} any more.`)
  if (now < authorization.validBefore * 1_000 + ASSUMED_AFTER_MS) return undefined
  return handedOutAt === null ? NEVER_SIGNED : ASSUMED
}

/** Books once: if two find out at the same time, the second finds it already booked. */
export function bookEnd(
  { db, gateway, clock }: SettlementParts,
  { organizationId, id }: X402Payment,
  end: PaymentEnd,
): Promise<X402Payment> {
  return repeatedTransaction(db, organizationId, async (tx) => {
    const [payment, now] = await Promise.all([lockPayment(tx, organizationId, id), clock(tx)])
    if (!payment) throw new Error('A payment is gone.')
    const isTooLate = end.proof === 'unsigned' && payment.handedOutAt !== null
    if (payment.state !== 'held' || isTooLate) return payment
    const place = { tx, organizationId, id }
    const transaction =
      end.state === 'settled'
        ? await gateway.settle(place, { amount: undefined, afterExpiry: true, by: 'path' })
        : await gateway.void(place, 'path')
    if (!transaction) throw new Error('A payment has no transaction.')
    await endPayment(tx, payment, end, now)
    return { ...payment, ...end }
  })
}

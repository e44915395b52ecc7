import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import {
  TRANSACTION_FLAGS,
  type Transaction,
  type TransactionFlag,
  type TransactionStatus,
} from '../transaction.ts'
import { DEADLINE_PASSED } from './late.ts'
import { type Amounts, partsFor, partsOf, storedParts } from './parts.ts'

/**
 * The target state of a transaction, whatever its current state. It contains no steps, so applying
 * the same target twice changes nothing, and events that arrive late or in a different order lead to
 * the same state.
 */
export interface Target extends Amounts {
  /** The status if no money is held or captured. */
  readonly end: 'voided' | 'expired'
  /**
   * All its flags. The transaction keeps `ended_by_hand` in any case, because a person decided it.
   */
  readonly flags: readonly TransactionFlag[]
  /** Only for recorded money, whose amount may become known later. */
  readonly amount?: Micros
}

/** The target that leaves the transaction as it is. */
export function targetOf(transaction: Transaction): Target {
  const { heldAmount: held, settledAmount: captured, refundedAmount: refunded } = transaction
  return { held, captured, refunded, end: 'voided', flags: transaction.flags }
}

/**
 * The transaction in the target state; undefined if it is there already. An increase is booked at
 * `at`; `now` is the time of settlement.
 */
export function reach(
  transaction: Transaction,
  target: Target,
  at: Instant,
  now = at,
): Transaction | undefined {
  const status = statusOf(transaction, target)
  const flags = flagsFor(transaction, target)
  const amount = target.amount ?? transaction.amount
  const isThere =
    status === transaction.status &&
    amount === transaction.amount &&
    target.held === transaction.heldAmount &&
    target.captured === transaction.settledAmount &&
    target.refunded === transaction.refundedAmount &&
    flags.join() === transaction.flags.join()
  if (isThere) return undefined
  const parts = partsFor(partsOf(transaction), target, at)
  const settledAt = isSettled(status) ? (transaction.settledAt ?? now) : null
  return { ...transaction, ...storedParts(parts), amount, status, settledAt, flags }
}

function statusOf(transaction: Transaction, target: Target): TransactionStatus {
  const { held, captured, refunded } = target
  if (held > 0n) return 'held'
  if (captured === 0n) return endOf(transaction, target)
  if (refunded === 0n) return 'settled'
  return refunded === captured ? 'refunded' : 'partially_refunded'
}

/** A card check is settled from the start, unless its caller got a decline at the deadline. */
function endOf({ status, amount, code }: Transaction, target: Target): TransactionStatus {
  if (status === 'rejected') return status
  const wasCheck = amount === 0n && target.amount === undefined
  return wasCheck && code !== DEADLINE_PASSED ? 'settled' : target.end
}

function isSettled(status: TransactionStatus): boolean {
  return status === 'settled' || status === 'partially_refunded' || status === 'refunded'
}

const FLAG_ORDER = Object.keys(TRANSACTION_FLAGS)

function flagsFor({ flags }: Transaction, target: Target): readonly TransactionFlag[] {
  const byHand = flags.filter((flag) => flag === 'ended_by_hand')
  const all = new Set<TransactionFlag>([...target.flags, ...byHand])
  return [...all].sort((a, b) => FLAG_ORDER.indexOf(a) - FLAG_ORDER.indexOf(b))
}

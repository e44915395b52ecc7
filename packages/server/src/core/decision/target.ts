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
 * What a transaction is to come to, whatever it came to before. Nothing in it is a step, so the same
 * target twice changes nothing, and what comes late or in another order ends in the same state.
 */
export interface Target extends Amounts {
  /** What it is where no money is held or was captured. */
  readonly end: 'voided' | 'expired'
  /** All that is unusual about it. `ended_by_hand` stays, because it was a person's word. */
  readonly flags: readonly TransactionFlag[]
  /** Only for money that was recorded: what it comes to may be learned later. */
  readonly amount?: Micros
}

/** The transaction as it is. */
export function targetOf(transaction: Transaction): Target {
  const { heldAmount: held, settledAmount: captured, refundedAmount: refunded } = transaction
  return { held, captured, refunded, end: 'voided', flags: transaction.flags }
}

/**
 * The transaction once it has come to the target; undefined if it has already. What is more than
 * before is booked at the first of the instants, and the second is when it is settled.
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

/** The check of a card is settled from the start, unless its caller was told no instead. */
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

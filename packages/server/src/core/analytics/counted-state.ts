import type { Micros } from '../money.ts'
import type { Transaction } from '../transaction.ts'

/** The counted fields of a transaction that may change after its decision. */
export interface CountedState {
  /** Only the amount that is still held. */
  readonly held: Micros
  readonly settled: Micros
  readonly refunded: Micros
  readonly code: string
  /** The first rule that rejected it, or the first that flagged it. */
  readonly rule: string | null
}

export function countedStateOf(
  transaction: Pick<
    Transaction,
    'status' | 'heldAmount' | 'settledAmount' | 'refundedAmount' | 'code' | 'details' | 'flaggedBy'
  >,
): CountedState {
  const { status, heldAmount, settledAmount, refundedAmount, code } = transaction
  return {
    held: status === 'held' ? heldAmount : 0n,
    settled: settledAmount,
    refunded: refundedAmount,
    code,
    rule: ruleOf(transaction),
  }
}

function ruleOf({ details, flaggedBy }: Pick<Transaction, 'details' | 'flaggedBy'>): string | null {
  const first = details && 'firstFailure' in details ? details.firstFailure : null
  return typeof first === 'string' ? first : (flaggedBy[0] ?? null)
}

export function isSameState(one: CountedState, other: CountedState): boolean {
  return (
    one.held === other.held &&
    one.settled === other.settled &&
    one.refunded === other.refunded &&
    one.code === other.code &&
    one.rule === other.rule
  )
}

import type { Micros } from '../money.ts'
import type { Transaction } from '../transaction.ts'

/** What of a transaction may become another after its decision, as far as it is counted. */
export interface CountedState {
  /** Only what is still held. */
  readonly held: Micros
  readonly settled: Micros
  readonly refunded: Micros
  readonly code: string
  /** The rule that stood in the way first, or the first that flagged it. */
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

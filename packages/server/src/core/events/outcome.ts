import { toUnits } from '../money.ts'
import type { Transaction } from '../transaction.ts'
import type { OutcomeKind } from './event.ts'

/** The outcome of a transaction, as its event reports it. */
export interface Outcome {
  readonly kind: OutcomeKind
  /** The fields of the transaction that may change again later. */
  readonly told: object
}

type Figures = Pick<Transaction, 'status' | 'settledAmount' | 'refundedAmount'>

/**
 * Returns the event for a change. Undefined if there is none: a hold that is raised, or partially
 * captured, is still a hold.
 */
export function outcomeOf(before: Figures, after: Transaction): Outcome | undefined {
  const kind = kindOf(before, after)
  if (kind === undefined) return undefined
  const { status, settledAmount, refundedAmount, flags, flaggedBy } = after
  const told = {
    status,
    settledAmount: toUnits(settledAmount),
    refundedAmount: toUnits(refundedAmount),
    flags: [...flags, ...flaggedBy],
  }
  return { kind, told }
}

/**
 * Moved money says more than the status: after a refund, a further capture leaves the status as it was.
 */
function kindOf(before: Figures, after: Figures): OutcomeKind | undefined {
  if (after.status === 'voided' || after.status === 'expired') {
    return after.status === before.status ? undefined : ENDS[after.status]
  }
  if (after.refundedAmount !== before.refundedAmount) return 'transaction.refunded'
  if (after.status === 'held') return undefined
  const isSettledNow = after.status === 'settled' && before.status !== 'settled'
  const hasMoved = after.settledAmount !== before.settledAmount
  return isSettledNow || hasMoved ? 'transaction.settled' : undefined
}

const ENDS = { voided: 'transaction.voided', expired: 'transaction.expired' } as const

import { toUnits } from '../money.ts'
import type { Transaction } from '../transaction.ts'
import type { OutcomeKind } from './event.ts'

/** What has become of a transaction, as its event tells it. */
export interface Outcome {
  readonly kind: OutcomeKind
  /** What the transaction itself may say differently later. */
  readonly told: object
}

type Figures = Pick<Transaction, 'status' | 'settledAmount' | 'refundedAmount'>

/**
 * What is told of a change. Undefined if nobody has to know: a hold that is raised, or captured in
 * part, is still a hold.
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
 * Money that moved says more than the status does: after a refund, a further capture leaves the status
 * as it was.
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

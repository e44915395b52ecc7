import {
  type Transaction,
  type TransactionFlag,
  transactionStatusAt,
} from '../../core/transaction.ts'
import { changeTransactions, type Place, type Plan } from './change-transactions.ts'
import { giveBack, settleOpen } from './holds.ts'

/** Releases those of these holds that have expired by the database's clock. */
export async function expireHolds(place: Place, ids: readonly string[]): Promise<void> {
  await changeTransactions(place, ids, planExpiry)
}

export const planExpiry: Plan = (transaction, now) => {
  const isOver =
    transaction.status === 'held' && transactionStatusAt(transaction, now) === 'expired'
  return isOver ? giveBack(transaction, 'expired', now) : undefined
}

/** The proven result of each hold, by id: all of the money moved, or none of it. */
export type HoldEnds = ReadonlyMap<string, 'settled' | 'voided'>

/** Ends those holds that are still open; each is booked as if it came alone. */
export function endWithProof(
  place: Place,
  ends: HoldEnds,
  flag: TransactionFlag | undefined,
): Promise<readonly Transaction[]> {
  return changeTransactions(place, [...ends.keys()], planEnds(ends, flag))
}

export function planEnds(ends: HoldEnds, flag: TransactionFlag | undefined): Plan {
  return (hold, now) => {
    if (hold.status !== 'held') return undefined
    return ends.get(hold.id) === 'settled'
      ? settleOpen(hold, hold.heldAmount, now, flag)
      : giveBack(hold, 'voided', now, flag)
  }
}

import type { Micros } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { OnChanged } from './change-transactions.ts'

/**
 * How the organization ends a hold that waits for proof, where nobody is left who could give it. Its
 * path decides whether that is so. Both run in the caller's transaction, and say what the transaction
 * is afterwards.
 */
export interface EndByHand {
  /** The money moved, and this is where it can be looked up. Without an amount, all of the hold did. */
  settle(
    place: HoldPlace,
    proof: string,
    amount: Micros | undefined,
  ): Promise<Transaction | undefined>
  /** Whether a person says how much it was. Otherwise it is always all of the hold. */
  readonly takesAmount?: true
  /** Whether `settle` also takes a transaction whose hold has ended: money can move after that. */
  readonly settlesLate?: true
  /** No money moved, and this is why the organization is sure. */
  void(place: HoldPlace, reason: string): Promise<Transaction | undefined>
}

interface HoldPlace {
  readonly tx: Tx
  readonly organizationId: string
  readonly id: string
  readonly onChanged?: OnChanged
}

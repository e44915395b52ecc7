import type { Micros } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { OnChanged } from './change-transactions.ts'

/**
 * How the organization force-closes a hold that waits for proof, if no source of proof is left. The
 * hold's path decides whether that is the case. Both functions run in the caller's transaction and
 * return the changed transaction.
 */
export interface EndByHand {
  /**
   * The money moved; `proof` says where to look it up. Without an amount, the full hold is settled.
   */
  settle(
    place: HoldPlace,
    proof: string,
    amount: Micros | undefined,
  ): Promise<Transaction | undefined>
  /** Whether a person states the amount. Otherwise the full hold is settled. */
  readonly takesAmount?: true
  /**
   * Whether `settle` also accepts a transaction whose hold has ended: money can move after that.
   */
  readonly settlesLate?: true
  /** No money moved; `reason` says why the organization is sure. */
  void(place: HoldPlace, reason: string): Promise<Transaction | undefined>
}

interface HoldPlace {
  readonly tx: Tx
  readonly organizationId: string
  readonly id: string
  readonly onChanged?: OnChanged
}

import type { Decision } from '../decision/decide.ts'
import type { PastTransaction } from '../decision/past.ts'
import type { Transaction } from '../transaction.ts'
import type { StoredStep } from './steps.ts'

/** A transaction as a replay reads it. */
export interface PastDecision
  extends Omit<PastTransaction, 'countedIn'>,
    Pick<Transaction, 'decision' | 'code'> {
  readonly isHold: boolean
  /** Null where they were not kept, or are removed. */
  readonly inputs: string | null
  readonly isPruned: boolean
  readonly steps: readonly StoredStep[] | null
  /** The rule that stood in the way first; null for an approval. */
  readonly firstFailure: string | null
}

/** Why a transaction was left as it was decided. */
export type NotReplayed = 'details_removed' | 'inputs_not_kept' | 'changes_not_kept'

/** What a replay says of one transaction under the mandate. */
export type Replayed =
  | Judged
  | { readonly kind: 'recorded'; readonly past: PastDecision }
  | { readonly kind: 'left'; readonly past: PastDecision; readonly why: NotReplayed }

export interface Judged {
  readonly kind: 'judged'
  readonly past: PastDecision
  readonly decision: Decision
}

import type { Decision } from '../decision/decide.ts'
import type { PastTransaction } from '../decision/past.ts'
import type { Transaction } from '../transaction.ts'
import type { StoredStep } from './steps.ts'

/** A transaction as a replay reads it. */
export interface RecordedDecision
  extends Omit<PastTransaction, 'countedIn'>,
    Pick<Transaction, 'decision' | 'code'> {
  readonly isHold: boolean
  /** Null if the inputs were not stored, or have been removed. */
  readonly inputs: string | null
  readonly isPruned: boolean
  readonly steps: readonly StoredStep[] | null
  /** The first rule that rejected it; null for an approval. */
  readonly firstFailure: string | null
}

/** Why the replay kept a transaction's original decision. */
export type NotReplayed = 'details_removed' | 'inputs_not_kept' | 'changes_not_kept'

/** The replay's result for one transaction of the mandate. */
export type Replayed =
  | Judged
  | { readonly kind: 'recorded'; readonly past: RecordedDecision }
  | { readonly kind: 'left'; readonly past: RecordedDecision; readonly why: NotReplayed }

export interface Judged {
  readonly kind: 'judged'
  readonly past: RecordedDecision
  readonly decision: Decision
}

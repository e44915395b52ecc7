import type { CommittedDecision, DecisionFacts } from '../../core/audit/decision-leaf.ts'
import type { Micros } from '../../core/money.ts'
import type { DecisionInputs } from '../../core/replay/inputs.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { TransactionFlag } from '../../core/transaction.ts'

/** A decision to store: the facts that its leaf commits to, and the values derived from them. */
export interface DecisionRow extends Omit<DecisionFacts, 'policyHash' | 'failed'> {
  readonly id: string
  readonly remainingBudget: Micros
  /** Rules that flagged it; nearly always empty. */
  readonly flaggedBy: readonly string[]
  /** JSON text. A retried request gets the same bytes again. */
  readonly details: string
  readonly heldAmount: Micros
  readonly settledAmount: Micros
  readonly expiresAt: Instant | null
  /** JSON text: the keys of the counters that counted this decision. */
  readonly countedIn: string | null
  readonly noted: NotedSpend | null
  /** The commitment for its leaf in the audit log. Without it the sealer makes one. */
  readonly committed?: CommittedDecision | null
  /** The inputs of the judgement; null if nothing was judged. */
  readonly inputs: DecisionInputs | null
  /** The key or member that sent the spend; null if an issuer or merchant did. */
  readonly requestedBy: string | null
}

/** Facts that a payment path adds to the record of a spend. */
export interface NotedSpend {
  readonly external: object
  readonly flags: readonly TransactionFlag[]
}

/** The figures of a mandate after the batch. */
export interface MandateFigures {
  readonly id: string
  readonly budgetSpent: Micros
  readonly budgetHeld: Micros
  readonly budgetOverdrawn: Micros
  readonly spentPeriodStart: Instant | null
}

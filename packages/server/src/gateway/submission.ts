import type { Decision } from '../core/decision/decide.ts'
import type { IdempotencyKey } from '../core/idempotency.ts'
import type { Spend } from '../core/spend.ts'
import type { DecisionRow, NotedSpend } from '../storage/decisions/store-decisions.ts'
import type { DecidedRow } from '../storage/decisions/stored-answers.ts'
import type { Statement } from '../storage/engine/database.ts'
import type { RowStatement } from '../storage/engine/row-statement.ts'

/** A spend as it was asked for: what is judged, and what is only recorded. */
export interface Submission {
  readonly spend: Spend
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly idempotency: IdempotencyKey | null
  /** What the path says of the spend in its record, whatever is decided. */
  readonly noted?: NotedSpend
  /** The key or member that sent it. Whoever asks for an approval cannot give it. */
  readonly askedBy?: string
  /**
   * The approval that it presents. Where none can be presented, an approval for the same card or
   * agent, vendor and amount is looked for, and only if a rule asks for a person.
   */
  readonly permit?: { readonly id: string } | { readonly alike: true }
  /**
   * What the path keeps about the spend. It is stored in the transaction of the decision, whichever
   * decision that is, or not at all; rows are joined with those of others. Called once the decision is made. If it throws, the spend is
   * refused with that error, and nothing of it is stored.
   */
  readonly alongside?: (decision: DecisionRow) => readonly (Statement | RowStatement)[]
  /**
   * The money has moved already: it is booked whatever the rules say, and uses no evaluation of the
   * plan.
   */
  readonly isUnasked?: true
  /**
   * When the caller must have an answer, on the process's monotonic clock (`performance.now()`). At
   * that time the spend is declined with `deadline_passed`, and an approval that is stored after
   * all is voided. Then `alongside` may be called a second time, with the decline.
   */
  readonly answerBy?: number
  /** On the process's monotonic clock, for durationMs. */
  readonly receivedAt: number
}

/**
 * What the caller is told. It is made in the same way from a fresh decision and from a stored one.
 */
export interface Decided extends DecidedRow {
  readonly isReplay: boolean
  /**
   * Set on the decline at a deadline, where it is answered first: whether the database was only too
   * slow, or could not be reached when it was last asked. It is not stored.
   */
  readonly late?: Late
}

export type Late = 'slow' | 'away'

export function toDecisionRow(submission: Submission, decision: Decision): DecisionRow {
  const { spend } = decision
  const isHeld = decision.status === 'held'
  const isSettled = decision.status === 'settled'
  return {
    id: spend.transactionId,
    agentId: spend.agentId,
    mandateId: decision.mandateId,
    mandateVersion: decision.mandateVersion,
    path: spend.path,
    decision: decision.decision,
    status: decision.status,
    code: decision.code,
    amount: spend.amount,
    currency: decision.currency,
    vendor: spend.vendor,
    category: spend.category,
    reference: spend.reference,
    reason: submission.reason,
    metadata: submission.metadata === null ? null : JSON.stringify(submission.metadata),
    remainingBudget: decision.remainingBudget,
    flaggedBy: decision.flaggedBy,
    details: toDetails(decision, submission.receivedAt),
    heldAmount: isHeld ? spend.amount : 0n,
    settledAmount: isSettled ? spend.amount : 0n,
    expiresAt: decision.expiresAt,
    countedIn: decision.counters.size === 0 ? null : JSON.stringify([...decision.counters.keys()]),
    noted: submission.noted ?? null,
  }
}

/** The details as they are answered and stored. */
export function toDetails({ details }: Decision, receivedAt: number): string {
  return JSON.stringify({ ...details, durationMs: elapsedMs(receivedAt), receipt: null })
}

/** The time from the arrival of the request to its verdict, to the hundredth of a millisecond. */
function elapsedMs(since: number): number {
  return Math.round((performance.now() - since) * 100) / 100
}

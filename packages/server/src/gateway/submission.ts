import {
  type CommittedDecision,
  commitToText,
  decisionText,
  hashOfDecision,
  logOf,
  withReceipt,
} from '../core/audit/decision-leaf.ts'
import type { Decision } from '../core/decision/decide.ts'
import { DEADLINE_PASSED } from '../core/decision/late.ts'
import type { IdempotencyKey } from '../core/idempotency.ts'
import type { Given } from '../core/replay/given.ts'
import type { Spend } from '../core/spend.ts'
import { newSalt } from '../storage/audit/new-salt.ts'
import type { DecisionRow, NotedSpend } from '../storage/decisions/store-decisions.ts'
import type { DecidedRow } from '../storage/decisions/stored-answers.ts'
import type { Statement, Tx } from '../storage/engine/database.ts'
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
   * What the path must know before the spend can be judged. It is read in the first round trip of the
   * batch, behind the locks of the spend's agent, and may change the spend. Until then `spend` is a guess.
   */
  readonly reading?: Reading
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

/** What one submission has read. */
export interface Reading<About = unknown> {
  /** The same for all submissions that are read about together. */
  readonly reader: PathReader<About>
  readonly about: About
}

/** A read of a path, for all submissions of a batch that bring it. */
export interface PathReader<About = unknown> {
  /** Sends all of it at once, and locks nothing. */
  read(tx: Tx, organizationId: string, abouts: readonly About[]): Promise<PathRead<About>>
}

export interface PathRead<About = unknown> {
  /** A batch may be judged more than once; each time begins with what was read. */
  begin(): PathPass<About>
}

export interface PathPass<About = unknown> {
  /**
   * Called in the order of judging. What `alongside` of an earlier one was called with is decided, and
   * can be seen by the next one.
   */
  prepare(about: About): Prepared
}

/**
 * What becomes of a submission once its path knows more. It is judged with this spend, which is of the
 * same agent and has the same id; or it was decided before, as this transaction; or it cannot be judged,
 * and its caller is refused with this. Where its deadline has passed by then, the decline is stored, with
 * what the refusal says is stored alongside.
 */
export type Prepared =
  | Pick<Submission, 'spend' | 'noted' | 'alongside'>
  | { readonly decidedAs: string }
  | ({ readonly refusal: unknown } & Pick<Submission, 'alongside'>)

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

/** A decision that was just made: what is stored, and what its caller is told. */
export interface FreshDecision extends DecisionRow, Omit<Decided, 'noted'> {}

/** `given` is what the decision was made from; null where nothing was judged, as at a deadline. */
export function toDecisionRow(
  submission: Submission,
  decision: Decision,
  given: Given | null,
): FreshDecision {
  const { spend } = decision
  const isHeld = decision.status === 'held'
  const isSettled = decision.status === 'settled'
  const metadata = submission.metadata === null ? null : JSON.stringify(submission.metadata)
  const details = toDetails(decision, submission.receivedAt)
  // What is answered at a deadline may not be what is stored, so it has no receipt.
  const leaf =
    decision.code === DEADLINE_PASSED
      ? null
      : makeLeaf(submission.reason, metadata, decision, details)
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
    metadata,
    remainingBudget: decision.remainingBudget,
    flaggedBy: decision.flaggedBy,
    details: leaf === null ? details : leaf.details,
    heldAmount: isHeld ? spend.amount : 0n,
    settledAmount: isSettled ? spend.amount : 0n,
    expiresAt: decision.expiresAt,
    countedIn: decision.counters.size === 0 ? null : JSON.stringify([...decision.counters.keys()]),
    noted: submission.noted ?? null,
    committed: leaf,
    given,
    isReplay: false,
  }
}

/** What the leaf of a decision commits to, and the details with the receipt of that leaf. */
function makeLeaf(
  reason: string | null,
  metadata: string | null,
  { spend, details: told, mandateId, mandateVersion, decision, status, code, currency }: Decision,
  details: string,
): CommittedDecision & { readonly details: string } {
  const { transactionId, agentId, path, amount, vendor, category, reference } = spend
  const { policyHash, failed, evaluatedAt: at } = told
  const salt = newSalt()
  const facts = {
    agentId,
    mandateId,
    mandateVersion,
    path,
    decision,
    status,
    code,
    amount,
    currency,
    vendor,
    category,
    reference,
    reason,
    metadata,
    policyHash,
    failed,
    details,
  }
  const commitment = commitToText(decisionText(facts), salt)
  const leaf = hashOfDecision({ transactionId, agentId, decision, at, commitment })
  const receipt = { log: logOf(spend.organizationId), leaf, salt }
  return { salt, commitment, leaf, details: withReceipt(details, receipt) }
}

/**
 * The details as they are answered and stored, without a receipt. What comes last is added to the
 * text: a copy of the details for it would cost as much as half of their text.
 */
export function toDetails({ details }: Decision, receivedAt: number): string {
  const text = JSON.stringify(details)
  return `${text.slice(0, -1)},"durationMs":${elapsedMs(receivedAt)},"receipt":null}`
}

/** The time from the arrival of the request to its verdict, to the hundredth of a millisecond. */
function elapsedMs(since: number): number {
  return Math.round((performance.now() - since) * 100) / 100
}

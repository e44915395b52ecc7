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
import type { DecisionInputs } from '../core/replay/inputs.ts'
import type { Spend } from '../core/spend.ts'
import { newSalt } from '../storage/audit/new-salt.ts'
import type { DecisionRow, NotedSpend } from '../storage/decisions/store-decisions.ts'
import type { DecidedRow } from '../storage/decisions/stored-answers.ts'
import type { Statement, Tx } from '../storage/engine/database.ts'
import type { RowStatement } from '../storage/engine/row-statement.ts'

/** A requested spend: the part that is judged, and the part that is only recorded. */
export interface Submission {
  readonly spend: Spend
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly idempotency: IdempotencyKey | null
  /** Facts from the path that are stored with the transaction, whatever the decision is. */
  readonly noted?: NotedSpend
  /** The key or member that sent the spend. It cannot approve its own request. */
  readonly askedBy?: string
  /**
   * The approval that the spend presents. Paths that cannot present one use `alike`: if a rule asks
   * for an approval, the gateway looks for one for the same card or agent, vendor and amount.
   */
  readonly permit?: { readonly id: string } | { readonly alike: true }
  /**
   * Returns the path's own rows about the spend. They are stored in the transaction of the
   * decision, whether it approves or rejects, or not at all; they are merged with rows of other
   * spends. Called once the decision is made. If it throws, the spend is refused with that error
   * and nothing of it is stored.
   */
  readonly alongside?: (decision: DecisionRow) => readonly (Statement | RowStatement)[]
  /**
   * Facts that the path must read before the spend can be judged. The read is part of the batch's
   * first round trip, behind the locks of the spend's agent, and may change the spend. Until then
   * `spend` is a guess.
   */
  readonly reading?: Reading
  /**
   * The money has already moved: it is booked whatever the rules say, and uses no evaluation of the
   * plan.
   */
  readonly isUnasked?: true
  /**
   * When the caller must have an answer, on the process's monotonic clock (`performance.now()`). At
   * that time the spend is declined with `deadline_passed`, and an approval that is stored later is
   * voided. Then `alongside` may be called a second time, with the decline.
   */
  readonly answerBy?: number
  /** Measured on the process's monotonic clock, for durationMs. */
  readonly receivedAt: number
}

/** The read that one submission needs. */
export interface Reading<About = unknown> {
  /** Submissions with the same reader are read together. */
  readonly reader: PathReader<About>
  readonly about: About
}

/** Reads a path's facts for all submissions of a batch that use this reader. */
export interface PathReader<About = unknown> {
  /** Sends all its statements at once, and locks nothing. */
  read(tx: Tx, organizationId: string, abouts: readonly About[]): Promise<PathRead<About>>
}

export interface PathRead<About = unknown> {
  /** A batch may be judged more than once; each pass starts from the facts that were read. */
  begin(): PathPass<About>
}

export interface PathPass<About = unknown> {
  /**
   * Called in the order of judging. Spends whose `alongside` was already called are decided, and
   * the next spend can see them.
   */
  prepare(about: About): Prepared
}

/**
 * The result of a path's read for one submission. Either the submission is judged with this spend,
 * which has the same agent and id. Or it was decided before, as this transaction. Or it cannot be
 * judged, and its caller gets this refusal. If its deadline has passed by then, the decline is
 * stored instead, together with the refusal's `alongside` rows.
 */
export type Prepared =
  | Pick<Submission, 'spend' | 'noted' | 'alongside'>
  | { readonly decidedAs: string }
  | ({ readonly refusal: unknown } & Pick<Submission, 'alongside'>)

/** The answer to the caller. Fresh and stored decisions produce it in the same way. */
export interface Decided extends DecidedRow {
  readonly isReplay: boolean
  /**
   * Set on the decline at a deadline, if the decline was answered before anything was stored:
   * whether the database was only slow, or was unreachable at the last attempt. It is not stored.
   */
  readonly late?: Late
}

export type Late = 'slow' | 'away'

/** A decision that was just made: the row to store, and the answer to its caller. */
export interface FreshDecision extends DecisionRow, Omit<Decided, 'noted'> {}

/** `inputs` is null if nothing was judged, as at a deadline. */
export function toDecisionRow(
  submission: Submission,
  decision: Decision,
  inputs: DecisionInputs | null,
): FreshDecision {
  const { spend } = decision
  const isHeld = decision.status === 'held'
  const isSettled = decision.status === 'settled'
  const metadata = submission.metadata === null ? null : JSON.stringify(submission.metadata)
  const details = toDetails(decision, submission.receivedAt)
  // The answer at a deadline may differ from the stored decision, so it has no receipt.
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
    inputs,
    requestedBy: submission.askedBy ?? null,
    isReplay: false,
  }
}

/** Returns the leaf's commitment to the decision, and the details with the receipt of that leaf. */
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
 * Returns the details in the form that is answered and stored, without a receipt. The last fields
 * are appended to the text, because a copy of the details would cost half as much as their text.
 */
export function toDetails({ details }: Decision, receivedAt: number): string {
  const text = JSON.stringify(details)
  return `${text.slice(0, -1)},"durationMs":${elapsedMs(receivedAt)},"receipt":null}`
}

/** The time from the arrival of the request to its verdict, to the hundredth of a millisecond. */
function elapsedMs(since: number): number {
  return Math.round((performance.now() - since) * 100) / 100
}

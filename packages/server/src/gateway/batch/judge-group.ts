import { Problem } from '../../base/errors.ts'
import { agentNotFound } from '../../core/agent.ts'
import type { Permit } from '../../core/approvals/permit.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { type Decision, decide, record } from '../../core/decision/decide.ts'
import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import { mandatesShortOfRoom } from '../../core/decision/room.ts'
import { keyInFlight, keyReused } from '../../core/idempotency.ts'
import { countersOf } from '../../core/mandates/policy.ts'
import { PLANS, usageMonth } from '../../core/plan.ts'
import { decisionInputs, watchAccount } from '../../core/replay/inputs.ts'
import type { Spend } from '../../core/spend.ts'
import { toIso } from '../../core/time/instant.ts'
import { type DecisionKeyRow, isPastItsTime } from '../../storage/decisions/decision-keys.ts'
import { findDecided } from '../../storage/decisions/stored-answers.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Judged, QueuedSubmission } from '../deadlines/deadline.ts'
import type { Failed } from '../queue/carry-out.ts'
import { type Decided, type Submission, toDecisionRow } from '../submission.ts'
import type { AskingSubmission } from './approval-reads.ts'
import type { ApprovalUrl } from './asks.ts'
import type { BatchReads } from './batch-reads.ts'
import { type BatchWrites, collectWrites } from './batch-writes.ts'
import { type FindAnswer, findAnswered } from './find-answered.ts'
import { nameOf } from './key-reads.ts'
import type { PreparedSubmission } from './path-reads.ts'
import { createTurn } from './turn.ts'

export type Result = Decided | Failed

/** The judged spends of an organization, before any write is sent. */
export interface JudgedGroup {
  readonly reads: BatchReads
  readonly writes: BatchWrites
  /** Counters that were not predicted: mostly those for the advice of a rejection. */
  readonly unread: Set<string>
  /** The mandates in which spends lacked room that holds may take. */
  readonly shortOfRoom: Set<string>
  /** Submissions that need an approval and whose pending requests have not been read yet. */
  readonly asking: AskingSubmission[]
}

/**
 * Judges the submissions in the order of arrival, so that each sees the state that the one before
 * left.
 */
export async function judgeGroup(
  tx: Tx,
  reads: BatchReads,
  submissions: readonly QueuedSubmission[],
  results: Map<QueuedSubmission, Result>,
  urlOf: ApprovalUrl,
): Promise<JudgedGroup> {
  const live = [...reads.keys.values()].filter((row) => !isPastItsTime(row, reads.now))
  const [byKey, byId] = await Promise.all([
    findAnswered(tx, reads.organizationId, live, reads.hasTaken),
    findDecided(tx, reads.organizationId, unkeyed(reads.paths.decidedIds, live)),
  ])
  const answered = { byKey, byId }
  let judged: JudgedGroup
  do {
    judged = await judgeInOrder(reads, submissions, answered, results, urlOf)
    // No counter is read twice, so there are few rounds.
    while (judged.unread.size > 0) {
      await reads.readFurther([...judged.unread])
      // The decision stays the same, but now it can name the largest possible amounts.
      judged = await judgeInOrder(reads, submissions, answered, results, urlOf)
    }
    // Each round reads for submissions that no earlier round has covered, so there are few.
    while (judged.asking.length > 0) {
      await reads.approvals.readFurther(judged.asking, reads.now)
      judged = await judgeInOrder(reads, submissions, answered, results, urlOf)
    }
    // A deadline may have passed meanwhile. Judging again declines that submission.
  } while (submissions.some((submission) => isTooLate(submission, results.get(submission))))
  return judged
}

/** Leaves out transactions that are already found by their key. */
function unkeyed(ids: readonly string[], live: readonly DecisionKeyRow[]): readonly string[] {
  return ids.filter((id) => !live.some(({ transactionId }) => transactionId === id))
}

function isTooLate({ deadline }: QueuedSubmission, result: Result | undefined): boolean {
  if (!deadline?.hasPassed() || !result || 'failure' in result) return false
  return !result.isReplay && result.code !== DEADLINE_PASSED
}

/** Earlier decisions: under the key of a submission, or as the transaction that its path names. */
interface AnsweredBefore {
  readonly byKey: FindAnswer
  readonly byId: Awaited<ReturnType<typeof findDecided>>
}

async function judgeInOrder(
  reads: BatchReads,
  submissions: readonly QueuedSubmission[],
  answered: AnsweredBefore,
  results: Map<QueuedSubmission, Result>,
  urlOf: ApprovalUrl,
): Promise<JudgedGroup> {
  const writes = collectWrites(reads, urlOf)
  const found = { unread: new Set<string>(), shortOfRoom: new Set<string>(), asking: [] }
  const judged: JudgedGroup = { reads, writes, ...found }
  const prepare = reads.paths.begin()
  const turn = createTurn()
  // Keyed by Idempotency-Key: a retry in the same batch gets the answer of the first submission.
  const first = new Map<string, QueuedSubmission>()
  for (const submission of submissions) {
    if (isDear(reads, submission) && turn.isOver()) await turn.giveWay()
    const key = submission.idempotency && nameOf(submission.idempotency)
    const earlier = key === null ? undefined : first.get(key)
    const result = earlier ? repeat(submission, earlier, results) : judge(submission)
    results.set(submission, result)
    // A refused submission does not use up the key.
    if (key !== null && !('failure' in result)) first.set(key, submission)
  }
  return judged

  function judge(submission: QueuedSubmission): Result {
    // An error here concerns this spend alone, and nothing of the spend was recorded.
    try {
      requireKey(reads, submission)
      const earlier = answered.byKey(submission.idempotency)
      if (!earlier) return judgePrepared(judged, submission, prepare(submission), answered)
      if (earlier.isToBeNoted && submission.idempotency) writes.noteTold(submission.idempotency)
      return earlier.decided
    } catch (failure) {
      return { failure }
    }
  }
}

/** Only expressions can take long. For all other rules, checking the clock is not worth it. */
function isDear(reads: BatchReads, { spend }: QueuedSubmission): boolean {
  return reads.line(spend.agentId).some(hasPrice)
}

function hasPrice({ policy }: MandateAccount): boolean {
  return policy.hasPrice
}

/** The holder of the key may be about to undo the stored decision, so a retry must wait for it. */
function requireKey(reads: BatchReads, { idempotency, deadline }: QueuedSubmission): void {
  if (deadline && idempotency && !reads.hasTaken(idempotency)) throw keyInFlight(1)
}

function repeat(
  submission: QueuedSubmission,
  earlier: QueuedSubmission,
  results: ReadonlyMap<QueuedSubmission, Result>,
): Result {
  const [mine, theirs] = [submission.idempotency?.fingerprint, earlier.idempotency?.fingerprint]
  if (!mine || !theirs?.equals(mine)) return { failure: keyReused() }
  const result = results.get(earlier)
  if (!result) throw new Error('The first spend of a key was not judged.')
  return 'failure' in result ? result : { ...result, isReplay: true }
}

/**
 * A decline at the deadline is stored as it was answered, even if the path would refuse the spend,
 * because a retry has to find it.
 */
function judgePrepared(
  judged: JudgedGroup,
  submission: QueuedSubmission,
  prepared: PreparedSubmission,
  { byId }: AnsweredBefore,
): Result {
  if ('spend' in prepared) return judgeNew(judged, prepared)
  if ('refusal' in prepared) {
    const { refusal, alongside = submission.alongside } = prepared
    return submission.deadline?.hasPassed()
      ? judgeNew(judged, { ...submission, ...(alongside && { alongside }) })
      : { failure: refusal }
  }
  const decided = byId.get(prepared.decidedAs)
  if (!decided) throw new Error('A decision that a path names is not stored.')
  return { ...decided, isReplay: true }
}

function judgeNew(judged: JudgedGroup, submission: QueuedSubmission): Decided {
  const { reads, writes, unread, shortOfRoom } = judged
  const { spend, deadline, isUnasked } = submission
  const spender = reads.spender(spend.agentId)
  // Money of an agent that was deleted later has moved all the same.
  if (!spender || (spender.isDeleted && !isUnasked)) throw agentNotFound(spend.agentId)
  const { decision, row } = deadline?.hasPassed()
    ? deadline.decline()
    : judgeSpend(judged, submission)
  writes.add(decision, row, submission)
  for (const key of decision.unread) unread.add(key)
  if (submission.reading) for (const key of unreadOf(reads, decision.spend)) unread.add(key)
  for (const id of mandatesShortOfRoom(decision, spend)) shortOfRoom.add(id)
  return row
}

/** Earlier spends of the batch may have changed this one after its counters were read. */
function unreadOf(reads: BatchReads, spend: Spend): readonly string[] {
  const keys = reads.line(spend.agentId).flatMap(({ policy }) => countersOf(policy, spend))
  return keys.filter((key) => !reads.isRead(key))
}

function judgeSpend(judged: JudgedGroup, submission: Submission): Judged {
  const { reads, writes } = judged
  const { spend, isUnasked } = submission
  if (!isUnasked) requireRoomInPlan(reads, writes.evaluations())
  const judge = isUnasked ? record : decide
  const permit = submission.permit && permitOf(judged, submission)
  const account = writes.account(spend)
  const watched = watchAccount(permit ? { ...account, permit } : account)
  const decision = judge(spend, watched.account, reads.now)
  const isTold = decision.question !== null || permit !== undefined
  const told = isTold ? withApproval(judged, decision, permit, submission) : decision
  const inputs = decisionInputs(isUnasked ? 'record' : 'decide', spend, watched, decision)
  return { decision: told, row: toDecisionRow(submission, told, inputs) }
}

function permitOf({ reads, writes }: JudgedGroup, submission: Submission): Permit | undefined {
  return reads.approvals.permit(submission, (id) => writes.asks().isUsed(id))
}

/** Adds the approval to the decision: the one that it requests, has used, or presents. */
function withApproval(
  { reads, writes, asking }: JudgedGroup,
  decision: Decision,
  permit: Permit | undefined,
  submission: Submission,
): Decision {
  if (decision.question && !reads.approvals.isRead(submission)) {
    asking.push({ submission, lifts: decision.question.lifts })
    return decision
  }
  const approval = writes.asks().show(decision, permit, submission)
  return approval === null ? decision : { ...decision, details: { ...decision.details, approval } }
}

function requireRoomInPlan({ plan, used, now }: BatchReads, counted: number): void {
  const limit = PLANS[plan].evaluationsPerMonth
  if (limit === null || used + counted < limit) return
  const { resetsAt: end } = usageMonth(now)
  const resetsAt = toIso(end)
  throw new Problem(
    'plan_limit_exceeded',
    `The plan ${plan} allows ${limit} evaluations a month, and all are used. The count resets at ${resetsAt}.`,
    {
      retryAfterSeconds: Math.ceil((end - now) / 1_000),
      extra: { plan, limit, used: used + counted, resetsAt },
    },
  )
}

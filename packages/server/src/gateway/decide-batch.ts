import { agentNotFound } from '../core/agent.ts'
import { decide, record } from '../core/decision/decide.ts'
import { DEADLINE_PASSED } from '../core/decision/late.ts'
import { keyInFlight, keyReused } from '../core/idempotency.ts'
import { PLANS, usageMonth } from '../core/plan.ts'
import { toIso } from '../core/time/instant.ts'
import { Problem } from '../errors.ts'
import { isPastItsTime } from '../storage/decisions/decision-keys.ts'
import type { Database, Session, Tx } from '../storage/engine/database.ts'
import { releaseKeys } from '../storage/idempotency.ts'
import { type BatchReadParts, type BatchReads, nameOf, readBatch } from './batch-reads.ts'
import { type BatchWrites, collectWrites } from './batch-writes.ts'
import type { Failed } from './carry-out.ts'
import type { Judged, QueuedSubmission } from './deadline.ts'
import { type FindAnswer, findAnswered } from './find-answered.ts'
import { answerOrTakeBack } from './late-decisions.ts'
import { type Decided, type Submission, toDecisionRow } from './submission.ts'

type Result = Decided | Failed

/** Called after the commit, when events of an organization are stored. */
export type OnStored = (organizationId: string, hasWebhook: boolean) => void

interface BatchParts extends BatchReadParts {
  readonly db: Database
  readonly onStored: OnStored
  onStuck(submission: QueuedSubmission, error: unknown): void
}

/**
 * Judges and stores a batch of spends in one transaction. It locks and reads everything that they
 * touch in one round trip. It judges them in the order of their arrival, so that each sees what the
 * one before left. It writes and commits in a second round trip.
 *
 * A batch holds one organization, or several on the embedded engine (ADR 24). Their statements are
 * sent in the order of the organizations' ids.
 */
export async function decideBatch(
  parts: BatchParts,
  submissions: readonly QueuedSubmission[],
): Promise<Result[]> {
  const groups = byOrganization(submissions)
  const results = new Map<QueuedSubmission, Result>()
  const allReads = await parts.db.transaction(
    async (tx) => {
      const allReads = await Promise.all(
        groups.map(([organizationId, group]) => readBatch(tx, parts, organizationId, group)),
      )
      for (const [index, [, group]] of groups.entries()) {
        const reads = allReads[index]
        if (reads) await judgeGroup(tx, reads, group, results)
      }
      return allReads
    },
    afterBatch(parts, submissions, results),
  )
  for (const { organizationId, hasWebhook } of allReads) parts.onStored(organizationId, hasWebhook)
  return submissions.map(
    (submission) => results.get(submission) ?? { failure: new Error('A spend was not judged.') },
  )
}

/**
 * Needed only if a submission has a deadline: other callers are answered when the batch is over.
 */
function afterBatch(
  parts: BatchParts,
  submissions: readonly QueuedSubmission[],
  results: ReadonlyMap<QueuedSubmission, Result>,
): ((session: Session, isCommitted: boolean) => Promise<void>) | undefined {
  if (!submissions.some(({ deadline }) => deadline)) return undefined
  for (const { deadline } of submissions) if (deadline?.hasPassed()) deadline.decline()
  return async (session, isCommitted) => {
    if (isCommitted) await answerOrTakeBack(session, parts, submissions, results)
    // If this fails, the connection is dropped, and the locks with it.
    await releaseKeys(session)
  }
}

export function byOrganization(
  submissions: readonly QueuedSubmission[],
): [string, QueuedSubmission[]][] {
  const groups = new Map<string, QueuedSubmission[]>()
  for (const submission of submissions) {
    const group = groups.get(submission.spend.organizationId)
    if (group) group.push(submission)
    else groups.set(submission.spend.organizationId, [submission])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function judgeGroup(
  tx: Tx,
  reads: BatchReads,
  submissions: readonly QueuedSubmission[],
  results: Map<QueuedSubmission, Result>,
): Promise<void> {
  const live = [...reads.keys.values()].filter((row) => !isPastItsTime(row, reads.now))
  const answered = await findAnswered(tx, reads.organizationId, live, reads.hasTaken)
  const unread = new Set<string>()
  let writes: BatchWrites
  do {
    writes = judgeInOrder(reads, submissions, answered, results, unread)
    if (unread.size > 0) {
      await reads.readFurther([...unread])
      unread.clear()
      // This decides the same once more, and can name the largest amounts.
      writes = judgeInOrder(reads, submissions, answered, results, unread)
    }
    // A deadline may have passed meanwhile. Judging once more declines that submission.
  } while (submissions.some((submission) => isTooLate(submission, results.get(submission))))
  for (const statement of writes.statements()) tx.send(statement)
}

function isTooLate({ deadline }: QueuedSubmission, result: Result | undefined): boolean {
  if (!deadline?.hasPassed() || !result || 'failure' in result) return false
  return !result.isReplay && result.code !== DEADLINE_PASSED
}

function judgeInOrder(
  reads: BatchReads,
  submissions: readonly QueuedSubmission[],
  answered: FindAnswer,
  results: Map<QueuedSubmission, Result>,
  unread: Set<string>,
): BatchWrites {
  const writes = collectWrites(reads)
  // By key: a repeat in the same batch gets the answer of the first one.
  const first = new Map<string, QueuedSubmission>()
  for (const submission of submissions) {
    const key = submission.idempotency && nameOf(submission.idempotency)
    const earlier = key === null ? undefined : first.get(key)
    const result = earlier ? repeat(submission, earlier, results) : judge(submission)
    results.set(submission, result)
    // A submission that was refused has not taken the key.
    if (key !== null && !('failure' in result)) first.set(key, submission)
  }
  return writes

  function judge(submission: QueuedSubmission): Result {
    // An error here concerns this spend alone, and nothing of the spend was recorded.
    try {
      requireKey(reads, submission)
      const earlier = answered(submission.idempotency)
      if (!earlier) return judgeNew(reads, writes, submission, unread)
      if (earlier.isToBeNoted && submission.idempotency) writes.noteTold(submission.idempotency)
      return earlier.decided
    } catch (failure) {
      return { failure }
    }
  }
}

/**
 * The holder of the key may be about to take back what it has stored, so a repeat must wait for it.
 */
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

function judgeNew(
  reads: BatchReads,
  writes: BatchWrites,
  submission: QueuedSubmission,
  unread: Set<string>,
): Decided {
  const { spend, deadline, isUnasked } = submission
  const spender = reads.spender(spend.agentId)
  // Money of an agent that was deleted since has moved all the same.
  if (!spender || (spender.isDeleted && !isUnasked)) throw agentNotFound(spend.agentId)
  const { decision, row } = deadline?.hasPassed()
    ? deadline.decline()
    : judgeSpend(reads, writes, submission)
  writes.add(decision, row, submission)
  for (const key of decision.unread) unread.add(key)
  return { ...row, isReplay: false }
}

function judgeSpend(reads: BatchReads, writes: BatchWrites, submission: Submission): Judged {
  const { spend, isUnasked } = submission
  if (!isUnasked) requireRoomInPlan(reads, writes.evaluations)
  const judge = isUnasked ? record : decide
  const decision = judge(spend, writes.account(spend), reads.now)
  return { decision, row: toDecisionRow(submission, decision) }
}

function requireRoomInPlan({ plan, used, now }: BatchReads, counted: number): void {
  const limit = PLANS[plan].evaluationsPerMonth
  if (limit === null || used + counted < limit) return
  const { resetsAt: end } = usageMonth(now)
  const resetsAt = toIso(end)
  throw new Problem(
    'plan_limit_exceeded',
    `The plan ${plan} allows ${limit} evaluations a month, and they are used up until ${resetsAt}.`,
    {
      retryAfterSeconds: Math.ceil((end - now) / 1_000),
      extra: { plan, limit, used: used + counted, resetsAt },
    },
  )
}

import { Problem } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Database, Session, Tx } from '../../storage/engine/database.ts'
import { releaseKeys } from '../../storage/idempotency.ts'
import { listOverdueHoldsBelow } from '../../storage/overdue-holds.ts'
import { isOutdatedByStop } from '../../storage/stops.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import { answerOrTakeBack } from '../deadlines/late-decisions.ts'
import type { SweepLine } from '../holds/hold-sweeper.ts'
import type { ApprovalUrl } from './asks.ts'
import { type BatchReadParts, readBatch } from './batch-reads.ts'
import { type JudgedGroup, judgeGroup, type Result } from './judge-group.ts'

/** Called after the commit that stored events of an organization. */
export type OnStored = (organizationId: string, hasWebhook: boolean) => void

interface BatchParts extends BatchReadParts {
  readonly db: Database
  readonly onStored: OnStored
  onStuck(submission: QueuedSubmission, error: unknown): void
  /** Releases holds that take room in one of these mandates and had expired at this instant. */
  readonly sweepLine: SweepLine
  readonly approvalUrl: ApprovalUrl
}

/**
 * Judges and stores a batch of spends in one transaction. The first round trip locks and reads all
 * rows that the spends need. The spends are judged in the order of arrival, so that each sees the
 * state that the one before left. The second round trip writes and commits. If overdue holds take
 * the room that a spend lacks, the batch releases them and is judged again. If an agent's mandate
 * ended while the batch waited for its lock, the batch is read once more, because the mandate may have
 * been replaced.
 *
 * If spending was stopped after the batch had read and before it is stored, nothing of it is
 * stored, and it is judged again (ADR 50). If that happens too often, nothing is approved.
 *
 * A batch holds one organization, or several on the embedded engine (ADR 24). Their statements are
 * sent in the order of the organizations' ids.
 */
export async function decideBatch(
  parts: BatchParts,
  submissions: readonly QueuedSubmission[],
): Promise<Result[]> {
  for (let tries = 1; tries <= STOPPED_TRIES_MAX; tries += 1) {
    try {
      return await judgeAndStore(parts, submissions)
    } catch (error) {
      if (!isOutdatedByStop(error)) throw error
    }
  }
  throw stoppedTooOften()
}

/** More stops than this during one batch are not normal operation. */
const STOPPED_TRIES_MAX = 3

function stoppedTooOften(): Problem {
  return new Problem(
    'overloaded',
    'Spending was stopped several times while this spend was judged, so nothing was decided. Retry with the same Idempotency-Key.',
    { retryAfterSeconds: 1 },
  )
}

async function judgeAndStore(
  parts: BatchParts,
  submissions: readonly QueuedSubmission[],
): Promise<Result[]> {
  const begun = await tryBatch(parts, submissions, { forLost: true, forOverdue: true })
  const first = begun.isLost
    ? await tryBatch(parts, submissions, { forLost: false, forOverdue: true })
    : begun
  if (first.results) return first.results
  for (const { organizationId, mandateIds, now } of first.overdue) {
    await parts.sweepLine(organizationId, mandateIds, now)
  }
  const second = await tryBatch(parts, submissions, { forLost: false, forOverdue: false })
  if (second.results) return second.results
  throw new Error('A batch was not stored.')
}

/** Mandates whose overdue holds take the room that a spend lacks. */
interface Overdue {
  readonly organizationId: string
  readonly mandateIds: readonly string[]
  /** The instant of the judgment. */
  readonly now: Instant
}

/** The reasons for which nothing is stored, so that the batch is tried again. */
interface Looks {
  /** An agent lost its mandate while the batch waited: it may have a next one. */
  readonly forLost: boolean
  /** Overdue holds take the room that a spend lacks. */
  readonly forOverdue: boolean
}

interface Tried {
  /** Undefined if nothing was stored. */
  readonly results?: Result[]
  readonly isLost: boolean
  readonly overdue: readonly Overdue[]
}

/**
 * Judges and stores. Nothing is stored if a new transaction has to read or to change something first:
 * a replaced mandate needs a new read, and overdue holds are released under locks that this
 * transaction cannot take in the right order.
 */
async function tryBatch(
  parts: BatchParts,
  submissions: readonly QueuedSubmission[],
  looks: Looks,
): Promise<Tried> {
  const groups = byOrganization(submissions)
  const results = new Map<QueuedSubmission, Result>()
  const { allReads, isLost, overdue } = await parts.db.transaction(
    async (tx) => {
      const allReads = await Promise.all(
        groups.map(([organizationId, group]) => readBatch(tx, parts, organizationId, group)),
      )
      if (looks.forLost && allReads.some(({ hasLostMandate }) => hasLostMandate)) {
        return { allReads, isLost: true, overdue: [] }
      }
      const judged: JudgedGroup[] = []
      for (const [index, reads] of allReads.entries()) {
        const [, group = []] = groups[index] ?? []
        judged.push(await judgeGroup(tx, reads, group, results, parts.approvalUrl))
      }
      const overdue = looks.forOverdue ? await findOverdue(tx, judged) : []
      if (overdue.length === 0) sendAll(tx, judged)
      else results.clear()
      return { allReads, isLost: false, overdue }
    },
    afterBatch(parts, submissions, results),
  )
  if (isLost || overdue.length > 0) return { isLost, overdue }
  for (const { organizationId, subscription } of allReads) {
    parts.onStored(organizationId, subscription.hasWebhook)
  }
  const resultOf = (submission: QueuedSubmission): Result =>
    results.get(submission) ?? { failure: new Error('A spend was not judged.') }
  return { results: submissions.map(resultOf), isLost, overdue }
}

function sendAll(tx: Tx, judged: readonly JudgedGroup[]): void {
  for (const { writes } of judged) {
    for (const statement of writes.statements()) tx.send(statement)
  }
}

/** Queries only if a spend lacked room that holds may take, which is rare. */
async function findOverdue(tx: Tx, judged: readonly JudgedGroup[]): Promise<Overdue[]> {
  const all: Overdue[] = []
  for (const { reads, shortOfRoom } of judged) {
    if (shortOfRoom.size === 0) continue
    const { organizationId, now } = reads
    const mandateIds = [...shortOfRoom]
    const found = await listOverdueHoldsBelow(tx, organizationId, mandateIds, now, 1)
    if (found.length > 0) all.push({ organizationId, mandateIds, now })
  }
  return all
}

/**
 * Returns undefined unless a submission has a deadline: other callers get their answer when the
 * batch is over.
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
    // If this fails, the connection is dropped, which releases the locks.
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

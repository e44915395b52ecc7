import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { startLoop } from '../../base/loop.ts'
import { isCheck } from '../../core/spend.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { claimIdempotencyKey } from '../../storage/idempotency.ts'
import { byOrganization } from '../batch/decide-batch.ts'
import type { PolicyCache } from '../policy-cache.ts'
import type { Decided, Submission } from '../submission.ts'
import { type Deadline, type QueuedSubmission, startDeadline } from './deadline.ts'
import { takeBack } from './late-decisions.ts'

/** How long a retry waits for the first submission before it checks again. */
const LOOK_AGAIN_MS = 20
const TRY_AGAIN_MS = 1_000
/**
 * Bounds the submissions that could not be recorded: an unreachable database must not fill the
 * memory.
 */
const OPEN_MAX = 10_000

interface InTimeParts {
  readonly db: Database
  readonly policyCache: PolicyCache
  readonly clock: Clock
  readonly log: Log
  submit(submission: QueuedSubmission): Promise<Decided>
}

export interface InTime {
  /** Settles by `answerBy`, whatever the database does. */
  decide(submission: Submission, answerBy: number): Promise<Decided>
  /** Makes sure later that the stored decision agrees with the caller's answer. */
  pursue(submission: QueuedSubmission, error: unknown): void
  stop(): Promise<void>
}

/**
 * Decides submissions that have a deadline. Decisions that could not be stored or undone in time
 * are retried once a second: as long as the process lives, no approval stays that was never
 * answered. If the process dies, such an approval only holds budget, and a retry is answered with
 * it.
 */
export function createInTime(parts: InTimeParts): InTime {
  const { clock, log, submit } = parts
  const open = new Set<QueuedSubmission>()
  const loop = startLoop({
    run: settleOpen,
    everyMs: TRY_AGAIN_MS,
    failed: (err) => logEvent(log, 'deadline.round_failed', { err }),
  })

  /** Retries temporary errors until the deadline, because until then the outcome is open. */
  async function work(submission: QueuedSubmission, deadline: Deadline): Promise<void> {
    let failure: unknown
    while (!deadline.hasPassed()) {
      try {
        await submit(submission)
        return
      } catch (error) {
        if (isRefusedInTime(deadline, error)) return deadline.fail(error)
        failure = error
        deadline.note(error)
        await sleep(LOOK_AGAIN_MS)
      }
    }
    deadline.decline()
    pursue(submission, failure)
  }

  function pursue(submission: QueuedSubmission, error: unknown): void {
    const { organizationId, transactionId } = submission.spend
    const fields = { err: error, organizationId, transactionId }
    if (open.size >= OPEN_MAX) {
      logEvent(log, 'deadline.abandoned', fields)
      return
    }
    logEvent(log, 'deadline.not_stored', fields)
    open.add(submission)
    loop.wake()
  }

  /**
   * Handles all organizations concurrently: one whose locks are taken does not delay the others.
   */
  async function settleOpen(isStopping: () => boolean): Promise<void> {
    const groups = byOrganization([...open])
    await Promise.all(groups.map(([, group]) => settleGroup(group, isStopping)))
  }

  /**
   * Ends at the first failure of the database, because later submissions would most likely fail
   * too.
   */
  async function settleGroup(group: QueuedSubmission[], isStopping: () => boolean) {
    for (const submission of group) {
      if (isStopping() || (await isAway(submission))) return
    }
  }

  async function isAway(submission: QueuedSubmission): Promise<boolean> {
    try {
      if (await settle(submission)) open.delete(submission)
      return false
    } catch (err) {
      if (isPassing(err)) return true
      const { organizationId, transactionId } = submission.spend
      logEvent(log, 'deadline.store_failed', { err, organizationId, transactionId })
      open.delete(submission)
      return false
    }
  }

  /**
   * If nothing is stored yet, stores the decline: if the first attempt arrives after all, it finds
   * the decline in its place. Returns false if a different process holds the key.
   */
  async function settle(submission: QueuedSubmission): Promise<boolean> {
    const state = await settleStored(parts, submission)
    if (state === 'missing') await submit(submission)
    return state !== 'taken'
  }

  return {
    decide(submission, answerBy) {
      requireReversible(submission)
      const { deadline, answer } = startDeadline(submission, answerBy, clock.estimate)
      void work({ ...submission, deadline }, deadline)
      return answer
    },
    pursue,
    async stop() {
      await loop.stop()
      await settleOpen(() => false)
      if (open.size > 0) {
        logEvent(log, 'deadline.unstored_at_stop', { submissions: open.size })
      }
    },
  }
}

/** A refusal that comes too late is stored as the decline that the caller received. */
function isRefusedInTime(deadline: Deadline, error: unknown): boolean {
  return !isPassing(error) && !deadline.hasPassed()
}

/**
 * A spend with a deadline may have to be undone, which is impossible for money that moved at once.
 */
function requireReversible({ idempotency, spend }: Submission): void {
  assert(idempotency, 'a spend with a deadline has an Idempotency-Key')
  assert(spend.holdMs !== null || isCheck(spend), 'a spend with a deadline is held')
}

/** Runs under the key, so that no caller is answered with the approval while it is being undone. */
function settleStored(
  { db, policyCache, clock }: InTimeParts,
  submission: QueuedSubmission,
): Promise<'taken' | 'settled' | 'missing'> {
  const { organizationId, transactionId: id } = submission.spend
  return transactionFor(db, organizationId, async (tx) => {
    if (!(await hasKey(tx, submission))) return 'taken'
    const place = { tx, policyCache, clock, organizationId, id }
    return (await takeBack(place, submission)) ? 'settled' : 'missing'
  })
}

async function hasKey(tx: Tx, { spend, idempotency }: QueuedSubmission): Promise<boolean> {
  return idempotency === null || claimIdempotencyKey(tx, spend.organizationId, idempotency)
}

/** Whether a retry may succeed later. Other errors mean that the submission was refused. */
function isPassing(error: unknown): boolean {
  return error instanceof Problem && PASSING.has(error.code)
}

const PASSING: ReadonlySet<string> = new Set([
  'storage_unavailable',
  'storage_full',
  'idempotency_in_flight',
  'overloaded',
])

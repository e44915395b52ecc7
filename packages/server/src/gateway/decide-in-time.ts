import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../core/time/instant.ts'
import { Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { Database } from '../storage/engine/database.ts'
import { type QueuedSubmission, startDeadline } from './deadline.ts'
import { takeBack } from './late-decisions.ts'
import type { PolicyCache } from './policy-cache.ts'
import type { Decided, Submission } from './submission.ts'

/** How long a repeat waits for the first submission before it looks again. */
const LOOK_AGAIN_MS = 20
const TRY_AGAIN_MS = 1_000
/**
 * A bound on submissions that could not be recorded: an unreachable database must not fill the
 * memory.
 */
const OPEN_MAX = 10_000

interface InTimeParts {
  readonly db: Database
  readonly policyCache: PolicyCache
  readonly now: () => Instant
  readonly log: Log
  submit(submission: QueuedSubmission): Promise<Decided>
}

export interface InTime {
  /** Settles by `answerBy`, whatever the database does. */
  decide(submission: Submission, answerBy: number): Promise<Decided>
  /** Makes sure later that what is stored agrees with what the caller was told. */
  pursue(submission: QueuedSubmission, error: unknown): void
  stop(): Promise<void>
}

/**
 * Decides submissions that have a deadline. What could not be stored or taken back in time is tried
 * again once a second: as long as the process lives, no approval stays that nobody was told of. If
 * the process dies, such an approval only holds budget, and a repeat is told of it.
 */
export function createInTime(parts: InTimeParts): InTime {
  const { db, policyCache, now, log, submit } = parts
  const open = new Set<QueuedSubmission>()
  const loop = startLoop({
    run: settleOpen,
    everyMs: TRY_AGAIN_MS,
    failed: (err) => log.error({ err }, 'What was answered at a deadline could not be settled.'),
  })

  async function work(submission: QueuedSubmission): Promise<void> {
    for (;;) {
      try {
        await submit(submission)
        return
      } catch (error) {
        if (!isInFlight(error) || submission.deadline?.hasPassed()) return fail(submission, error)
        await sleep(LOOK_AGAIN_MS)
      }
    }
  }

  function fail(submission: QueuedSubmission, error: unknown): void {
    submission.deadline?.fail(error)
    if (mayBeStored(error)) pursue(submission, error)
  }

  function pursue(submission: QueuedSubmission, error: unknown): void {
    const { organizationId, transactionId } = submission.spend
    const fields = { err: error, organizationId, transactionId }
    if (open.size >= OPEN_MAX) {
      log.error(fields, 'What was answered at a deadline could not be stored, and is given up.')
    } else open.add(submission)
  }

  async function settleOpen(): Promise<void> {
    for (const submission of [...open]) {
      try {
        await settle(submission)
        open.delete(submission)
      } catch (error) {
        // The next round tries again. Until then, an approval that nobody was told of only holds
        // budget.
        if (!mayBeStored(error)) open.delete(submission)
      }
    }
  }

  /**
   * If nothing is stored yet, it stores the decline: should the first try arrive after all, it
   * finds its place taken.
   */
  async function settle(submission: QueuedSubmission): Promise<void> {
    const { organizationId, transactionId: id } = submission.spend
    const isStored = await db.transaction((tx) =>
      takeBack({ tx, policyCache, organizationId, id }, submission, now()),
    )
    if (!isStored) await submit(submission)
  }

  return {
    decide(submission, answerBy) {
      const { deadline, answer } = startDeadline(submission, answerBy, now)
      void work({ ...submission, deadline })
      return answer
    },
    pursue,
    async stop() {
      await loop.stop()
      await settleOpen()
      if (open.size > 0) {
        log.error({ submissions: open.size }, 'Answers at a deadline could not be stored.')
      }
    },
  }
}

function isInFlight(error: unknown): boolean {
  return error instanceof Problem && error.code === 'idempotency_in_flight'
}

/**
 * Whether the error leaves open what was stored. Other errors say that the submission was refused.
 */
function mayBeStored(error: unknown): boolean {
  return !(error instanceof Problem) || error.code === 'storage_unavailable'
}

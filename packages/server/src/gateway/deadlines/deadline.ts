import assert from 'node:assert/strict'
import { Problem } from '../../base/errors.ts'
import type { Decision } from '../../core/decision/decide.ts'
import { declineLate } from '../../core/decision/late.ts'
import type { Instant } from '../../core/time/instant.ts'
import { isConnectionFailure } from '../../storage/engine/storage-error.ts'
import {
  type Decided,
  type FreshDecision,
  type Late,
  type Submission,
  toDecisionRow,
} from '../submission.ts'

/** Far more than any caller waits for an answer, and less than the maximum of a timer. */
const WITHIN_MAX_MS = 24 * 60 * 60 * 1_000

/** A submission in the queue, with its deadline if it has one. */
export interface QueuedSubmission extends Submission {
  readonly deadline?: Deadline
}

/**
 * The time by which the caller of a submission gets an answer. The first of two events answers: the
 * batch with its decision, or the timer with a decline. From then on the answer stands, and the
 * stored decision follows it.
 */
export interface Deadline {
  /** Whether it is too late to answer the caller with an approval. */
  hasPassed(): boolean
  /** Answers with the decline, if the caller has no answer yet. Returns the decline for storage. */
  decline(): Judged
  /** Answers with the stored decision. Returns false if it is too late for that. */
  accept(decided: Decided): boolean
  /** Remembers the error of an attempt that is retried. */
  note(error: unknown): void
  /** Answers with an error, if the caller has no answer yet. */
  fail(error: unknown): void
}

export interface Judged {
  readonly decision: Decision
  readonly row: FreshDecision
}

/** The timer starts at once; `answer` settles by `answerBy`, whatever the database does. */
export function startDeadline(
  submission: Submission,
  answerBy: number,
  now: () => Instant,
): { readonly deadline: Deadline; readonly answer: Promise<Decided> } {
  let resolve: (decided: Decided) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const answer = new Promise<Decided>((onDecided, onError) => {
    resolve = onDecided
    reject = onError
  })
  let isAnswered = false
  let isAccepted = false
  let declined: Judged | undefined
  let late: Late = 'slow'
  const withinMs = answerBy - performance.now()
  assert(withinMs <= WITHIN_MAX_MS, 'a deadline is at most a day away')
  const timer = setTimeout(decline, withinMs)

  function decline(): Judged {
    // The decline is made only once: the stored one must equal the answer, byte for byte.
    declined ??= judgeLate(submission, now())
    const { row } = declined
    end(() => resolve({ ...row, late }))
    return declined
  }

  function end(answerCaller: () => void): void {
    clearTimeout(timer)
    if (!isAnswered) answerCaller()
    isAnswered = true
  }

  return {
    answer,
    deadline: {
      hasPassed: () => !isAccepted && (isAnswered || performance.now() >= answerBy),
      decline,
      accept(decided) {
        if (!isAnswered && performance.now() >= answerBy) decline()
        if (isAnswered) return isAccepted
        isAccepted = true
        end(() => resolve(decided))
        return true
      },
      note(error) {
        // A database that reports that it is too busy is reachable.
        late = error instanceof Problem && isConnectionFailure(error.cause) ? 'away' : 'slow'
      },
      fail: (error) => end(() => reject(error)),
    },
  }
}

function judgeLate(submission: Submission, now: Instant): Judged {
  const decision = declineLate(submission.spend, now)
  return { decision, row: toDecisionRow(submission, decision, null) }
}

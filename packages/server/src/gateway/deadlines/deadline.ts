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

/** Far more than anybody waits for an answer, and less than a timer can take. */
const WITHIN_MAX_MS = 24 * 60 * 60 * 1_000

/** A submission in the queue, with its deadline if it has one. */
export interface QueuedSubmission extends Submission {
  readonly deadline?: Deadline
}

/**
 * The time by which the caller of a submission gets an answer. Whichever comes first answers: the
 * batch, with what was decided, or the timer, with a decline. From then on the answer stands, and
 * what is stored follows it.
 */
export interface Deadline {
  /** Whether it is too late to tell the caller of an approval. */
  hasPassed(): boolean
  /**
   * Answers with the decline, if the caller has no answer yet. Returns what must be stored of it.
   */
  decline(): Judged
  /** Answers with what was decided and stored. Returns false if that comes too late. */
  accept(decided: Decided): boolean
  /** Notes how a try has ended that is tried again. */
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
    // It is made only once: what is stored later must be what the caller was told, to the byte.
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
        // A store that says that it is too busy is there.
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

import { Problem } from '../../base/errors.ts'

export interface BatchRun<Job, Result> {
  /**
   * Carries out a batch: one result for each job, in order. If a job fails alone, its result is its
   * error (see `Failed`); a throw fails the whole batch.
   */
  run(jobs: readonly Job[]): Promise<readonly (Result | Failed)[]>
  /** Whether a batch that threw may be repeated job by job, because nothing of it was stored. */
  isolates(error: unknown): boolean
  /** A batch waits for at most this many callers of the last one (ADR 69); none if omitted. */
  readonly gatheringMax?: number
}

/** The result of a job that failed without harm to the others of its batch. */
export interface Failed {
  readonly failure: unknown
}

/** A job in a queue, and how its caller is answered. */
export interface Waiting<Job, Result> {
  readonly job: Job
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Once in a batch, once alone, and once more alone: after a deadlock, the key may turn out to be
 * taken.
 */
const TRIES_MAX = 3

/** Answers the jobs of a batch that was carried out. */
export type AnswerJobs = () => void

/**
 * Carries out a batch. It never throws. The caller runs the returned function to answer the jobs;
 * jobs that had to run alone are already answered.
 */
export async function carryOut<Job, Result>(
  options: BatchRun<Job, Result>,
  batch: readonly Waiting<Job, Result>[],
  tries = TRIES_MAX,
): Promise<AnswerJobs> {
  try {
    const results = await options.run(batch.map(({ job }) => job))
    return () => settle(batch, results)
  } catch (error) {
    if (tries === 1 || !options.isolates(error)) return () => rejectAll(batch, error)
    // One bad job has spoiled the batch, and nothing of it was stored, so each job runs alone. A
    // job that was already alone runs again too: by then it finds the decision that a different
    // process stored under its key.
    for (const waiting of batch) (await carryOut(options, [waiting], tries - 1))()
    return () => {}
  }
}

function settle<Job, Result>(
  batch: readonly Waiting<Job, Result>[],
  results: readonly (Result | Failed)[],
): void {
  batch.forEach((waiting, index) => {
    const result = results[index]
    if (result === undefined) waiting.reject(new Error('A batch returned too few results.'))
    else if (isFailed(result)) waiting.reject(result.failure)
    else waiting.resolve(result)
  })
}

function isFailed(result: unknown): result is Failed {
  return typeof result === 'object' && result !== null && 'failure' in result
}

function rejectAll(batch: readonly { reject(error: unknown): void }[], error: unknown): void {
  for (const waiting of batch) waiting.reject(error)
}

/** The error for a job that finds the queue full. */
export function overloaded(): Problem {
  return new Problem(
    'overloaded',
    'More spends are waiting than can be judged in time. Retry with the same Idempotency-Key.',
    { retryAfterSeconds: 1 },
  )
}

/** Resolves when nothing runs and nothing waits. */
export async function untilDone(
  runs: ReadonlySet<Promise<void>>,
  isWaiting: () => boolean,
): Promise<void> {
  // A job that was submitted meanwhile has started a batch, or waits for other callers.
  while (isWaiting() || runs.size > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(runs)
  }
}

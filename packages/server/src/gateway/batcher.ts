import { Problem } from '../errors.ts'

export interface Batcher<Job, Result> {
  submit(job: Job): Promise<Result>
  /** How many jobs wait for their batch. */
  readonly waiting: number
  /** Resolves when nothing runs and nothing waits. */
  drain(): Promise<void>
}

interface BatcherOptions<Job, Result> {
  /**
   * Carries out a batch: one result for each job, in order. If a job fails alone, its result is its
   * error (see `Failed`); a throw fails the whole batch.
   */
  run(jobs: readonly Job[]): Promise<readonly (Result | Failed)[]>
  /** Whether a batch that threw may be repeated job by job, because nothing of it was stored. */
  isolates(error: unknown): boolean
  readonly batchSizeMax: number
  readonly waitingMax: number
}

/** The result of a job that failed without harm to the others of its batch. */
export interface Failed {
  readonly failure: unknown
}

interface Waiting<Job, Result> {
  readonly job: Job
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Once in a batch, once alone, and once more alone: after a deadlock, the key may turn out to be
 * taken.
 */
const TRIES_MAX = 3

/**
 * Collects jobs into batches without a timer: a lone job runs at once, and whatever arrives while a
 * batch is being written forms the next one. So batches are as large as the load makes them, and an
 * idle gateway adds no wait.
 */
export function createBatcher<Job, Result>(
  options: BatcherOptions<Job, Result>,
): Batcher<Job, Result> {
  const { run, isolates, batchSizeMax, waitingMax } = options
  let queue: Waiting<Job, Result>[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchSizeMax)
      queue = queue.slice(batchSizeMax)
      await runBatch(batch)
    }
    running = undefined
  }

  async function runBatch(
    batch: readonly Waiting<Job, Result>[],
    tries = TRIES_MAX,
  ): Promise<void> {
    try {
      settle(batch, await run(batch.map(({ job }) => job)))
    } catch (error) {
      if (tries === 1 || !isolates(error)) return rejectAll(batch, error)
      // One bad job has spoiled the batch, and nothing of it was stored, so each job runs alone. A
      // job that was alone already runs again too: by then it finds what another process stored
      // under its key.
      for (const waiting of batch) await runBatch([waiting], tries - 1)
    }
  }

  return {
    submit(job) {
      if (queue.length >= waitingMax) return Promise.reject(overloaded())
      return new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        // It starts after the current turn, so that requests parsed in the same turn share a batch.
        running ??= Promise.resolve().then(runAll)
      })
    },
    get waiting() {
      return queue.length
    },
    async drain() {
      // A job that was submitted after the last batch has started another round.
      while (running !== undefined) await running
    },
  }
}

function settle<Job, Result>(
  batch: readonly Waiting<Job, Result>[],
  results: readonly (Result | Failed)[],
): void {
  batch.forEach((waiting, index) => {
    const result = results[index]
    if (result === undefined) waiting.reject(new Error('A batch gave too few results.'))
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

function overloaded(): Problem {
  return new Problem(
    'overloaded',
    'More spends are waiting than can be judged in time. Repeat this one with the same Idempotency-Key.',
    { retryAfterSeconds: 1 },
  )
}

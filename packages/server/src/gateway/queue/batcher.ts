import { type BatchRun, carryOut, overloaded, type Waiting } from './carry-out.ts'

export interface Batcher<Job, Result> {
  submit(job: Job): Promise<Result>
  /** How many jobs wait for their batch. */
  readonly waiting: number
  /** Resolves when nothing runs and nothing waits. */
  drain(): Promise<void>
}

interface BatcherOptions<Job, Result> extends BatchRun<Job, Result> {
  readonly batchSizeMax: number
  readonly waitingMax: number
}

/**
 * Collects jobs into batches without a timer: a lone job runs at once, and whatever arrives while a
 * batch is being written forms the next one. So batches are as large as the load makes them, and an
 * idle gateway adds no wait. It mixes organizations, which suits the embedded engine: it has one
 * connection, and nobody else can hold a lock there.
 */
export function createBatcher<Job, Result>(
  options: BatcherOptions<Job, Result>,
): Batcher<Job, Result> {
  const { batchSizeMax, waitingMax } = options
  let queue: Waiting<Job, Result>[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchSizeMax)
      queue = queue.slice(batchSizeMax)
      await carryOut(options, batch)
    }
    running = undefined
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

import { type BatchRun, carryOut, overloaded, untilDone, type Waiting } from './carry-out.ts'
import { createGathering } from './gathering.ts'

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
  /**
   * When the first job starts a batch. The default is after the current turn, so that requests
   * parsed in the same turn share a batch.
   */
  defer?(begin: () => void): void
  /** Without it, a batch waits for the previous one, however long that takes. */
  readonly patience?: Patience
}

/** A batch that takes longer than this no longer holds up the next one. */
interface Patience {
  readonly ms: number
  /** How many batches may run at once then. */
  readonly atOnceMax: number
}

/**
 * Collects jobs into batches: a lone job runs at once, and jobs that arrive while a batch is being
 * written form the next one. So the size of a batch follows the load, and an idle gateway adds no
 * wait. Only callers that return at once are waited for (`gatheringMax`).
 *
 * Batches mix organizations, which suits the embedded engine: it has one connection, so no other
 * transaction can hold a lock there.
 */
export function createBatcher<Job, Result>(
  options: BatcherOptions<Job, Result>,
): Batcher<Job, Result> {
  const { batchSizeMax, waitingMax, patience, gatheringMax = 0, defer = queueMicrotask } = options
  let queue: Waiting<Job, Result>[] = []
  const underWay = new Set<Promise<void>>()
  let isBeginning = false
  /** The batch that the next one waits for. */
  let inTheWay: readonly unknown[] | undefined
  const gathering = createGathering(gatheringMax, begin)

  const mustWait = (): boolean => inTheWay !== undefined || gathering.isOn()

  function begin(): void {
    isBeginning = false
    if (queue.length === 0 || mustWait() || underWay.size >= (patience?.atOnceMax ?? 1)) return
    const batch = queue.slice(0, batchSizeMax)
    queue = queue.slice(batchSizeMax)
    inTheWay = batch
    const running = run(batch).then(() => {
      underWay.delete(running)
      leave(batch)
    })
    underWay.add(running)
  }

  async function run(batch: readonly Waiting<Job, Result>[]): Promise<void> {
    const timer = patience && setTimeout(leave, patience.ms, batch)
    const began = performance.now()
    const answer = await carryOut(options, batch)
    clearTimeout(timer)
    gathering.begin({ size: batch.length, ms: performance.now() - began }, queue.length)
    answer()
    gathering.answered()
  }

  function leave(batch: readonly unknown[]): void {
    if (inTheWay === batch) inTheWay = undefined
    begin()
  }

  return {
    submit(job) {
      if (queue.length >= waitingMax) return Promise.reject(overloaded())
      return new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        gathering.note()
        if (isBeginning || mustWait()) return
        isBeginning = true
        defer(begin)
      })
    },
    get waiting() {
      return queue.length
    },
    drain: () => untilDone(underWay, () => queue.length > 0),
  }
}

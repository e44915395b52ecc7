import type { Worker } from 'node:cluster'
import { countersOf, mergeSnapshots } from '../../metrics/merge.ts'
import type { Snapshot } from '../../metrics/registry.ts'
import {
  isMetrics,
  isReadMetrics,
  type MetricsMessage,
  type ReadMetricsMessage,
} from './messages.ts'

/** Longer than a worker waits for the database's figures, so a busy worker is not left out. */
const ANSWER_MS = 3_000
let lastId = 0

/**
 * The metrics of one worker. Undefined if it does not answer in time: a worker that hangs must not
 * hold up the figures of the others.
 */
export function readWorkerMetrics(worker: Worker): Promise<Snapshot | undefined> {
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    const end = (snapshot?: Snapshot): void => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(snapshot)
    }
    const onMessage = (message: unknown): void => {
      if (isMetrics(message) && message.id === id) end(message.snapshot)
    }
    const timer = setTimeout(end, ANSWER_MS)
    worker.on('message', onMessage)
    if (worker.isConnected()) worker.send({ kind: 'read_metrics', id } satisfies ReadMetricsMessage)
    else end()
  })
}

/** Answers the primary's requests for the metrics of this worker. */
export function answerMetrics(read: () => Promise<Snapshot>): void {
  process.on('message', async (message) => {
    if (!isReadMetrics(message)) return
    // Without an answer, the primary shows the last figures.
    const snapshot = await read().catch(() => undefined)
    if (!snapshot) return
    process.send?.({ kind: 'metrics', id: message.id, snapshot } satisfies MetricsMessage)
  })
}

interface WorkerTotals<Worker> {
  begin(worker: Worker): void
  end(worker: Worker): void
  /** The metrics of all workers as one. */
  read(): Promise<Snapshot>
}

/**
 * Keeps the last figures of each worker, and the counters of workers that have ended. Prometheus takes
 * a counter that falls for a restart, and its return for new decisions. `readOne` resolves to undefined
 * if the worker does not answer in time.
 */
export function createWorkerTotals<Worker>(
  readOne: (worker: Worker) => Promise<Snapshot | undefined>,
): WorkerTotals<Worker> {
  const last = new Map<Worker, Snapshot>()
  let ended: Snapshot = {}

  async function renew(worker: Worker): Promise<void> {
    const snapshot = await readOne(worker)
    // If it has ended meanwhile, its counters are among those of the others.
    if (snapshot && last.has(worker)) last.set(worker, snapshot)
  }

  return {
    begin: (worker) => void last.set(worker, {}),
    end(worker) {
      ended = mergeSnapshots([ended, countersOf(last.get(worker) ?? {})])
      last.delete(worker)
    },
    async read() {
      await Promise.all([...last.keys()].map(renew))
      return mergeSnapshots([ended, ...last.values()])
    },
  }
}

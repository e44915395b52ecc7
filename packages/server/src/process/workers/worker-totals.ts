import { countersOf, mergeSnapshots } from '../../metrics/merge.ts'
import type { Snapshot } from '../../metrics/registry.ts'

export interface WorkerTotals<Worker> {
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

import cluster, { type Worker } from 'node:cluster'
import type { Part } from '../../base/lifecycle.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import type { Snapshot } from '../../metrics/registry.ts'
import { type DrainMessage, isReady, type ReadyMessage } from './messages.ts'
import { createWorkerTotals, readWorkerMetrics } from './worker-metrics.ts'

/** The workers of a primary. Stopping drains them, and resolves once they have ended. */
export interface LiveWorkers extends Part {
  /** Resolves once all serve. Rejects if one of them ends before that. */
  start(count: number): Promise<ReadyMessage>
  /** The metrics of all workers as one, with the counters of those that have ended. */
  read(): Promise<Snapshot>
}

/** Starts workers, and replaces those that end, each after a growing pause. */
export function createWorkers(log: Log): LiveWorkers {
  let hasStarted = false
  let isStopping = false
  const live = new Map<Worker, Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const pauses = createPauses()
  const totals = createWorkerTotals(readWorkerMetrics)

  /** Resolves once the worker serves. Rejects if it ends before that. */
  function startOne(): Promise<ReadyMessage> {
    const worker = cluster.fork()
    totals.begin(worker)
    const since = performance.now()
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
      worker.once('error', (error) => resolve(error.message))
    })
    const ready = new Promise<ReadyMessage>((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (isReady(message)) resolve(message)
      })
      void ended.then((reason) => reject(new Error(`A worker did not start (${reason}).`)))
    })
    live.set(
      worker,
      ended.then((reason) => {
        live.delete(worker)
        totals.end(worker)
        if (hasStarted && !isStopping) replace(worker, reason, performance.now() - since)
      }),
    )
    return ready
  }

  function replace(worker: Worker, reason: string, servedMs: number): void {
    const pauseMs = pauses.next(servedMs)
    const seconds = pauseMs / 1_000
    logEvent(log, 'process.worker_ended', { worker: String(worker.process.pid), reason, seconds })
    const timer = setTimeout(() => {
      timers.delete(timer)
      startOne().then(
        () => logEvent(log, 'process.worker_replaced', { worker: newestPid(live) }),
        // Its end was logged, and the next one follows after a longer pause.
        () => {},
      )
    }, pauseMs)
    timers.add(timer)
  }

  return {
    async start(count) {
      const [first] = await Promise.all(Array.from({ length: count }, startOne))
      if (first === undefined) throw new Error('No worker was started.')
      hasStarted = true
      return first
    },
    read: totals.read,
    async stop() {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      const ends = [...live].map(([worker, ended]) => {
        if (worker.isConnected()) worker.send({ kind: 'drain' } satisfies DrainMessage)
        return ended
      })
      await Promise.all(ends)
    },
  }
}

function newestPid(live: ReadonlyMap<Worker, unknown>): string {
  return String([...live.keys()].at(-1)?.process.pid)
}

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A worker that has served for this long was not broken from its start. */
const STEADY_MS = 60_000

/** The pauses before ended workers are replaced. */
interface Pauses {
  /** Returns the pause after a worker that served for `servedMs`. */
  next(servedMs: number): number
}

/** Doubles the pause with each worker that ends soon, and begins again after a steady one. */
export function createPauses(): Pauses {
  let pauseMs = FIRST_MS
  return {
    next(servedMs) {
      if (servedMs >= STEADY_MS) pauseMs = FIRST_MS
      const current = pauseMs
      pauseMs = Math.min(2 * pauseMs, LONGEST_MS)
      return current
    },
  }
}

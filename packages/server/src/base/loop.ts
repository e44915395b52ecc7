import { createPause } from './pause.ts'

export interface LoopParts {
  /** Runs one round. A long round checks from time to time whether it should end early. */
  run(isStopping: () => boolean): Promise<void>
  readonly everyMs: number
  /**
   * If set, a tick during a round, or during the rest after it, starts one more round at once, as a
   * wake does. Otherwise such a tick is dropped, and the next one starts a round.
   */
  readonly catchesUp?: true
  /** How long to rest after a round that took this long. Without it there is no rest. */
  restMs?(tookMs: number): number
  /** Called when a round failed, so that it can be logged; the next tick retries. */
  failed(error: unknown): void
}

export interface Loop {
  /** Signals that there may be work. It is cheap: wakes during a round lead to one more round. */
  wake(): void
  /**
   * Resolves when the current round is done, or else a new one that starts now; rejects if it
   * fails.
   */
  round(): Promise<void>
  /** Starts no more rounds, and resolves when the last one has ended. */
  stop(): Promise<void>
}

/**
 * Runs rounds, one at a time: at each tick of the interval, at each wake, and at each call of
 * `round`. It never ends by itself, whatever a round throws, and does not keep the process alive.
 */
export function startLoop({ run, everyMs, catchesUp, restMs, failed }: LoopParts): Loop {
  let isWanted = false
  let isStopped = false
  let underWay: Promise<void> | undefined
  let driving: Promise<void> | undefined
  const pause = createPause()

  function round(): Promise<void> {
    if (isStopped && !underWay) return Promise.reject(new Error('The loop was stopped.'))
    underWay ??= begin().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  /** The function is async so that a synchronous throw fails like every other round. */
  async function begin(): Promise<void> {
    await run(() => isStopped)
  }

  function wake(): void {
    isWanted = true
    if (!isStopped) driving ??= drive()
  }

  async function drive(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false
      const began = performance.now()
      try {
        await round()
      } catch (error) {
        failed(error)
        // A round that has just failed would most likely fail again.
        isWanted = false
      }
      if (restMs) await pause.wait(restMs(performance.now() - began))
    }
    driving = undefined
  }

  const timer = setInterval(() => {
    if (catchesUp || !driving) wake()
  }, everyMs)
  timer.unref()

  return {
    wake,
    round,
    async stop() {
      isStopped = true
      clearInterval(timer)
      pause.end()
      await driving
      // The caller of `round` has seen its failure.
      await underWay?.catch(() => {})
    },
  }
}

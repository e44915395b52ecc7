import { createPause } from './pause.ts'

export interface LoopParts {
  /** One round. A long one looks up from time to time whether it is to end early. */
  run(isStopping: () => boolean): Promise<void>
  readonly everyMs: number
  /**
   * A tick that comes during a round, or the rest after it, makes one more round at once, as a wake
   * does. Otherwise it is dropped, and the next one begins a round.
   */
  readonly catchesUp?: true
  /** How long nothing is done after a round that took so long. Without it there is no rest. */
  restMs?(tookMs: number): number
  /** A round failed. It is told to the log; the next tick tries again. */
  failed(error: unknown): void
}

export interface Loop {
  /** Something may be to do. Cheap: wakes that come during a round make one more. */
  wake(): void
  /** Resolves when the round under way, or else one that begins now, is done; rejects when it fails. */
  round(): Promise<void>
  /** Begins no round any more, and resolves when the last has ended. */
  stop(): Promise<void>
}

/**
 * Runs rounds, one at a time: whenever the interval ticks, whenever it is woken, whenever somebody
 * asks for a round. It never ends by itself, whatever a round throws, and keeps no process alive.
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

  /** What throws before it waits for anything fails like every other round. */
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
        // What failed just now would most likely fail again.
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
      // Whoever asked for the round was told of its failure.
      await underWay?.catch(() => {})
    },
  }
}

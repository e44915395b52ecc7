import { setTimeout as wait } from 'node:timers/promises'

/** The floor: what no wake announced, such as a retry or an event of another process, waits this long. */
const POLL_MS = 1_000
/** Under load rounds come this far apart: fewer and fuller ones leave more of the processor to decisions. */
const GAP_MS = 10

export interface Rounds {
  /** Cheap: wakes that come during a round make one more round. */
  wake(): void
  /** Resolves when no round runs any more. */
  stop(): Promise<void>
}

/** Runs rounds one at a time: when woken, and about once a second anyway. */
export function startRounds(
  run: () => Promise<void>,
  log: { error(fields: object, message: string): void },
): Rounds {
  let isWanted = false
  let isStopped = false
  let running: Promise<void> | undefined

  function wake(): void {
    isWanted = true
    if (!isStopped) running ??= runWhileWanted()
  }

  async function runWhileWanted(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false
      const apart = wait(GAP_MS)
      try {
        await run()
      } catch (err) {
        // The next poll tries again; nothing was sent that is not in the log.
        log.error({ err }, 'Webhook deliveries could not be looked for.')
        isWanted = false
      }
      await apart
    }
    running = undefined
  }

  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

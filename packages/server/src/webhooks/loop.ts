import type { Log } from '../log.ts'
import { createPause } from './pause.ts'

/** The floor: what no wake announced, such as a retry or an event of another process, waits this long. */
const POLL_MS = 1_000
/** Rounds begin at least this far apart: fewer and fuller ones cost less. */
const GAP_MS = 10
/** A round that waited long for the database must not be followed by as long a rest. */
const REST_MAX_MS = 1_000

export interface Rounds {
  /** Cheap: wakes that come during a round make one more round. */
  wake(): void
  /** Resolves when no round runs any more. */
  stop(): Promise<void>
}

/**
 * Runs rounds one at a time: when woken, and about once a second anyway. After each there is a rest as
 * long as the round took. When the process is busy with decisions rounds take long, and the rests with
 * them: deliveries then give way.
 */
export function startRounds(run: () => Promise<void>, log: Log): Rounds {
  let isWanted = false
  let isStopped = false
  let running: Promise<void> | undefined
  const pause = createPause()

  function wake(): void {
    isWanted = true
    if (!isStopped) running ??= runWhileWanted()
  }

  async function runWhileWanted(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false
      const began = performance.now()
      try {
        await run()
      } catch (err) {
        // The next poll tries again; nothing was sent that is not in the log.
        log.error({ err }, 'Webhook deliveries could not be looked for.')
        isWanted = false
      }
      const took = performance.now() - began
      await pause.wait(Math.min(REST_MAX_MS, Math.max(took, GAP_MS - took)))
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
      pause.end()
      await running
    },
  }
}

import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { createPause } from '../base/pause.ts'
import type { Leaving } from '../http/connections/leaving.ts'

interface DrainParts {
  readonly app: { readonly leaving: Leaving }
  readonly log: Log
  readonly drainMs: number
  /** Ends everything; called once the time is over. */
  stop(): Promise<void>
}

interface Drain {
  run(): Promise<void>
  /** Cuts the time short, because the process stops anyway. */
  stop(): Promise<void>
}

/**
 * Stops in two steps. Whoever sends requests here learns of the end from /readyz, and until then
 * its requests are answered: a listener that closes at once would refuse those on their way.
 */
export function createDrain({ app, log, drainMs, stop }: DrainParts): Drain {
  const pause = createPause()
  let isCutShort = false
  return {
    async run() {
      const seconds = drainMs / 1_000
      logEvent(log, 'process.draining', { seconds })
      app.leaving.begin()
      if (!isCutShort) await pause.wait(drainMs)
      await stop()
      logEvent(log, 'process.stopped', { answered: app.leaving.answeredCount() })
    },
    async stop() {
      app.leaving.begin()
      isCutShort = true
      pause.end()
    },
  }
}

import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { createPause } from '../base/pause.ts'
import type { Leaving } from '../http/connections/leaving.ts'

interface DrainParts {
  readonly app: { readonly leaving: Leaving }
  readonly log: Log
  readonly drainMs: number
  /** Ends everything; called once the drain time is over. */
  stop(): Promise<void>
}

interface Drain {
  run(): Promise<void>
  /** Cuts the drain time short, because the process stops anyway. */
  stop(): Promise<void>
}

/**
 * Stops in two steps. Load balancers learn of the shutdown from /readyz, and until then their
 * requests are answered: a listener that closes at once would refuse requests that are on their
 * way.
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

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
      log.info({ seconds }, 'Asked to stop: /readyz says so, and requests are still answered.')
      app.leaving.begin()
      if (!isCutShort) await pause.wait(drainMs)
      await stop()
      log.info({ answered: app.leaving.answeredCount() }, 'Stopped.')
    },
    async stop() {
      app.leaving.begin()
      isCutShort = true
      pause.end()
    },
  }
}

import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'

/** Logs that the database is unreachable, and that it is back: one line each (ADR 35). */
export interface Outage {
  noteFailure(error: unknown): void
  /** Costs one comparison while no connection fails. */
  noteAnswer(): void
}

/** The outage is over after this long without a failure: some connections may still fail while others work. */
const QUIET_MS = 2_000
const REMIND_EVERY_MS = 60_000

interface Failing {
  readonly sinceMs: number
  lastMs: number
  toldMs: number
  failures: number
}

/**
 * Every statement and every connection in the pool fails when the server restarts. That is one event
 * for an operator, so the failures are counted here and not logged one by one. `isTold` returns true
 * if other code has already logged why the database is gone for good.
 */
export function createOutage(log: Log, isTold: () => boolean = () => false): Outage {
  let failing: Failing | undefined

  const toFields = ({ sinceMs, failures }: Failing) => ({
    failures,
    seconds: Math.round((performance.now() - sinceMs) / 1_000),
  })

  return {
    noteFailure(err) {
      if (isTold()) return
      const nowMs = performance.now()
      if (!failing) {
        failing = { sinceMs: nowMs, lastMs: nowMs, toldMs: nowMs, failures: 1 }
        logEvent(log, 'storage.connection_failed', { err })
        return
      }
      failing.failures += 1
      failing.lastMs = nowMs
      if (nowMs - failing.toldMs < REMIND_EVERY_MS) return
      failing.toldMs = nowMs
      logEvent(log, 'storage.outage_continues', { err, ...toFields(failing) })
    },
    noteAnswer() {
      if (!failing || performance.now() - failing.lastMs < QUIET_MS) return
      logEvent(log, 'storage.recovered', toFields(failing))
      failing = undefined
    },
  }
}

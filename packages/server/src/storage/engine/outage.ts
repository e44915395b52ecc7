import type { Log } from '../../base/log.ts'

/** Tells the operator that the database is away, and that it is back: one line each. */
export interface Outage {
  noteFailure(error: unknown): void
  /** Costs a comparison while all is well. */
  noteAnswer(): void
}

/** While some connections fail and others do not, it is not over. */
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
 * to an operator, so all of them are counted here and none is told by itself. `isTold` says that
 * somebody else has told why the database is gone for good.
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
        log.error({ err }, 'A connection to the database failed. It is made again.')
        return
      }
      failing.failures += 1
      failing.lastMs = nowMs
      if (nowMs - failing.toldMs < REMIND_EVERY_MS) return
      failing.toldMs = nowMs
      log.error({ err, ...toFields(failing) }, 'Connections to the database still fail.')
    },
    noteAnswer() {
      if (!failing || performance.now() - failing.lastMs < QUIET_MS) return
      log.info(toFields(failing), 'The database answers again.')
      failing = undefined
    },
  }
}

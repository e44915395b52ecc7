import { setTimeout as pause } from 'node:timers/promises'
import type { Part } from '../../../base/lifecycle.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { ACP_LOG_EVENTS } from '../log-events.ts'

/** Tracks purchases that continue after their caller got an answer. */
export interface Running extends Part {
  add<T>(purchase: Promise<T>): Promise<T>
  /**
   * Returns the result, or undefined if it takes longer than `until` on the process's monotonic
   * clock.
   */
  within<T>(purchase: Promise<T>, until: number): Promise<T | undefined>
  /** Waits for `delayMs`, or until the process stops. Returns whether to continue. */
  pause(delayMs: number): Promise<boolean>
}

/** The timeouts of its calls end each purchase, so `stop` can wait for all of them. */
export function createRunning(log: Log): Running {
  const underWay = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  return {
    add(purchase) {
      underWay.add(purchase)
      const forget = () => void underWay.delete(purchase)
      purchase.then(forget, forget)
      return purchase
    },
    async within(purchase, until) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(
          () => {
            // The caller has its answer, so only the log shows this failure.
            purchase.catch((err: unknown) =>
              logEvent(log, ACP_LOG_EVENTS['acp.purchase_failed_late'], { err }),
            )
            resolve(undefined)
          },
          Math.max(until - performance.now(), 0),
        )
      })
      try {
        return await Promise.race([purchase, late])
      } finally {
        clearTimeout(timer)
      }
    },
    async pause(delayMs) {
      // Only the signal can make it reject.
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      return !stopping.signal.aborted
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(underWay)
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Part } from '../../../base/lifecycle.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { ACP_LOG_EVENTS } from '../log-events.ts'

/** Purchases that go on after their caller was answered. */
export interface Running extends Part {
  add<T>(purchase: Promise<T>): Promise<T>
  /** What it comes to by then, on the process's monotonic clock; undefined where it takes longer. */
  within<T>(purchase: Promise<T>, until: number): Promise<T | undefined>
  /** Waits so long, or until the process is asked to stop. Whether it goes on. */
  pause(delayMs: number): Promise<boolean>
}

/** Each of them ends by the limits of its own calls, so that stopping waits for all. */
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
            // Nobody waits for it any more.
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
      // It is ended by nothing but the signal.
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      return !stopping.signal.aborted
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(underWay)
    },
  }
}

import type { Counter } from '../counters/counter.ts'
import type { Instant } from '../time/instant.ts'

/**
 * Counters by key. Some rules have a counter for every purchase, so a long history would fill the
 * memory: a counter is dropped once nothing in it counts any more.
 */
export interface Counters {
  readonly size: number
  get(key: string): Counter | undefined
  set(key: string, counter: Counter, now: Instant): void
}

/** More than one call adds, so that the clean-up keeps up. */
const LOOKED_AT_ONCE = 2

export function createCounters(): Counters {
  const counters = new Map<string, Counter>()
  let hand = counters.entries()

  /** Checks a few counters each time, because checking all of them would take long. */
  function forget(now: Instant): void {
    for (let looked = 0; looked < LOOKED_AT_ONCE; looked += 1) {
      const next = hand.next()
      if (next.done) {
        hand = counters.entries()
        return
      }
      const [key, { expiresAt }] = next.value
      if (expiresAt <= now) counters.delete(key)
    }
  }

  return {
    get size() {
      return counters.size
    },
    get: (key) => counters.get(key),
    set(key, counter, now) {
      counters.set(key, counter)
      forget(now)
    },
  }
}

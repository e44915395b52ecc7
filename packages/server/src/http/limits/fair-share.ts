/**
 * How many requests of an organization run at once while other organizations have requests too. It
 * is small enough that a request of a different organization is not behind hundreds in the event
 * loop: with 16, a flood of one organization took the p99 of a second one to three times its usual
 * value, with 8 to less than twice. It is large enough to keep decisions in batches.
 */
export const SHARE = 8
/**
 * How long after its last request an organization counts as present, so that others must leave
 * room.
 */
const PRESENT_MS = 1_000
/**
 * The longest wait for a slot. If an organization's requests are stuck, for example behind a lock,
 * the next ones wait no longer than this. A flood at its limit is processed in less.
 */
const WAIT_MAX_MS = 1_000

/** Takes a slot for an organization's request; returns a promise if the request has to wait for it. */
export interface FairShare {
  enter(organizationId: string): Promise<void> | undefined
  leave(organizationId: string): void
}

interface Own {
  working: number
  readonly waiting: Set<() => void>
}

/**
 * Lets one organization use the whole process while it is alone. As soon as a second one appears,
 * each gets its share of slots, and further requests wait in the order of arrival (ADR 24). Waiting
 * costs nothing: the body of such a request has not been read yet.
 */
export function createFairShare(clock: () => number = () => performance.now()): FairShare {
  const owns = new Map<string, Own>()
  // The last two organizations seen are enough to know whether there is more than one.
  let last = { id: '', at: Number.NEGATIVE_INFINITY }
  let other = last

  function see(id: string): void {
    if (last.id !== id) {
      other = last
      last = { id, at: 0 }
    }
    last.at = clock()
  }

  function isAlone(id: string): boolean {
    const others = last.id === id ? other : last
    return clock() - others.at > PRESENT_MS
  }

  function ownOf(id: string): Own {
    const known = owns.get(id)
    if (known) return known
    const own = { working: 0, waiting: new Set<() => void>() }
    owns.set(id, own)
    return own
  }

  function wait(own: Own): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(start, WAIT_MAX_MS)
      function start(): void {
        clearTimeout(timer)
        own.waiting.delete(start)
        own.working += 1
        resolve()
      }
      own.waiting.add(start)
    })
  }

  return {
    enter(id) {
      see(id)
      const own = ownOf(id)
      if (own.working >= SHARE && !isAlone(id)) return wait(own)
      own.working += 1
      return undefined
    },
    leave(id) {
      const own = ownOf(id)
      own.working -= 1
      for (const start of own.waiting) {
        if (own.working >= SHARE && !isAlone(id)) break
        start()
      }
      if (own.working === 0) owns.delete(id)
    },
  }
}

/**
 * How many requests of an organization are worked on at once while others have requests too. Few
 * enough that somebody else's request is not behind hundreds in the event loop: with 16, a flood of
 * one organization took the p99 of another to three times its usual, with 8 to less than twice. Many
 * enough to keep decisions in batches.
 */
export const SHARE = 8
/** How long after its last request an organization counts as one that others must leave room for. */
const PRESENT_MS = 1_000
/**
 * What holds up an organization's requests, such as a lock, holds up the next ones no longer than
 * this. A flood at its limit is through in less.
 */
const WAIT_MAX_MS = 1_000

/** Takes a place among an organization's requests; a promise if it has to be waited for. */
export interface FairShare {
  enter(organizationId: string): Promise<void> | undefined
  leave(organizationId: string): void
}

interface Own {
  working: number
  readonly waiting: Set<() => void>
}

/**
 * Lets one organization use the whole process while it is alone. As soon as there is another, each
 * gets its share of what is worked on at once, and the rest waits in the order of arrival. Waiting
 * costs nothing: the body of such a request has not been read yet.
 */
export function createFairShare(clock: () => number = () => performance.now()): FairShare {
  const owns = new Map<string, Own>()
  // The two organizations that were seen last are enough to know whether there is another one.
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

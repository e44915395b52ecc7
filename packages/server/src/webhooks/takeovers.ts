/**
 * After an outage, the process that made an attempt needs this long to store its end: it retries every
 * second (attempt-ends.ts), and on a distributed store it first finds out that a node is back.
 */
export const GRACE_MS = 3_000
/** Attempts that were first seen this long ago have ended, or get their three seconds once more. */
const FORGET_AFTER_MS = 60_000

/** Decides when an attempt whose lease has expired counts as lost. */
export interface Takeovers {
  isLost(attemptId: string): boolean
}

/**
 * An attempt of this process is not lost while its end waits to be stored, however long. One of another
 * process is lost if its lease has expired and its process does not store the end shortly afterwards,
 * counted from when this process first read the expired lease. Counted from the end of the lease, a
 * database that pauses for longer than the lease would have every attempt under way made twice.
 */
export function createTakeovers(isUnderWay: (attemptId: string) => boolean): Takeovers {
  const seenAt = new Map<string, number>()

  function forget(before: number): void {
    // The oldest come first.
    for (const [attemptId, at] of seenAt) {
      if (at > before) return
      seenAt.delete(attemptId)
    }
  }

  return {
    isLost(attemptId) {
      if (isUnderWay(attemptId)) return false
      const now = performance.now()
      forget(now - FORGET_AFTER_MS)
      const at = seenAt.get(attemptId)
      if (at === undefined) seenAt.set(attemptId, now)
      return at !== undefined && now - at >= GRACE_MS
    },
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A worker that has served for this long was not broken from its start. */
const STEADY_MS = 60_000

/** The pauses before ended workers are replaced. */
export interface Pauses {
  /** Returns the pause after a worker that served for `servedMs`. */
  next(servedMs: number): number
}

/** Doubles the pause with each worker that ends soon, and begins again after a steady one. */
export function createPauses(): Pauses {
  let pauseMs = FIRST_MS
  return {
    next(servedMs) {
      if (servedMs >= STEADY_MS) pauseMs = FIRST_MS
      const current = pauseMs
      pauseMs = Math.min(2 * pauseMs, LONGEST_MS)
      return current
    },
  }
}

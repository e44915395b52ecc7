import type { Instant } from '../core/time/instant.ts'

/** The clock of the demo: it stands in the past while the past is made, and is real afterwards. */
export interface DemoClock {
  /** The instant in the past; undefined while time is real. */
  turned(): Instant | undefined
  /** Moves to this instant. The clock never goes back, because no real clock does either. */
  set(at: Instant): void
  /** Lets time be real from now on. */
  release(): void
}

export function createDemoClock(): DemoClock {
  let at: Instant | undefined
  return {
    turned: () => at,
    set(next) {
      if (at === undefined || next > at) at = next
    },
    release() {
      at = undefined
    },
  }
}

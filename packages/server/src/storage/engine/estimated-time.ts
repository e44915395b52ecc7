import type { Instant } from '../../core/time/instant.ts'

/** What another clock showed, and between which two points of this process's monotonic clock. */
export interface Reading {
  readonly instant: Instant
  readonly askedAt: number
  readonly answeredAt: number
}

export interface Estimate {
  learn(reading: Reading): void
  /** What the other clock shows at this point of the monotonic clock, in whole milliseconds. */
  at(point: number): Instant
}

interface Difference {
  readonly ms: number
  /** How far it may be off, in either direction. */
  readonly slackMs: number
  readonly learnedAt: number
}

/** How fast two clocks drift apart: far more than real ones do, so that old readings are replaced. */
const DRIFT_PER_MS = 0.001
/** An instant is cut to the millisecond. */
const PRECISION_MS = 1

/**
 * Follows another clock by the answers that come anyway. The other clock was read somewhere between
 * question and answer, so a short round trip tells more than a long one. A reading is taken if it is
 * better than what is known, which grows worse with age, or if it contradicts that: then one of the
 * clocks has jumped, or this machine has slept.
 *
 * The process's own wall clock has no part in it, so it may be wrong and may jump.
 */
export function createEstimate(first: Reading): Estimate {
  let known = differenceOf(first)

  return {
    learn(reading) {
      const found = differenceOf(reading)
      const doubtMs = known.slackMs + (found.learnedAt - known.learnedAt) * DRIFT_PER_MS
      const isContradiction = Math.abs(found.ms - known.ms) > found.slackMs + doubtMs
      if (found.slackMs <= doubtMs || isContradiction) known = found
    },
    at: (point) => Math.floor(point + known.ms),
  }
}

function differenceOf({ instant, askedAt, answeredAt }: Reading): Difference {
  const slackMs = (answeredAt - askedAt) / 2 + PRECISION_MS
  return { ms: instant - (askedAt + answeredAt) / 2, slackMs, learnedAt: answeredAt }
}

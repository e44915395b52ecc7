import type { Instant } from '../../core/time/instant.ts'

/** A reading of the other clock, taken between two points of this process's monotonic clock. */
export interface Reading {
  readonly instant: Instant
  readonly askedAt: number
  readonly answeredAt: number
}

export interface Estimate {
  learn(reading: Reading): void
  /** The other clock's time at this point of the monotonic clock, in whole milliseconds. */
  at(point: number): Instant
}

interface Difference {
  readonly ms: number
  /** How far it may be off, in either direction. */
  readonly slackMs: number
  readonly learnedAt: number
}

/** Assumed drift of two clocks: far more than real ones have, so that old readings are replaced. */
const DRIFT_PER_MS = 0.001
/** An instant is truncated to the millisecond. */
const PRECISION_MS = 1

/**
 * Estimates a remote clock from readings that arrive anyway. The remote clock was read between query
 * and result, so a short round trip is more precise than a long one. A reading replaces the estimate if
 * it is more precise (an estimate loses precision with age), or if it contradicts the estimate: then a
 * clock has jumped, or this machine was suspended.
 *
 * The process's own wall clock is not used, so it may be wrong and may jump.
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

import { type Instant, LATEST } from '../time/instant.ts'
import type { BudgetPeriod, Period } from '../time/period.ts'
import type { Window } from '../time/window.ts'
import type { Zone } from '../time/zone.ts'

/** How the buckets of a counter are laid out in time. */
export interface BucketLayout {
  /** The start of the bucket that an instant falls into. */
  bucketAt(at: Instant): Instant
  /** Buckets that start here or later count at this instant. */
  sinceAt(now: Instant): Instant
  /** The first instant at which the bucket with this start no longer counts. */
  endOf(start: Instant): Instant
}

/** The window of a limit, or all of time. */
export type CountedWindow = Window | { readonly kind: 'always' }

const BUCKETS_PER_WINDOW = 60

export function bucketsOver(
  window: CountedWindow,
  zone: Zone,
  budgetPeriod: BudgetPeriod,
): BucketLayout {
  switch (window.kind) {
    case 'rolling':
      return rolling(window.ms)
    case 'calendar':
      return stretches((at) => zone.windowAt(window.unit, at))
    case 'period':
      return stretches((at) => zone.periodAt(budgetPeriod, at) ?? ALWAYS)
    case 'always':
      return stretches(() => ALWAYS)
  }
}

const ALWAYS: Period = { start: 0, end: LATEST }

/**
 * A rolling window in sixty buckets. A bucket counts as long as any part of it is inside the window,
 * so a spend is forgotten up to one bucket late and never early.
 */
function rolling(windowMs: number): BucketLayout {
  const bucketMs = Math.ceil(windowMs / BUCKETS_PER_WINDOW)
  const lifeMs = bucketMs + windowMs
  return {
    bucketAt: (at) => Math.floor(at / bucketMs) * bucketMs,
    sinceAt: (now) => now - lifeMs + 1,
    endOf: (start) => start + lifeMs,
  }
}

/** A calendar window or a budget period needs only one bucket, which covers all of it. */
function stretches(find: (at: Instant) => Period): BucketLayout {
  return {
    bucketAt: (at) => find(at).start,
    sinceAt: (now) => find(now).start,
    endOf: (start) => find(start).end,
  }
}

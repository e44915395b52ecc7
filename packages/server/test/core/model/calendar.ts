import type { BudgetPeriod } from '../../../src/core/time/period.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
// 5 January 1970 was a Monday.
const MONDAY = 4 * DAY

const ROLLING: Readonly<Record<string, number>> = {
  '90s': 90_000,
  '10m': 600_000,
  '1h': HOUR,
}

/** Where the window, period or hour starts that holds the instant; in UTC, by plain division. */
export function startOf(unit: string, at: number): number {
  switch (unit) {
    case 'hour':
      return at - (at % HOUR)
    case 'day':
    case 'daily':
      return at - (at % DAY)
    case 'week':
    case 'weekly':
      return at - ((at - MONDAY) % WEEK)
    case 'monthly': {
      const date = new Date(at)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    }
    default:
      return 0
  }
}

/**
 * Whether a spend of an earlier instant is still inside a window. For rolling windows this is the
 * documented rule: it lies in a bucket of a sixtieth of the window, and counts while any part of
 * that bucket is inside.
 */
export function isInside(window: string, period: BudgetPeriod, at: number, now: number): boolean {
  const length = ROLLING[window]
  if (length === undefined) {
    const unit = window === 'period' ? period : window
    return startOf(unit, at) === startOf(unit, now)
  }
  const bucket = Math.ceil(length / 60)
  const bucketEnd = (Math.floor(at / bucket) + 1) * bucket
  return bucketEnd > now - length
}

export function hourOf(at: number): number {
  return Math.floor((at % DAY) / HOUR)
}

import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../time/instant.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Whole days of a zone: the first belongs to it, the last is the first that does not. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** How long a range may be. A question reads the groups of every day. */
const DAYS_MAX = { day: 92, week: 366, month: 400, whole: 400 } as const

export function daysMax(interval: Interval | undefined): number {
  return DAYS_MAX[interval ?? 'whole']
}

/** Whether this is a date that exists, written as `2026-10-31`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

export function daysBetween({ from, to }: DayRange): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days
}

/** When a date begins in a zone. */
export function startOfDate(date: string, timezone: string): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
}

/** How many stretches of this length a range touches; weeks begin on Monday. */
export function stretchesOf(range: DayRange, interval: Interval | undefined): number {
  if (interval === undefined) return 1
  if (interval === 'day') return daysBetween(range)
  return Math.ceil(daysBetween(range) / (interval === 'week' ? 7 : 28)) + 1
}

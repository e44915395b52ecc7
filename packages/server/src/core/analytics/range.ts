import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../time/instant.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Whole days of a time zone: from `from` up to, but not including, `to`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The longest range for each interval. A query reads the groups of every day. */
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

/** The instant at which a date begins in a time zone. */
export function startOfDate(date: string, timezone: string): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
}

/** The number of intervals that a range touches; weeks begin on Monday. */
export function stretchesOf(range: DayRange, interval: Interval | undefined): number {
  if (interval === undefined) return 1
  if (interval === 'day') return daysBetween(range)
  return Math.ceil(daysBetween(range) / (interval === 'week' ? 7 : 28)) + 1
}

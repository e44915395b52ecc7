import { Temporal } from 'temporal-polyfill'
import type { Instant } from './instant.ts'

export type BudgetPeriod = 'none' | 'daily' | 'weekly' | 'monthly' | 'yearly'

export type CalendarWindow = 'hour' | 'day' | 'week' | 'month'

/** A stretch of time: the start belongs to it, the end is the first instant that does not. */
export interface Period {
  readonly start: Instant
  readonly end: Instant
}

type CalendarUnit = 'day' | 'week' | 'month' | 'year'

const HOUR_MS = 3_600_000

/** The budget period that an instant falls into; undefined for a budget that never resets. */
export function periodAt(period: BudgetPeriod, timezone: string, at: Instant): Period | undefined {
  switch (period) {
    case 'none':
      return undefined
    case 'daily':
      return datesAt('day', timezone, at)
    case 'weekly':
      return datesAt('week', timezone, at)
    case 'monthly':
      return datesAt('month', timezone, at)
    case 'yearly':
      return datesAt('year', timezone, at)
  }
}

/** The calendar window of a limit that an instant falls into. */
export function calendarWindowAt(window: CalendarWindow, timezone: string, at: Instant): Period {
  return window === 'hour' ? hourAt(timezone, at) : datesAt(window, timezone, at)
}

/**
 * Calculates with dates, and converts each date to an instant only at the end. Adding hours would be
 * wrong on days with 23 or 25 of them. If a time zone skipped a date (Apia, 30 December 2011), that
 * date begins when the next one does, so periods still meet without a gap.
 */
function datesAt(unit: CalendarUnit, timezone: string, at: Instant): Period {
  const date = zonedAt(timezone, at).toPlainDate()
  const period = datesOf(unit, date, timezone)
  // Clocks that go back over midnight (St. John's at 00:01, until 2011) show the date before again.
  // The new date has begun, and goes on.
  return at < period.end ? period : datesOf(unit, date.add({ days: 1 }), timezone)
}

function datesOf(unit: CalendarUnit, date: Temporal.PlainDate, timezone: string): Period {
  const first = firstDateOf(unit, date)
  const next = first.add({ [`${unit}s`]: 1 })
  return { start: startOf(first, timezone), end: startOf(next, timezone) }
}

function firstDateOf(unit: CalendarUnit, date: Temporal.PlainDate): Temporal.PlainDate {
  switch (unit) {
    case 'day':
      return date
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 })
    case 'month':
      return date.with({ day: 1 })
    case 'year':
      return date.with({ month: 1, day: 1 })
  }
}

function startOf(date: Temporal.PlainDate, timezone: string): Instant {
  return date.toZonedDateTime(timezone).epochMilliseconds
}

/**
 * An hour on the wall clock. A change of the clocks always begins a new window: the repeated hour in
 * autumn is two windows, and on Lord Howe, where clocks move by thirty minutes, one of them is half as
 * long. Otherwise two windows would overlap and a spend would count in both.
 */
function hourAt(timezone: string, at: Instant): Period {
  const local = zonedAt(timezone, at)
  const sinceHour = (local.minute * 60 + local.second) * 1_000 + local.millisecond
  const start = at - sinceHour
  const end = start + HOUR_MS
  return {
    start: sameOffset(local, start) ? start : transition(local, 'previous', start),
    end: sameOffset(local, end) ? end : transition(local, 'next', end),
  }
}

function sameOffset(local: Temporal.ZonedDateTime, at: Instant): boolean {
  return zonedAt(local.timeZoneId, at).offsetNanoseconds === local.offsetNanoseconds
}

function transition(
  local: Temporal.ZonedDateTime,
  direction: 'previous' | 'next',
  otherwise: Instant,
): Instant {
  // `previous` means strictly before, but a window may begin at exactly this instant.
  const from = direction === 'previous' ? local.add({ nanoseconds: 1 }) : local
  return from.getTimeZoneTransition(direction)?.epochMilliseconds ?? otherwise
}

function zonedAt(timezone: string, at: Instant): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
}

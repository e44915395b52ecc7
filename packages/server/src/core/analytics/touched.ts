import type { Instant } from '../time/instant.ts'
import type { Period } from '../time/period.ts'
import { dateAt } from '../time/wall-clock.ts'
import type { Zone } from '../time/zone.ts'

type CalendarUnit = 'hour' | 'day' | 'week' | 'month' | 'year'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The epoch began on a Thursday. */
const MONDAY = 3

/**
 * Counts the hours, days, weeks, months or years of a time zone that a stretch of time touches; never
 * too few. It calculates with dates, because walking through the calendar for every limit of every
 * mandate would take seconds.
 */
export function countTouched(unit: CalendarUnit, zone: Zone, stretch: Period): number {
  if (unit === 'hour') return countHours(zone, stretch)
  const last = numberOf(unit, dateAt(zone, stretch.end - 1))
  return last - numberOf(unit, dateAt(zone, stretch.start)) + 1
}

/** A change of the clocks may begin an hour of its own, and end one early. */
function countHours(zone: Zone, { start, end }: Period): number {
  let changes = 0
  for (let at: Instant = zone.nextChange(start); at < end; at = zone.nextChange(at)) changes++
  return Math.ceil((end - start) / HOUR_MS) + 1 + 2 * changes
}

function numberOf(unit: Exclude<CalendarUnit, 'hour'>, date: string): number {
  const [year = 0, month = 0] = date.split('-').map(Number)
  const day = Date.parse(`${date}T00:00Z`) / DAY_MS
  switch (unit) {
    case 'day':
      return day
    case 'week':
      return Math.floor((day + MONDAY) / 7)
    case 'month':
      return year * 12 + month
    case 'year':
      return year
  }
}

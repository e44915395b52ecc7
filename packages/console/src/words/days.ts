import { writeDate } from './date-format.ts'

const DAY_MS = 86_400_000

/** A calendar day as the API writes it: "2026-11-17". Days have no time zone of their own. */
export type Day = string

/** The day of an instant in a time zone. */
export function dayOf(at: Date, timeZone: string): Day {
  return writeDate(at, 'en-CA', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
  })
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** How many days `to` is after `from`. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

/** Whether a text is a day of the calendar. The 31st of June is none. */
export function isDay(text: string | undefined): text is Day {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The Monday of the week of a day. */
export function mondayOf(day: Day): Day {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

/** "13 Nov". */
export function shortDay(day: Day): string {
  return write(day, { day: 'numeric', month: 'short' })
}

/** "13 November", or "13 November 2026" with the year. */
export function longDay(day: Day, withYear = false): string {
  return write(day, { day: 'numeric', month: 'long', ...(withYear ? { year: 'numeric' } : {}) })
}

/** "Fri 13 November". */
export function weekdayOf(day: Day): string {
  return `${write(day, { weekday: 'short' })} ${longDay(day)}`
}

function write(day: Day, options: Intl.DateTimeFormatOptions): string {
  return writeDate(new Date(`${day}T00:00:00Z`), 'en-GB', { ...options, timeZone: 'UTC' })
}

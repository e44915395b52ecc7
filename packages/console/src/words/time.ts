import { writeDate } from './date-format.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long ago, or how long until, in the shortest form: "38 s", "12 min", "3 h", "9 days". */
export function formatSpan(ms: number): string {
  const span = Math.abs(ms)
  if (span < MINUTE_MS) return `${Math.max(1, Math.round(span / 1_000))} s`
  if (span < HOUR_MS) return `${Math.floor(span / MINUTE_MS)} min`
  if (span < DAY_MS) return `${Math.floor(span / HOUR_MS)} h`
  const days = Math.floor(span / DAY_MS)
  return days === 1 ? '1 day' : `${days} days`
}

/** How long until, to the nearest unit: a link for 7 days says "7 days", not "6 days", at once. */
export function formatUntil(ms: number): string {
  const unit = ms < MINUTE_MS ? 1_000 : ms < HOUR_MS ? MINUTE_MS : ms < DAY_MS ? HOUR_MS : DAY_MS
  return formatSpan(Math.round(ms / unit) * unit)
}

/** "17 November", with the year if it is not the current one. */
export function formatDay(at: Date, timeZone: string, now: Date): string {
  const isThisYear = yearOf(at, timeZone) === yearOf(now, timeZone)
  return writeDate(at, 'en-GB', {
    ...{ day: 'numeric', month: 'long', timeZone },
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** "17 Nov", for axes and narrow columns. */
export function formatShortDay(at: Date, timeZone: string): string {
  return writeDate(at, 'en-GB', { day: 'numeric', month: 'short', timeZone })
}

/** "10:40", or "10:40:22" with seconds. */
export function formatTime(at: Date, timeZone: string, withSeconds = false): string {
  return writeDate(at, 'en-GB', {
    ...{ hour: '2-digit', minute: '2-digit', timeZone, hour12: false },
    ...(withSeconds ? { second: '2-digit' } : {}),
  })
}

/** "17 November 2026, 10:40:22.118 (Europe/Stockholm)". */
export function formatExact(at: Date, timeZone: string): string {
  const text = writeDate(at, 'en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone, hour12: false },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  })
  return `${text.replace(' at ', ', ')} (${timeZone})`
}

/** The name of the month, such as "November". */
export function formatMonth(at: Date, timeZone: string): string {
  return writeDate(at, 'en-GB', { month: 'long', timeZone })
}

function yearOf(at: Date, timeZone: string): string {
  return writeDate(at, 'en-GB', { year: 'numeric', timeZone })
}

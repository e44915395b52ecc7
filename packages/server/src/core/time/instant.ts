import { Temporal } from 'temporal-polyfill'

/** A point in time, in milliseconds since the epoch. */
export type Instant = number

/** Later than any event, but still an instant that every store can hold. */
export const LATEST: Instant = Date.UTC(9999, 0)

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

// Seven digits are enough for every duration that the API allows, and keep the product a safe
// integer.
const DURATION = /^([1-9]\d{0,6})([smhd])$/

/** Caches the text of the last two minutes: every decision writes a few instants. */
const minutes = { latest: Number.NaN, latestText: '', other: Number.NaN, otherText: '' }

/**
 * Writes an instant as `Date` does, which takes a microsecond for it. Nearly all instants are the
 * current time or the end of a period, and instants of one minute differ only in the last digits, so
 * the rest is cached.
 */
export function toIso(instant: Instant): string {
  const whole = Math.trunc(instant)
  const minute = Math.floor(whole / 60_000)
  if (minute !== minutes.latest) lookUp(minute)
  const ms = whole - minute * 60_000
  return `${minutes.latestText}${padded(Math.floor(ms / 1_000), 2)}.${padded(ms % 1_000, 3)}Z`
}

function lookUp(minute: number): void {
  const { latest, latestText, other, otherText } = minutes
  minutes.latestText =
    minute === other ? otherText : new Date(minute * 60_000).toISOString().slice(0, -7)
  minutes.latest = minute
  minutes.other = latest
  minutes.otherText = latestText
}

function padded(value: number, digits: 2 | 3): string {
  if (value >= 100 || (digits === 2 && value >= 10)) return `${value}`
  if (digits === 2) return `0${value}`
  return value >= 10 ? `0${value}` : `00${value}`
}

/**
 * Whether this is the name of an IANA time zone (or `UTC`) in its usual spelling.
 *
 * Offsets such as `+01:00` are refused although Temporal knows them: they have no daylight-saving
 * time, so a mandate written in summer would be wrong in winter. Other spellings are refused
 * so that two mandates in the same zone also look the same.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name
  } catch {
    return false
  }
}

/** The length of `90s`, `10m`, `1h` or `30d` in milliseconds, or undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}

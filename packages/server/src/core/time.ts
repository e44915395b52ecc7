import { Temporal } from 'temporal-polyfill'

/** A point in time, in milliseconds since the epoch. */
export type Instant = number

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

// Seven digits hold every duration the API allows, and keep the product a safe integer.
const DURATION = /^([1-9]\d{0,6})([smhd])$/

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString()
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

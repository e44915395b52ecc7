import type { Instant } from './instant.ts'
import type { Zone } from './zone.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const MINUTES_PER_DAY = 1_440
export const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY

const MINUTE_MS = 60_000

// The epoch began on a Thursday, three days after the start of a week.
const EPOCH_MINUTE = 3 * MINUTES_PER_DAY

/** Minutes since Monday, 00:00, as the clocks in the zone show it. */
export function minuteOfWeek(zone: Zone, at: Instant): number {
  const minute = Math.floor((at + zone.offsetAt(at)) / MINUTE_MS) + EPOCH_MINUTE
  return ((minute % MINUTES_PER_WEEK) + MINUTES_PER_WEEK) % MINUTES_PER_WEEK
}

/**
 * The instant at which the wall clock will have advanced by this many minutes, if it is not changed.
 */
export function minutesLater(zone: Zone, at: Instant, minutes: number): Instant {
  const offset = zone.offsetAt(at)
  return (Math.floor((at + offset) / MINUTE_MS) + minutes) * MINUTE_MS - offset
}

/** The date in the zone: `2026-10-31`. */
export function dateAt(zone: Zone, at: Instant): string {
  return new Date(at + zone.offsetAt(at)).toISOString().slice(0, 10)
}

/** A minute of the week for a person: `thu 19:30`. */
export function showMinute(minute: number): string {
  const ofDay = minute % MINUTES_PER_DAY
  const hour = twoDigits(Math.floor(ofDay / 60))
  return `${weekdayOf(minute)} ${hour}:${twoDigits(ofDay % 60)}`
}

export function weekdayOf(minute: number): string {
  return WEEKDAYS[Math.floor(minute / MINUTES_PER_DAY)] ?? ''
}

export function hourOf(minute: number): number {
  return Math.floor((minute % MINUTES_PER_DAY) / 60)
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

import type { Instant } from '../../core/time/instant.ts'

export const DAYS = 30
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** An x402 payment is on the chain, and booked, after this time. */
export const SETTLED_AFTER_MS = 4_000

/** Returns the instant at an hour (UTC) of a day, counted back from the start of the demo. */
export function dayAt(startedAt: Instant, daysAgo: number, hour: number): Instant {
  return Math.floor(startedAt / DAY_MS) * DAY_MS - daysAgo * DAY_MS + Math.round(hour * HOUR_MS)
}

/** The first instant at which the organization has a webhook. */
export function webhookFrom(startedAt: Instant): Instant {
  return dayAt(startedAt, 3, 9)
}

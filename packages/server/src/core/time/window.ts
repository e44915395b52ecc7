import { parseDuration } from './instant.ts'
import type { CalendarWindow } from './period.ts'

/** The window of a limit: rolling, by the calendar, or the period of the budget. */
export type Window =
  | { readonly kind: 'rolling'; readonly ms: number }
  | { readonly kind: 'calendar'; readonly unit: CalendarWindow }
  | { readonly kind: 'period' }

export const ROLLING_MIN_MS = 10_000
export const ROLLING_MAX_MS = 90 * 86_400_000

/**
 * Undefined when the text is not a window, or is a rolling one outside of 10 seconds to 90 days.
 */
export function parseWindow(text: string): Window | undefined {
  switch (text) {
    case 'period':
      return { kind: 'period' }
    case 'hour':
    case 'day':
    case 'week':
    case 'month':
      return { kind: 'calendar', unit: text }
    default:
      return parseRolling(text)
  }
}

function parseRolling(text: string): Window | undefined {
  const ms = parseDuration(text)
  if (ms === undefined || ms < ROLLING_MIN_MS || ms > ROLLING_MAX_MS) return undefined
  return { kind: 'rolling', ms }
}

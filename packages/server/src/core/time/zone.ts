import { Temporal } from 'temporal-polyfill'
import type { Instant } from './instant.ts'
import {
  type BudgetPeriod,
  type CalendarWindow,
  calendarWindowAt,
  type Period,
  periodAt,
} from './period.ts'

/** The calendar and the clock of one time zone, fast enough for every spend. */
export interface Zone {
  /** How far the wall clock is ahead of UTC, in milliseconds. */
  offsetAt(at: Instant): number
  /** When the clocks change next; infinite if they never do. */
  nextChange(at: Instant): Instant
  windowAt(window: CalendarWindow, at: Instant): Period
  periodAt(period: BudgetPeriod, at: Instant): Period | undefined
}

/** A stretch of time without a change of the clocks. */
interface Steady extends Period {
  readonly offsetMs: number
}

type ResettingPeriod = Exclude<BudgetPeriod, 'none'>

// Shared by all mandates: there are a few hundred zones and perhaps a million mandates.
const ZONES = new Map<string, Zone>()

/**
 * Temporal takes tens of microseconds for an answer, and the answer holds for at least an hour. So
 * answers are cached until their time has passed. The result still depends on the instant alone.
 */
export function zoneOf(timezone: string): Zone {
  const known = ZONES.get(timezone)
  if (known) return known
  const zone = createZone(timezone)
  ZONES.set(timezone, zone)
  return zone
}

function createZone(timezone: string): Zone {
  const steadyAt = remember((at) => findSteady(timezone, at))
  const window = (name: CalendarWindow) => remember((at) => calendarWindowAt(name, timezone, at))
  const period = (name: ResettingPeriod) => remember((at) => findPeriod(name, timezone, at))
  const windows = {
    hour: window('hour'),
    day: window('day'),
    week: window('week'),
    month: window('month'),
  }
  const periods = {
    daily: period('daily'),
    weekly: period('weekly'),
    monthly: period('monthly'),
    yearly: period('yearly'),
  }
  return {
    offsetAt: (at) => steadyAt(at).offsetMs,
    nextChange: (at) => steadyAt(at).end,
    windowAt: (name, at) => windows[name](at),
    periodAt: (name, at) => (name === 'none' ? undefined : periods[name](at)),
  }
}

/**
 * Keeps the last two answers. It keeps two because a rejection looks into the next window to say
 * when to try again, and must not push out the current one.
 */
function remember<Stretch extends Period>(
  find: (at: Instant) => Stretch,
): (at: Instant) => Stretch {
  let latest: Stretch | undefined
  let other: Stretch | undefined
  return (at) => {
    if (latest && holds(latest, at)) return latest
    const found = other && holds(other, at) ? other : find(at)
    other = latest
    latest = found
    return found
  }
}

function holds({ start, end }: Period, at: Instant): boolean {
  return start <= at && at < end
}

function findPeriod(name: ResettingPeriod, timezone: string, at: Instant): Period {
  return periodAt(name, timezone, at) ?? { start: at, end: at }
}

function findSteady(timezone: string, at: Instant): Steady {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
  // `previous` means strictly before, but the clocks may have changed at exactly this instant.
  const previous = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const next = local.getTimeZoneTransition('next')
  return {
    start: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    end: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: local.offsetNanoseconds / 1e6,
  }
}

import type { Instant } from './instant.ts'
import {
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  minuteOfWeek,
  minutesLater,
  WEEKDAYS,
} from './wall-clock.ts'
import type { Zone } from './zone.ts'

export interface OpeningWindow {
  /** The days on which it opens; without it, every day. */
  readonly days?: readonly (typeof WEEKDAYS)[number][]
  readonly from: string
  readonly to: string
}

/** A stretch of the week in minutes since Monday, 00:00; the end is not part of it. */
interface Stretch {
  readonly from: number
  readonly to: number
}

export interface OpeningHours {
  isOpen(minuteOfWeek: number): boolean
  /** The first open instant from this one on; undefined when none is within reach. */
  nextOpen(zone: Zone, at: Instant): Instant | undefined
}

// Clocks change a few times a year, and every week has an opening.
const CHANGES_MAX = 8

/**
 * Windows of the week, compared with the wall clock. So the hour that is repeated in autumn is inside
 * both times, and the hour that is skipped in spring never comes.
 */
export function createOpeningHours(windows: readonly OpeningWindow[]): OpeningHours {
  const stretches = windows.flatMap(stretchesOf).sort((a, b) => a.from - b.from)

  const isOpen = (minute: number): boolean => {
    for (const { from, to } of stretches) if (from <= minute && minute < to) return true
    return false
  }

  const minutesUntilOpen = (minute: number): number => {
    const [first] = stretches
    const next = stretches.find(({ from }) => from >= minute)
    if (next) return next.from - minute
    return (first?.from ?? 0) + MINUTES_PER_WEEK - minute
  }

  return {
    isOpen,
    nextOpen(zone, at) {
      let from = at
      for (let changes = 0; changes < CHANGES_MAX; changes += 1) {
        const minute = minuteOfWeek(zone, from)
        if (isOpen(minute)) return from
        const opening = minutesLater(zone, from, minutesUntilOpen(minute))
        // If the clocks change before the opening, it was computed with the wrong offset.
        const change = zone.nextChange(from)
        if (opening < change) return opening
        from = change
      }
      return undefined
    },
  }
}

/** One stretch for each day. A stretch that crosses the end of Sunday is cut in two. */
function stretchesOf({ days = WEEKDAYS, from, to }: OpeningWindow): Stretch[] {
  const start = minuteOf(from)
  const end = minuteOf(to) > start ? minuteOf(to) : minuteOf(to) + MINUTES_PER_DAY
  return days.flatMap((day) => {
    const midnight = WEEKDAYS.indexOf(day) * MINUTES_PER_DAY
    return withinWeek({ from: midnight + start, to: midnight + end })
  })
}

function withinWeek({ from, to }: Stretch): Stretch[] {
  if (to <= MINUTES_PER_WEEK) return [{ from, to }]
  return [
    { from, to: MINUTES_PER_WEEK },
    { from: 0, to: to - MINUTES_PER_WEEK },
  ]
}

/** The minute of the day of a text such as `07:30`, which the schema has checked. */
function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

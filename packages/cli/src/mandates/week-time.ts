/** A day of the week and a time of day, such as `sat 03:00`. */
export interface WeekTime {
  /** 0 is Sunday. */
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEK_TIME = /^(sun|mon|tue|wed|thu|fri|sat) ([01]\d|2[0-3]):([0-5]\d)$/
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Two weeks: a change of the clock can skip the time once. */
const AHEAD_MAX = 14

export function parseWeekTime(text: string): WeekTime | undefined {
  const [, day = '', hour, minute] = WEEK_TIME.exec(text) ?? []
  if (hour === undefined) return undefined
  return { day: DAYS.indexOf(day), hour: Number(hour), minute: Number(minute) }
}

/**
 * The next instant at which a clock in the time zone shows this. A test case with it stays valid,
 * because the gateway judges at most 366 days from now.
 */
export function nextWeekTime(
  { day, hour, minute }: WeekTime,
  timezone: string,
  nowMs: number,
): Date | undefined {
  const clock = createClock(timezone)
  const now = clock(nowMs)
  for (let ahead = 0; ahead <= AHEAD_MAX; ahead += 1) {
    const local = now.dayStart + ahead * DAY_MS + (hour * 60 + minute) * MINUTE_MS
    if (new Date(local).getUTCDay() !== day) continue
    const at = fromLocal(clock, local)
    if (at !== undefined && at > nowMs) return new Date(at)
  }
  return undefined
}

type Clock = (ms: number) => { readonly local: number; readonly dayStart: number }

/** Two steps are enough: a zone changes its offset at most once in the hours around an instant. */
function fromLocal(clock: Clock, local: number): number | undefined {
  const first = local - (clock(local).local - local)
  const second = local - (clock(first).local - first)
  return [second, first].find((at) => clock(at).local === local)
}

/** The date and time that a clock in the time zone shows, as if they were in UTC. */
function createClock(timezone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    const parts = Object.fromEntries(
      format.formatToParts(ms).map((each) => [each.type, each.value]),
    )
    const of = (name: string) => Number(parts[name])
    const dayStart = Date.UTC(of('year'), of('month') - 1, of('day'))
    const seconds = (of('hour') * 60 + of('minute')) * 60 + of('second')
    return { dayStart, local: dayStart + seconds * 1_000 }
  }
}

import { addDays, type Day, daysBetween, isDay, longDay, shortDay } from '../../words/days.ts'

/** The days that the overview counts. */
export interface Range {
  readonly preset: Preset | null
  readonly from: Day
  /** The day after the last one, as in the API. */
  readonly to: Day
  readonly days: number
  readonly interval: 'day' | 'week'
}

export type Preset = '7d' | '30d' | '90d'

export const PRESETS: readonly { readonly preset: Preset; readonly label: string }[] = [
  { preset: '7d', label: '7 days' },
  { preset: '30d', label: '30 days' },
  { preset: '90d', label: '90 days' },
]

/** Above this length the bars are weeks: the API gives at most 92 single days. */
const MOST_DAYS = 92
/** The API gives at most 366 days of weeks. */
export const LONGEST = 366

interface RangeSearch {
  readonly range?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The range of the address. An address that makes no sense gives the last 30 days. */
export function rangeOf({ range, from, to }: RangeSearch, today: Day): Range {
  const tomorrow = addDays(today, 1)
  if (isDay(from)) {
    const end = isDay(to) ? to : tomorrow
    const days = daysBetween(from, end)
    if (days > 0) return between(days > LONGEST ? addDays(end, -LONGEST) : from, end, null)
  }
  const preset = PRESETS.find((one) => one.preset === range)?.preset ?? '30d'
  return between(addDays(tomorrow, -Number.parseInt(preset, 10)), tomorrow, preset)
}

function between(from: Day, to: Day, preset: Preset | null): Range {
  const days = daysBetween(from, to)
  return { preset, from, to, days, interval: days > MOST_DAYS ? 'week' : 'day' }
}

/** The days of equal number that come before, for comparison. */
export function rangeBefore({ from, days }: Range): { readonly from: Day; readonly to: Day } {
  return { from: addDays(from, -days), to: from }
}

/** "19 Oct to 17 Nov". */
export function rangeLabel({ from, to }: Range): string {
  const last = addDays(to, -1)
  return from === last ? shortDay(from) : `${shortDay(from)} to ${shortDay(last)}`
}

/** "19 October to 17 November 2026", for paper. */
export function rangeInFull({ from, to }: Range): string {
  const last = addDays(to, -1)
  if (from === last) return longDay(from, true)
  return `${longDay(from, !from.startsWith(last.slice(0, 4)))} to ${longDay(last, true)}`
}

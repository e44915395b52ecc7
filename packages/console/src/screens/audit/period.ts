import { formatDay } from '../../words/time.ts'

export interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** A date of the organization's zone, such as `2026-11-17`, some days from now. */
export function dateIn(days: number, timezone: string, now: Date): string {
  const at = new Date(now.getTime() + days * DAY_MS)
  return at.toLocaleDateString('sv-SE', { timeZone: timezone })
}

/** The periods that one press chooses. */
export function periods(timezone: string, now: Date) {
  const since = (days: number): Period => ({ from: dateIn(-days, timezone, now), to: undefined })
  return [
    { label: 'Today', period: since(0) },
    { label: 'Last 7 days', period: since(6) },
    { label: 'Last 30 days', period: since(29) },
  ] as const
}

/** "since 11 November", "before 3 May", "11 November to 14 November". `to` is not included. */
export function periodWords({ from, to }: Period, timezone: string, now: Date): string {
  const day = (text: string, shift = 0) => {
    const at = new Date(DATE.test(text) ? `${text}T12:00:00Z` : text)
    if (Number.isNaN(at.getTime())) return text
    const zone = DATE.test(text) ? 'UTC' : timezone
    return formatDay(new Date(at.getTime() + shift * DAY_MS), zone, now)
  }
  if (from !== undefined && to !== undefined) {
    const last = DATE.test(to) ? day(to, -1) : day(to)
    return day(from) === last ? last : `${day(from)} to ${last}`
  }
  if (from !== undefined) return `since ${day(from)}`
  return to === undefined ? '' : `before ${day(to)}`
}

import { formatDay, formatShortDay } from '../../../words/time.ts'
import { fromLocalText } from '../../../words/zoned-time.ts'

const DAY_MS = 86_400_000
const RELATIVE = /^(\d{1,3})d$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The periods that one press sets. `1d` is today. */
export const PERIODS: readonly { readonly from: string; readonly label: string }[] = [
  { from: '1d', label: 'Today' },
  { from: '7d', label: '7 days' },
  { from: '30d', label: '30 days' },
  { from: '90d', label: '90 days' },
]

/** `30d` as the date 29 days ago, so that today is the 30th day. Other texts stay. */
export function resolveFrom(from: string, now: Date, timezone: string): string {
  const days = Number(RELATIVE.exec(from)?.[1] ?? 0)
  return days === 0 ? from : dateOf(new Date(now.getTime() - (days - 1) * DAY_MS), timezone)
}

/**
 * The instant at which a day begins in the organization's zone. Decisions of the stream are compared
 * with it, and a date alone would be midnight in UTC.
 */
export function resolveTo(to: string, timezone: string): string {
  if (!DATE.test(to)) return to
  return fromLocalText(`${to}T00:00`, timezone)?.toISOString() ?? to
}

interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** "30 days", "since 1 November", "1 Nov to 17 Nov". `to` is the first moment that is excluded. */
export function periodWords({ from, to }: Period, timezone: string, now: Date): string {
  const days = RELATIVE.exec(from ?? '')?.[1]
  if (days !== undefined && to === undefined) return days === '1' ? 'Today' : `${days} days`
  const first = from && firstDay(resolveFrom(from, now, timezone), timezone)
  const last = to && lastDay(to, timezone)
  return rangeWords(first || undefined, last || undefined, now)
}

function rangeWords(first: Date | undefined, last: Date | undefined, now: Date): string {
  if (first && last) {
    const [begin, end] = [formatShortDay(first, 'UTC'), formatShortDay(last, 'UTC')]
    return begin === end ? begin : `${begin} to ${end}`
  }
  if (first) return `since ${formatDay(first, 'UTC', now)}`
  return last ? `until ${formatDay(last, 'UTC', now)}` : 'All time'
}

/** The last day that the list shows, as the date field has it. */
export function lastDate(to: string | undefined): string {
  return to === undefined || !DATE.test(to) ? '' : isoDate(lastDay(to, 'UTC'))
}

/** The parameter for a last day that the list shows. */
export function toOfLastDate(date: string): string | undefined {
  return DATE.test(date) ? isoDate(new Date(Date.parse(date) + DAY_MS)) : undefined
}

/** The day of a date or an instant, as midnight in UTC. */
function firstDay(text: string, timezone: string): Date {
  return new Date(DATE.test(text) ? text : dateOf(new Date(text), timezone))
}

/** A date is excluded, so that the day before is the last. */
function lastDay(to: string, timezone: string): Date {
  return DATE.test(to) ? new Date(Date.parse(to) - DAY_MS) : firstDay(to, timezone)
}

/** The calendar day in a time zone: "2026-11-17". */
export function dateOf(at: Date, timeZone: string): string {
  return Number.isNaN(at.getTime()) ? '' : at.toLocaleDateString('sv-SE', { timeZone })
}

function isoDate(at: Date): string {
  return at.toISOString().slice(0, 10)
}

import type { ScheduleWindow, Weekday } from '@purser/sdk'

const DAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAY_WORDS: Readonly<Record<Weekday, string>> = {
  ...{ mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
}

/** "Mon to Fri, 07:00 to 19:00". */
export function windowText({ days, from, to }: ScheduleWindow): string {
  return `${daysText(days)}, ${from} to ${to}`
}

/** "Mon to Fri", "Mon, Wed, Sat", "every day". */
export function daysText(days: readonly Weekday[] | undefined): string {
  if (days === undefined || days.length === 0 || days.length === DAYS.length) return 'every day'
  const at = days.map((day) => DAYS.indexOf(day)).toSorted((a, b) => a - b)
  const [first = 0] = at
  const last = at.at(-1) ?? first
  const isRun = last - first === at.length - 1 && at.length > 2
  const word = (index: number) => DAY_WORDS[DAYS[index] ?? 'mon']
  return isRun ? `${word(first)} to ${word(last)}` : at.map(word).join(', ')
}

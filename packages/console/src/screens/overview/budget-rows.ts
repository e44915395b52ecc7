import type { AnalyticsRow, Mandate } from '@purser/sdk'
import { noForecast } from '../../words/budget.ts'
import { formatMoney } from '../../words/money.ts'
import { formatDay, formatMonth, formatShortDay } from '../../words/time.ts'

export interface BudgetRow {
  readonly mandate: Mandate
  readonly state: 'exhausted' | 'near' | 'fine'
  readonly used: number
  /** The forecast of the used amount at the end of the period; null without one. */
  readonly forecastAt: number | null
  readonly sentence: string
  /** "November" */
  readonly period: string
}

const DAY_MS = 86_400_000
const NEAR = 80
/** Beyond this a date says nothing. */
const LONG_DAYS = 1_500

/** Budgets, the fullest first. */
export function budgetRows(
  mandates: readonly Mandate[],
  /** Undefined while it is not known. */
  forecast: readonly AnalyticsRow[] | undefined,
  now: Date,
): BudgetRow[] {
  const known = new Map(forecast?.map((row) => [row.group?.mandate ?? '', row]))
  return mandates
    .toSorted((a, b) => b.percentUsed - a.percentUsed)
    .map((mandate) => rowOf(mandate, forecast && (known.get(mandate.id) ?? {}), now))
}

export function stateOf(mandate: Mandate): BudgetRow['state'] {
  if (mandate.exhausted) return 'exhausted'
  return mandate.percentUsed >= NEAR ? 'near' : 'fine'
}

/** The spent amount per day, and the number of spends; undefined until it is loaded. */
type Pace = Pick<AnalyticsRow, 'perDay' | 'count'> | undefined

function rowOf(mandate: Mandate, pace: Pace, now: Date): BudgetRow {
  const perDay = pace?.perDay
  const used = mandate.budgetSpent
  const end = mandate.periodEnd === null ? null : new Date(mandate.periodEnd)
  const daysLeft = end === null ? null : Math.max(0, (end.getTime() - now.getTime()) / DAY_MS)
  const forecastAt =
    typeof perDay !== 'number' || daysLeft === null || mandate.exhausted
      ? null
      : used + perDay * daysLeft
  return {
    ...{ mandate, state: stateOf(mandate), used, forecastAt },
    sentence: sentenceOf(mandate, pace, forecastAt, now),
    period: periodName(mandate),
  }
}

function sentenceOf(mandate: Mandate, pace: Pace, forecastAt: number | null, now: Date): string {
  const { timezone, periodEnd, remainingBudget, currency } = mandate
  const end = periodEnd === null ? null : formatDay(new Date(periodEnd), timezone, now)
  if (mandate.exhausted) {
    return end === null
      ? 'Nothing left until the budget is raised'
      : `Nothing left. Resets on ${end}`
  }
  if (pace === undefined) return `${formatMoney(remainingBudget, currency)} left`
  const { perDay } = pace
  if (!perDay || perDay < 0) return noForecast(pace.count)
  const days = remainingBudget / perDay
  if (periodEnd === null && days > LONG_DAYS) return 'Lasts for years at this pace'
  const emptyAt = new Date(now.getTime() + Math.min(days, LONG_DAYS) * DAY_MS)
  if (periodEnd === null || emptyAt < new Date(periodEnd)) {
    return `Empty on ${formatShortDay(emptyAt, timezone)} at this pace`
  }
  return `Lasts until ${end}: about ${formatMoney(Math.round(forecastAt ?? 0), currency).replace('.00 ', ' ')} by then`
}

/** The period of a budget in a word. */
export function periodName({ budgetPeriod, periodStart, timezone }: Mandate): string {
  const start = periodStart === null ? null : new Date(periodStart)
  switch (budgetPeriod) {
    case 'daily':
      return 'Today'
    case 'weekly':
      return 'This week'
    case 'monthly':
      return start ? formatMonth(start, timezone) : 'This month'
    case 'yearly':
      return start
        ? start.toLocaleDateString('en-GB', { year: 'numeric', timeZone: timezone })
        : 'This year'
    default:
      return 'In total'
  }
}

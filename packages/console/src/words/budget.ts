import type { BudgetPeriod } from '@purser/sdk'
import { sumMoney } from './money.ts'
import { formatMonth } from './time.ts'

/** The label of the remaining amount: "Left of November", "Left today". */
export function leftLabel(period: BudgetPeriod, now: Date, timezone: string): string {
  if (period === 'monthly') return `Left of ${formatMonth(now, timezone)}`
  return LEFT[period] ?? 'Left of the budget'
}

const LEFT: Readonly<Partial<Record<BudgetPeriod, string>>> = {
  daily: 'Left today',
  weekly: 'Left this week',
  yearly: 'Left this year',
}

/** The part of a budget that is spent for good. `budgetSpent` also has the holds. */
export function spentOnly(budget: {
  readonly budgetSpent: number
  readonly budgetHeld: number
}): number {
  return sumMoney([budget.budgetSpent, -budget.budgetHeld])
}

/** Fewer spends in the last 7 whole days say nothing about the days to come. */
const FORECAST_MIN = 20

/** Why there is no forecast. The count is that of the approved spends; undefined: not known. */
export function noForecast(count: number | undefined): string {
  const need = `A forecast needs ${FORECAST_MIN} approved spends in 7 days`
  if (count === undefined) return need
  if (count >= FORECAST_MIN) return 'Nothing was spent in the last 7 days, less refunds'
  return `${need}, and there ${count === 1 ? 'was' : 'were'} ${count === 0 ? 'none' : count}`
}

/** The marks of a budget. A percentage shows one only when it is reached. */
const MARKS = [80, 100]

/**
 * How much of a budget is used: "87 %" for 86.99. It rounds half up, because a lower figure hides
 * use. Where that would show a mark too early, or nothing for something, it has one decimal:
 * "79.9 %", "99.9 %", "0.1 %".
 */
export function usedText(percent: number): string {
  const rounded = Math.round(percent)
  if (percent > 0 && rounded === 0) return `${Math.max(0.1, Math.round(percent * 10) / 10)} %`
  const isTooEarly = MARKS.some((mark) => percent < mark && rounded >= mark)
  return `${isTooEarly ? Math.floor(percent * 10) / 10 : rounded} %`
}

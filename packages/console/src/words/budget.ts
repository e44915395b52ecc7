import type { BudgetPeriod } from '@purser/sdk'
import { sumMoney } from './money.ts'
import { formatMonth } from './time.ts'

/** The label of what is left: "Left of November", "Left today". */
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

import type { BudgetPeriod, RuleInput } from '@purser/sdk'
import { formatTime } from './time.ts'

/** The terms of a mandate that its sentences name: of a mandate, a version or a draft. */
export interface Terms {
  readonly currency: string
  readonly budgetTotal: number
  readonly budgetPeriod: BudgetPeriod
  readonly timezone: string
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly warningPercents: readonly number[]
  readonly discloseLimits?: boolean | undefined
  readonly rules: readonly RuleInput[]
}

/** How often a budget resets, as the end of a sentence. */
export const PERIOD_WORDS: Readonly<Record<BudgetPeriod, string>> = {
  none: 'in total',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
  yearly: 'a year',
}

/** How often a budget resets, as a choice of a form. */
export const RENEWS_WORDS: Readonly<Record<BudgetPeriod, string>> = {
  none: 'Never',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  yearly: 'Every year',
}

/** "50 %, 80 % and 100 % of the budget". The last level is always there. */
export function levelsText(levels: readonly number[]): string {
  const before = levels.map((level) => `${level} %`).join(', ')
  return before === '' ? '100 % of the budget' : `${before} and 100 % of the budget`
}

/** "31 March 2027, 00:00". */
export function dateText(at: string, timeZone: string): string {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone },
  })
  return `${day}, ${formatTime(date, timeZone)}`
}

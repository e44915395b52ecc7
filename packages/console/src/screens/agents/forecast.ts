interface Budget {
  readonly budgetSpent: number
  readonly remainingBudget: number
  readonly budgetTotal: number
  readonly exhausted: boolean
  readonly percentUsed: number
  /** When the budget resets; null if it never does. */
  readonly periodEnd: string | null
}

export interface Outlook {
  readonly kind: 'exhausted' | 'runs_out' | 'lasts' | 'unknown'
  /** The forecast of the used amount at the end of the period; null if it is not known. */
  readonly forecastAt: number | null
  /** When the budget is empty at this pace. */
  readonly emptyAt: Date | null
}

const DAY_MS = 24 * 60 * 60_000

/** Forecasts the budget at the pace of the last seven days. */
export function outlookOf(budget: Budget, perDay: number | null, now: Date): Outlook {
  const { budgetSpent, remainingBudget, exhausted, periodEnd } = budget
  if (exhausted) return { kind: 'exhausted', forecastAt: null, emptyAt: null }
  if (perDay === null || perDay <= 0) return { kind: 'unknown', forecastAt: null, emptyAt: null }
  const emptyAt = new Date(now.getTime() + (remainingBudget / perDay) * DAY_MS)
  if (periodEnd === null) return { kind: 'runs_out', forecastAt: null, emptyAt }
  const end = Date.parse(periodEnd)
  const daysLeft = Math.max(0, end - now.getTime()) / DAY_MS
  const forecastAt = budgetSpent + perDay * daysLeft
  return emptyAt.getTime() < end
    ? { kind: 'runs_out', forecastAt, emptyAt }
    : { kind: 'lasts', forecastAt, emptyAt: null }
}

/** Whole days between two moments. */
export function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / DAY_MS))
}

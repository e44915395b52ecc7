/** The amounts of a mandate that an approval changes. */
interface Budget {
  readonly budgetTotal: number
  readonly budgetSpent: number
  readonly remainingBudget: number
}

export interface BudgetEffect {
  readonly before: number
  readonly after: number
  /** With two decimals, as the gateway rounds them: down. */
  readonly percentBefore: number
  readonly percentAfter: number
  /** The mark that this spend passes: 80 or 100 %. */
  readonly crosses: 80 | 100 | null
  /** The budget does not have as much: the spend is rejected, whatever a person says. */
  readonly isOver: boolean
}

const MICROS = 1_000_000

/** The remaining budget, before and after the spend. */
export function budgetEffect(budget: Budget, amount: number): BudgetEffect {
  const { budgetTotal, budgetSpent, remainingBudget } = budget
  const after = Math.round((remainingBudget - amount) * MICROS) / MICROS
  const percentBefore = percentOf(budgetSpent, budgetTotal)
  const percentAfter = percentOf(budgetSpent + amount, budgetTotal)
  const crosses = [100, 80].find((mark) => percentBefore < mark && percentAfter >= mark)
  return {
    ...{ before: remainingBudget, after, percentBefore, percentAfter },
    crosses: (crosses as 80 | 100 | undefined) ?? null,
    isOver: after < 0,
  }
}

function percentOf(part: number, whole: number): number {
  // Amounts have six decimals, so a sum of them is exact only after rounding.
  return whole > 0 ? Math.floor(Math.round((part / whole) * 1e10) / 1e6) / 100 : 0
}

import { type Micros, showMoney, toUnits } from '../money.ts'
import { defineCodes } from './codes.ts'
import { fail, type Judge, type JudgedMandate, pass, type Situation } from './verdict.ts'

/** The name of the budget in findings. No rule of a mandate may have this name. */
export const BUDGET_ID = 'budget'

const BUDGET_ACTION =
  'Ask for at most `next.maxAmountNow`. If the budget has a period, `next.retryAfter` says when a later period covers the spend. If it has no period, waiting alone never helps: a person must raise the budget, or a released hold or a refund must return money to it.'

export const budgetCodes = defineCodes({
  budget_exceeded: {
    meaning: 'The spend exceeds the remaining budget.',
    action: BUDGET_ACTION,
    repeat: 'later',
  },
  parent_budget_exceeded: {
    meaning: 'The spend exceeds the remaining budget of a parent mandate.',
    action: BUDGET_ACTION,
    repeat: 'later',
  },
})

/**
 * Every mandate has a budget, so it is not one of its rules. Spending exactly all of it is allowed.
 */
export function judgeBudget({ currency, budgetPeriod }: JudgedMandate): Judge {
  const window = budgetPeriod === 'none' ? null : budgetPeriod
  return {
    check(situation) {
      const { spend, budgetTotal, budgetSpent, isInherited } = situation
      const after = budgetSpent + spend.amount
      const [observed, limit] = [toUnits(after), toUnits(budgetTotal)]
      if (after <= budgetTotal) return pass(observed, limit, 'The budget covers the spend.', window)
      const left = showMoney(remainingOf(situation), currency)
      const whose = isInherited ? 'the budget of a parent mandate' : 'the budget'
      const message = `The spend of ${showMoney(spend.amount, currency)} exceeds the ${left} left in ${whose}.`
      const code = isInherited ? budgetCodes.parent_budget_exceeded : budgetCodes.budget_exceeded
      return fail(code, observed, limit, message, window)
    },
    amountMax: remainingOf,
    passesAt: ({ spend, budgetTotal, period }) =>
      spend.amount <= budgetTotal ? period?.end : undefined,
  }
}

function remainingOf({ budgetTotal, budgetSpent }: Situation): Micros {
  return budgetSpent < budgetTotal ? budgetTotal - budgetSpent : 0n
}

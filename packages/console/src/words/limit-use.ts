import type { Finding, RuleInput } from '@purser/sdk'
import { formatAmount, sumMoney } from './money.ts'
import { countOf } from './text.ts'
import { durationWords } from './windows.ts'

/** The smallest amount. A simulation of it tells how much of each limit is used. */
export const LEAST_AMOUNT = 0.000001

const WHEN: Readonly<Record<string, string>> = {
  hour: 'this hour',
  day: 'today',
  week: 'this week',
  month: 'this month',
  period: 'in this budget period',
}

/**
 * "46.00 used today" for each limit, by the id of its rule. The findings are those of a spend of the
 * least amount, which counts itself. A limit for single vendors, categories or paths has no figure of
 * its own, and one for both a sum and a number does not say which of them it is.
 */
export function limitUse(
  rules: readonly RuleInput[],
  findings: readonly Pick<Finding, 'id' | 'observed'>[],
  currency: string,
): ReadonlyMap<string, string> {
  const used = new Map<string, string>()
  for (const rule of rules) {
    if (rule.type !== 'limit' || rule.groupBy || rule.match || rule.id === undefined) continue
    const isBoth = rule.maxAmount !== undefined && rule.maxCount !== undefined
    const observed = findings.find(({ id }) => id === rule.id)?.observed
    if (isBoth || typeof observed !== 'number') continue
    const amount =
      rule.maxAmount === undefined
        ? countOf(Math.max(0, observed - 1), 'spend')
        : formatAmount(Math.max(0, sumMoney([observed, -LEAST_AMOUNT])), currency)
    used.set(rule.id, `${amount} used ${whenWords(rule.window)}`)
  }
  return used
}

function whenWords(window: string): string {
  // One hour, and not 1 hour: "in the last hour".
  return WHEN[window] ?? `in the last ${durationWords(window).replace(/^1 /, '')}`
}

import type { Mandate, Rule } from '@purser/sdk'
import { exampleVendor } from '../../parts/example-vendors.ts'
import { formatMoney } from '../../words/money.ts'
import { limitName } from '../../words/windows.ts'

/** A spend to try: everything that the call needs. */
export interface ExampleSpend {
  readonly agentId: string
  readonly amount: number
  readonly vendor: string
  readonly category: string
}

const USUAL = 12.5
const CATEGORY = 'llm'

/** A spend that the mandate approves, if its rules let anything pass. */
export function goodSpend(mandate: Mandate): ExampleSpend {
  const category = firstAllowed(mandate.rules, 'categories') ?? CATEGORY
  const vendor = firstAllowed(mandate.rules, 'vendors') ?? exampleVendor(category)
  return {
    ...{ agentId: mandate.agentId, vendor, category },
    amount: tidy(Math.min(USUAL, ceilingOf(mandate).amount / 2)),
  }
}

/** The same with an amount that is too much. */
export function excessiveSpend(mandate: Mandate): ExampleSpend {
  return { ...goodSpend(mandate), amount: tidy(ceilingOf(mandate).amount * 1.6) }
}

/** "amount 40, above the per-spend limit of 25.00 USD". */
export function excessNote(mandate: Mandate): string {
  const { amount, name } = ceilingOf(mandate)
  return `amount ${excessiveSpend(mandate).amount}, above the ${name} of ${formatMoney(amount, mandate.currency)}`
}

/** The smallest amount beyond which a rule or the budget rejects. */
function ceilingOf(mandate: Mandate): { readonly amount: number; readonly name: string } {
  const limits = mandate.rules.flatMap((rule) => {
    if (rule.effect !== 'reject') return []
    if (rule.type === 'amount' && rule.max) return [{ amount: rule.max, name: 'per-spend limit' }]
    if (rule.type !== 'limit' || rule.match || !rule.maxAmount) return []
    return [{ amount: rule.maxAmount, name: limitName(rule.window).toLowerCase() }]
  })
  const budget = { amount: mandate.budgetTotal, name: 'budget' }
  return limits.reduce((least, one) => (one.amount < least.amount ? one : least), budget)
}

function firstAllowed(rules: readonly Rule[], type: 'categories' | 'vendors'): string | undefined {
  for (const rule of rules) {
    if (rule.type !== type) continue
    const plain = rule.allow?.find((one) => !one.includes('*') && !one.includes(':'))
    if (plain !== undefined) return plain
  }
  return undefined
}

/** At most two decimals, and never nothing: small budgets keep six. */
function tidy(amount: number): number {
  const rounded = Math.round(amount * 100) / 100
  return rounded > 0 ? rounded : Math.max(0.000001, Math.round(amount * 1e6) / 1e6)
}

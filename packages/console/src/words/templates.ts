import type { BudgetPeriod, RuleInput } from '@purser/sdk'
import { formatMoney } from './money.ts'
import type { Terms } from './term-words.ts'

/** A mandate to start from. Its amounts are in the organization's currency. */
export interface MandateTemplate {
  readonly id: TemplateId
  readonly name: string
  readonly budgetTotal: number
  readonly budgetPeriod: BudgetPeriod
  readonly rules: readonly RuleInput[]
}

export type TemplateId = 'research' | 'travel' | 'operations' | 'blank'

export const TEMPLATES: readonly MandateTemplate[] = [
  {
    ...{ id: 'research', name: 'Research', budgetTotal: 100, budgetPeriod: 'monthly' },
    rules: [
      { type: 'amount', max: 25 },
      { type: 'categories', allow: ['llm', 'search'] },
    ],
  },
  {
    ...{ id: 'travel', name: 'Travel', budgetTotal: 1_500, budgetPeriod: 'monthly' },
    // The approval begins below the per-spend limit: otherwise it could never be reached.
    rules: [
      { type: 'amount', max: 500 },
      { type: 'approval', above: 300 },
      { type: 'categories', allow: ['travel'] },
    ],
  },
  {
    ...{ id: 'operations', name: 'Operations', budgetTotal: 300, budgetPeriod: 'monthly' },
    rules: [
      { type: 'limit', maxAmount: 60, window: 'day' },
      { type: 'new_vendor', effect: 'require_approval' },
    ],
  },
  {
    ...{ id: 'blank', name: 'Blank', budgetTotal: 100, budgetPeriod: 'monthly' },
    rules: [],
  },
]

/** The template with this id, such as that of `?template=travel`. */
export function templateOf(id: string | undefined): MandateTemplate | undefined {
  return TEMPLATES.find((template) => template.id === id)
}

/** The terms of a template, for its words. */
export function templateTerms(template: MandateTemplate, currency: string): Terms {
  const { budgetTotal, budgetPeriod, rules } = template
  const dates = { warningPercents: [80], validFrom: null, validUntil: null }
  return { currency, budgetTotal, budgetPeriod, rules, timezone: 'UTC', ...dates }
}

/** The template in one line: "100.00 USD a month, at most 25.00 USD per spend, for llm or search". */
export function templateLine(template: MandateTemplate, currency: string): string {
  const money = (amount: number) => formatMoney(amount, currency)
  const rules = template.rules.map((rule) => rulePhrase(rule, money))
  const rest = rules.length > 0 ? rules : ['no other rules yet']
  return [`${money(template.budgetTotal)} a month`, ...rest].join(', ')
}

function rulePhrase(rule: RuleInput, money: (amount: number) => string): string {
  switch (rule.type) {
    case 'amount':
      return `at most ${money(rule.max ?? 0)} per spend`
    case 'approval':
      return `approval above ${money(rule.above ?? 0)}`
    case 'categories':
      return `for ${(rule.allow ?? []).join(' or ')}`
    case 'limit':
      return `at most ${money(rule.maxAmount ?? 0)} a day`
    case 'new_vendor':
      return 'new vendors need approval'
    default:
      return `rule ${rule.type}`
  }
}

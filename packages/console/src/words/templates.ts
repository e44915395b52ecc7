import type { BudgetPeriod, RuleInput } from '@purser/sdk'
import { formatMoney } from './money.ts'

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

/** What a template means, one sentence for each rule. */
export function templateSentences(template: MandateTemplate, currency: string): readonly string[] {
  const money = (amount: number) => formatMoney(amount, currency)
  return [
    `The agent may spend ${money(template.budgetTotal)} a month.`,
    ...template.rules.map((rule) => ruleSentence(rule, money)),
    ...(template.rules.length === 0 ? ['Every vendor and every amount within it pass.'] : []),
  ]
}

function ruleSentence(rule: RuleInput, money: (amount: number) => string): string {
  switch (rule.type) {
    case 'amount':
      return `One spend is at most ${money(rule.max ?? 0)}.`
    case 'approval':
      return `A person approves each spend above ${money(rule.above ?? 0)}.`
    case 'categories':
      return `Only spends for ${(rule.allow ?? []).join(' or ')} pass.`
    case 'limit':
      return `At most ${money(rule.maxAmount ?? 0)} pass on one day.`
    case 'new_vendor':
      return 'The first spend at each vendor needs the approval of a second person.'
    default:
      return `Rule ${rule.type}.`
  }
}

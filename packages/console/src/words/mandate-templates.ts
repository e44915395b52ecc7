import type { BudgetPeriod, RuleInput } from '@purser/sdk'

export type TemplateName = 'research' | 'travel' | 'operations' | 'blank'

/** The terms that a new mandate starts with. Amounts are in the currency of the organization. */
export interface MandateTemplate {
  readonly name: TemplateName
  readonly title: string
  readonly about: string
  readonly budgetTotal: number
  readonly budgetPeriod: BudgetPeriod
  readonly rules: readonly RuleInput[]
}

export const MANDATE_TEMPLATES: readonly MandateTemplate[] = [
  {
    name: 'research',
    title: 'Research',
    about: '100 a month, at most 25 per spend, for models and searches.',
    budgetTotal: 100,
    budgetPeriod: 'monthly',
    rules: [
      { type: 'amount', id: 'amount', effect: 'reject', max: 25 },
      { type: 'categories', id: 'categories', effect: 'reject', allow: ['llm', 'search'] },
    ],
  },
  {
    name: 'travel',
    title: 'Travel',
    about: '1,500 a month, at most 300 per spend. A person approves spends above 200.',
    budgetTotal: 1500,
    budgetPeriod: 'monthly',
    rules: [
      { type: 'amount', id: 'amount', effect: 'reject', max: 300 },
      { type: 'categories', id: 'categories', effect: 'reject', allow: ['travel'] },
      {
        type: 'approval',
        id: 'approval',
        effect: 'require_approval',
        above: 200,
        expiresIn: '30m',
      },
    ],
  },
  {
    name: 'operations',
    title: 'Operations',
    about: '300 a month, at most 60 a day. A person approves each new vendor.',
    budgetTotal: 300,
    budgetPeriod: 'monthly',
    rules: [
      { type: 'limit', id: 'limit', effect: 'reject', maxAmount: 60, window: 'day' },
      { type: 'new_vendor', id: 'new_vendor', effect: 'require_approval' },
    ],
  },
  {
    name: 'blank',
    title: 'Blank',
    about: 'A budget of 100 a month and no rules.',
    budgetTotal: 100,
    budgetPeriod: 'monthly',
    rules: [],
  },
]

export function templateNamed(name: string | undefined): MandateTemplate | undefined {
  return MANDATE_TEMPLATES.find((one) => one.name === name)
}

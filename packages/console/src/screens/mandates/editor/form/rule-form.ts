import type { DuplicateField, Effect, PathName, RuleInput, Weekday } from '@purser/sdk'

export type RuleType = RuleInput['type']

/** A window of a schedule in the form. No days means every day. */
export interface WindowForm {
  readonly days: readonly Weekday[]
  readonly from: string
  readonly to: string
}

/**
 * A rule while a person edits it. Numbers are texts, because a half-typed or mistaken amount must
 * stay visible and must never be saved as if the field were empty.
 */
export interface RuleForm {
  readonly id: string
  readonly type: RuleType
  readonly effect: Effect
  readonly texts: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly windows: readonly WindowForm[]
}

type RuleOf<Type extends RuleType> = Extract<RuleInput, { readonly type: Type }>

/** The form of a rule. `id` is that of the rule, which every stored rule has. */
export function formOfRule(rule: RuleInput): RuleForm {
  const usual = rule.type === 'approval' ? 'require_approval' : 'reject'
  return {
    id: rule.id ?? rule.type,
    type: rule.type,
    effect: rule.effect ?? usual,
    texts: textsOf(rule),
    lists: listsOf(rule),
    windows:
      rule.type === 'schedule'
        ? rule.windows.map(({ days = [], from, to }) => ({ days, from, to }))
        : [],
  }
}

function textsOf(rule: RuleInput): Record<string, string> {
  switch (rule.type) {
    case 'amount':
      return { min: amountText(rule.min), max: amountText(rule.max) }
    case 'limit':
      return limitTexts(rule)
    case 'schedule':
      return { timezone: rule.timezone ?? '' }
    case 'duplicate':
      return { window: rule.window }
    case 'price_drift':
      return { maxIncreasePercent: plainText(rule.maxIncreasePercent) }
    case 'expression':
      return { expr: rule.expr }
    case 'approval':
      return { above: amountText(rule.above), expiresIn: rule.expiresIn ?? '' }
    case 'vendors':
    case 'categories':
    case 'paths':
    case 'new_vendor':
      return {}
  }
}

function limitTexts({ maxAmount, maxCount, window, groupBy, match }: RuleOf<'limit'>) {
  return {
    maxAmount: amountText(maxAmount),
    maxCount: maxCount === undefined ? '' : String(maxCount),
    window,
    groupBy: groupBy ?? '',
    matchVendor: match?.vendor ?? '',
    matchCategory: match?.category ?? '',
    matchPath: match?.path ?? '',
  }
}

function listsOf(rule: RuleInput): Record<string, readonly string[]> {
  switch (rule.type) {
    case 'vendors':
    case 'categories':
      return { allow: rule.allow ?? [], block: rule.block ?? [] }
    case 'paths':
      return { allow: rule.allow }
    case 'duplicate':
      return { match: rule.match ?? [] }
    case 'amount':
    case 'limit':
    case 'schedule':
    case 'new_vendor':
    case 'price_drift':
    case 'expression':
    case 'approval':
      return {}
  }
}

/** 250 as "250.00", 0.005 as "0.005". Never in scientific notation. */
export function amountText(value: number | undefined): string {
  if (value === undefined) return ''
  const [whole = '0', fraction = ''] = plainText(value).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

function plainText(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(6).replace(/0+$/, '') : text
}

/** The fields that an empty `match` of a duplicate rule means. */
export const SAME_FIELDS: readonly DuplicateField[] = ['vendor', 'amount', 'reference']

export const PATHS: readonly PathName[] = ['evaluate', 'x402', 'acp', 'card']

/** The first free id of a type: `limit`, `limit-2`, as the gateway would name it. */
export function freeRuleId(type: RuleType, rules: readonly RuleForm[]): string {
  const taken = new Set(rules.map(({ id }) => id))
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? type : `${type}-${number}`
    if (!taken.has(id)) return id
  }
}

const EMPTY: Readonly<Record<RuleType, RuleInput>> = {
  amount: { type: 'amount' },
  limit: { type: 'limit', window: 'day' },
  vendors: { type: 'vendors' },
  categories: { type: 'categories' },
  paths: { type: 'paths', allow: ['evaluate'] },
  schedule: {
    type: 'schedule',
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00' }],
  },
  duplicate: { type: 'duplicate', window: '10m' },
  // With `reject`, no new vendor would ever become known.
  new_vendor: { type: 'new_vendor', effect: 'require_approval' },
  price_drift: { type: 'price_drift', maxIncreasePercent: 25, effect: 'flag' },
  expression: { type: 'expression', expr: '' },
  approval: { type: 'approval', expiresIn: '30m' },
}

/** A rule of the type to fill in. */
export function emptyRule(type: RuleType, rules: readonly RuleForm[]): RuleForm {
  return { ...formOfRule(EMPTY[type]), id: freeRuleId(type, rules) }
}

import { type Rule, type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'

/** What the mandates of a history may say. Each history picks some, and changes them on the way. */
const INPUTS: readonly (readonly RuleInput[])[] = [
  [],
  [{ type: 'amount', max: 20 }],
  [
    { type: 'amount', min: 0.5, max: 30 },
    { type: 'approval', above: 25 },
  ],
  [{ type: 'limit', maxAmount: 60, window: '1h' }],
  [
    { type: 'limit', maxCount: 3, window: '10m' },
    { type: 'limit', maxAmount: 80, window: 'day' },
  ],
  [
    { type: 'limit', maxAmount: 40, window: '10m', groupBy: 'vendor' },
    { type: 'limit', id: 'x', maxCount: 9, window: '60m', effect: 'flag' },
  ],
  [
    { type: 'limit', maxCount: 2, window: 'hour', groupBy: 'category' },
    { type: 'vendors', block: ['ads.a.com'], effect: 'require_approval' },
  ],
  [
    { type: 'limit', maxAmount: 50, window: 'period', match: { category: 'search' } },
    { type: 'limit', maxAmount: 90, window: 'week', match: { path: 'x402', vendor: '*.a.com' } },
  ],
  [
    { type: 'duplicate', window: '10m' },
    { type: 'paths', allow: ['evaluate', 'x402'] },
  ],
  [
    { type: 'duplicate', window: '1h', match: ['vendor', 'category'], effect: 'flag' },
    { type: 'price_drift', maxIncreasePercent: 50, effect: 'require_approval' },
  ],
  [
    { type: 'new_vendor', effect: 'flag' },
    { type: 'vendors', allow: ['*.a.com', 'b.com'], block: ['ads.a.com'] },
    { type: 'categories', allow: ['llm', 'search'] },
  ],
  [{ type: 'schedule', windows: [{ from: '22:00', to: '14:00' }] }],
  [
    { type: 'expression', expr: "spent.day + amount <= money('70')" },
    { type: 'limit', maxAmount: 75, window: 'day' },
  ],
  [{ type: 'expression', expr: 'count.hour < 3', effect: 'require_approval' }],
  [
    { type: 'price_drift', maxIncreasePercent: 12.5 },
    { type: 'limit', maxCount: 5, window: '90s' },
    { type: 'categories', block: ['gambling'] },
  ],
]

export interface RuleSet {
  readonly index: number
  readonly rules: readonly Rule[]
  /** What the rules count, each as a text of its own. */
  readonly counts: ReadonlySet<string>
  readonly needsHistory: boolean
}

export const RULE_SETS: readonly RuleSet[] = INPUTS.map((inputs, index) => {
  const rules = toRules(inputs)
  return {
    index,
    rules,
    counts: new Set(rules.flatMap(countedBy)),
    needsHistory: rules.some(({ type }) => type === 'new_vendor' || type === 'price_drift'),
  }
})

/** What a rule counts; the same text for rules that share a count. */
export function countedBy(rule: Rule): string[] {
  switch (rule.type) {
    case 'limit':
      return [countName(lengthOf(rule.window), rule.groupBy, rule.match)]
    case 'duplicate':
      return [`same ${lengthOf(rule.window)} ${rule.match?.join() ?? 'vendor,amount,reference'}`]
    case 'expression':
      return rule.expr.startsWith('count') ? [countName('hour')] : [countName('day')]
    default:
      return []
  }
}

export function countName(window: string, groupBy?: string, match?: object): string {
  return `limit ${window} ${groupBy ?? ''} ${match ? JSON.stringify(match) : ''}`
}

export function lengthOf(window: string): string {
  return window === '60m' ? '1h' : window
}

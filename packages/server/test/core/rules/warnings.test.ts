import { describe, expect, test } from 'vitest'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { warningsOf } from '../../../src/core/rules/warnings.ts'
import type { BudgetPeriod } from '../../../src/core/time/period.ts'

const BUDGET = 100_000_000n

describe('a rule that asks a person', () => {
  test('is as good as any other', () => {
    const rules = toRules([
      { type: 'amount', max: 5, effect: 'require_approval' },
      { type: 'approval', above: 3 },
      { type: 'paths', allow: ['x402'] },
    ])
    expect(warningsOf(rules, BUDGET)).toEqual([])
  })
})

describe('a warning is given for', () => {
  test.each<[string, RuleInput[], string, string[]]>([
    [
      'a person who is never asked, because larger amounts are rejected',
      [
        { type: 'amount', max: 25 },
        { type: 'approval', above: 25 },
      ],
      'approval_never_asked',
      ['approval', 'amount'],
    ],
    [
      'a person who is never asked, because the budget is smaller',
      [{ type: 'approval', above: 100 }],
      'approval_never_asked',
      ['approval'],
    ],
    [
      'two rules that no amount satisfies',
      [
        { type: 'amount', min: 10 },
        { type: 'amount', max: 5 },
      ],
      'no_amount_allowed',
      ['amount', 'amount-2'],
    ],
    [
      'a minimum above the budget',
      [{ type: 'amount', min: 100.000001 }],
      'minimum_above_budget',
      ['amount'],
    ],
    [
      'a limit above the budget',
      [{ type: 'limit', maxAmount: 100.000001, window: '1h' }],
      'limit_above_budget',
      ['limit'],
    ],
    [
      'a limit below the smallest amount',
      [
        { type: 'amount', min: 10 },
        { type: 'limit', maxAmount: 9, window: 'day' },
      ],
      'limit_below_minimum',
      ['limit', 'amount'],
    ],
    [
      'vendors that are all blocked',
      [{ type: 'vendors', allow: ['x.a.com', '*.y.a.com'], block: ['*.a.com'] }],
      'no_vendor_allowed',
      ['vendors'],
    ],
    [
      'two lists without a common vendor',
      [
        { type: 'vendors', allow: ['*.a.com'] },
        { type: 'vendors', allow: ['a.com', 'b.com'] },
      ],
      'no_vendor_allowed',
      ['vendors', 'vendors-2'],
    ],
    [
      'one vendor that is allowed and blocked',
      [{ type: 'vendors', allow: ['x.a.com', 'b.com'], block: ['*.a.com'] }],
      'vendor_allowed_and_blocked',
      ['vendors'],
    ],
    [
      'categories that are all blocked',
      [{ type: 'categories', allow: ['llm'], block: ['LLM'] }],
      'no_category_allowed',
      ['categories'],
    ],
    [
      'two lists without a common path',
      [
        { type: 'paths', allow: ['card'] },
        { type: 'paths', allow: ['x402'] },
      ],
      'no_path_allowed',
      ['paths', 'paths-2'],
    ],
    [
      'a rule that rejects every vendor that is new',
      [{ type: 'new_vendor' }],
      'new_vendors_rejected',
      ['new_vendor'],
    ],
    [
      'an amount compared with a bare number',
      [{ type: 'expression', expr: 'amount < 20' }],
      'expression_bare_amount',
      ['expression'],
    ],
  ])('%s', (_, inputs, code, ruleIds) => {
    expect(warningsOf(toRules(inputs), BUDGET)).toEqual([
      { code, ruleIds, message: expect.stringMatching(/^[A-Z].*\.$/) },
    ])
  })
})

describe('no warning is given for', () => {
  test.each<[string, RuleInput[]]>([
    ['no rules', []],
    [
      'bounds that are equal',
      [
        { type: 'amount', min: 100, max: 100 },
        { type: 'limit', maxAmount: 100, window: '1h' },
      ],
    ],
    ['a person who is always asked', [{ type: 'approval' }]],
    [
      'a limit below the smallest amount that does not reject',
      [
        { type: 'amount', min: 10 },
        { type: 'limit', maxAmount: 9, window: 'day', effect: 'flag' },
      ],
    ],
    [
      'values that just fit',
      [
        { type: 'amount', min: 5, max: 100 },
        { type: 'approval', above: 99.999999 },
        { type: 'limit', maxAmount: 100, window: '1h' },
      ],
    ],
    [
      'a maximum that does not reject',
      [
        { type: 'amount', max: 25, effect: 'flag' },
        { type: 'approval', above: 25 },
      ],
    ],
    [
      'one host taken out of a wildcard',
      [{ type: 'vendors', allow: ['*.a.com'], block: ['x.a.com'] }],
    ],
    ['a rule that flags new vendors', [{ type: 'new_vendor', effect: 'flag' }]],
    ['a rule that asks a person', [{ type: 'new_vendor', effect: 'require_approval' }]],
    ['a stored expression that no longer compiles', [{ type: 'expression', expr: 'amnt > 1' }]],
    ['a block list alone', [{ type: 'vendors', block: ['x.a.com'] }]],
    [
      'two lists of which one is inside the other',
      [
        { type: 'vendors', allow: ['*.a.com'] },
        { type: 'vendors', allow: ['x.a.com'] },
      ],
    ],
  ])('%s', (_, inputs) => {
    expect(warningsOf(toRules(inputs), BUDGET)).toEqual([])
  })

  test.each<[string, BudgetPeriod, number]>([
    ['90d', 'monthly', 0],
    ['month', 'weekly', 0],
    ['90d', 'none', 1],
    ['day', 'monthly', 1],
    ['period', 'monthly', 1],
  ])(
    'a limit over %s above a %s budget, if the budget resets within: %d',
    (window, period, count) => {
      const rules = toRules([{ type: 'limit', maxAmount: 150, window }])
      expect(warningsOf(rules, BUDGET, period)).toHaveLength(count)
    },
  )
})

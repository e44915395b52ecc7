import { describe, expect, test } from 'vitest'
import type { MandateTerms } from '../../../src/core/mandates/mandate.ts'
import {
  narrowingErrors,
  rulesWiderThanAbove,
  widerThanAbove,
} from '../../../src/core/mandates/narrowing.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { someTerms } from '../some-terms.ts'

const NOW = Date.parse('2026-10-15T12:00Z')
const DAY = 86_400_000

describe('a child mandate', () => {
  test('may never be refused for being the same as its parent', () => {
    const rules: RuleInput[] = [
      { type: 'amount', min: 1, max: 50 },
      { type: 'vendors', allow: ['*.a.com', 'b.com'], block: ['x.a.com'] },
      { type: 'limit', maxCount: 5, maxAmount: 50, window: '1h', match: { category: 'llm' } },
      { type: 'duplicate', window: '10m' },
      { type: 'approval', above: 25 },
    ]
    const terms = someTerms({ validFrom: NOW, validUntil: NOW + DAY, rules: toRules(rules) })
    expect(narrowingErrors(terms, terms)).toEqual([])
  })

  test.each<[string, Partial<MandateTerms>, string, string]>([
    ['another currency', { currency: 'EUR' }, '/currency', 'USD'],
    ['a larger budget', { budgetTotal: 100_000_001n }, '/budgetTotal', '100'],
    ['an earlier start', { validFrom: NOW - 1 }, '/validFrom', '2026-10-15T12:00:00.000Z'],
    ['a later end', { validUntil: NOW + DAY + 1 }, '/validUntil', '2026-10-16T12:00:00.000Z'],
  ])('may not have %s', (_, change, path, value) => {
    const parent = someTerms({ validFrom: NOW, validUntil: NOW + DAY })
    expect(narrowingErrors({ ...parent, ...change }, parent)).toEqual([
      { path, code: 'wider_than_parent', message: expect.stringContaining(value) },
    ])
  })

  test('is compared with the strictest of several rules of its parent', () => {
    const parent = someTerms({
      rules: toRules([
        { type: 'amount', min: 1, max: 60 },
        { type: 'amount', min: 3, max: 50 },
        { type: 'amount', min: 2, max: 70 },
      ]),
    })
    const errorsOf = (min: number, max: number) =>
      narrowingErrors(someTerms({ rules: toRules([{ type: 'amount', min, max }]) }), parent)
    expect(errorsOf(3, 50)).toEqual([])
    expect(errorsOf(2.5, 55)).toMatchObject([
      { path: '/rules/0/max', message: expect.stringContaining('at most 50') },
      { path: '/rules/0/min', message: expect.stringContaining('at least 3') },
    ])
  })

  test('may ask a person no later than the strictest rule of its parent', () => {
    const parent: RuleInput[] = [
      { type: 'approval', above: 25 },
      { type: 'approval', above: 10 },
    ]
    expect(narrowing([{ type: 'approval', above: 10 }], parent)).toEqual([])
    expect(narrowing([{ type: 'approval', above: 11 }], parent)).toMatchObject([
      { path: '/rules/0/above', message: expect.stringContaining('at most 10 without approval') },
    ])
  })

  test('is not compared with rules of its parent that do not state the setting', () => {
    const parent: RuleInput[] = [
      { type: 'amount', min: 1 },
      { type: 'amount', max: 50 },
      { type: 'vendors', block: ['b.com'] },
    ]
    const allows: RuleInput = { type: 'vendors', allow: ['a.com'] }
    expect(narrowing([{ type: 'amount', max: 50 }, allows], parent)).toEqual([])
    expect(narrowing([{ type: 'amount', max: 51 }, allows], parent)).toHaveLength(1)
  })

  test.each([
    [['a', 'b', 'c', 'd', 'e'], 'only a, b, c, d, e'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'only a, b, c, d, e and 2 more'],
  ])('is told at most five entries of the list %j of its parent', (allow, told) => {
    const [error] = narrowing(
      [{ type: 'categories', allow: ['x'] }],
      [{ type: 'categories', allow }],
    )
    expect(error?.message).toBe(`is wider than the parent mandate, which allows ${told}`)
  })

  test('inherits the dates it does not state', () => {
    const parent = someTerms({ validFrom: NOW, validUntil: NOW + DAY })
    expect(narrowingErrors(someTerms({}), parent)).toEqual([])
  })

  const limit = { type: 'limit', maxAmount: 50, maxCount: 5, window: '1h' } as const

  test.each<[string, RuleInput, RuleInput, string, string]>([
    ['a larger maximum', { type: 'amount', max: 51 }, { type: 'amount', max: 50 }, '/max', '50'],
    ['a smaller minimum', { type: 'amount', min: 1 }, { type: 'amount', min: 2 }, '/min', '2'],
    [
      'another vendor',
      { type: 'vendors', allow: ['x.a.com', 'a.com'] },
      { type: 'vendors', allow: ['*.a.com'] },
      '/allow/1',
      '*.a.com',
    ],
    [
      'a wider wildcard',
      { type: 'vendors', allow: ['*.a.com'] },
      { type: 'vendors', allow: ['*.b.a.com'] },
      '/allow/0',
      '*.b.a.com',
    ],
    [
      'another category',
      { type: 'categories', allow: ['search'] },
      { type: 'categories', allow: ['llm'] },
      '/allow/0',
      'llm',
    ],
    [
      'another path',
      { type: 'paths', allow: ['x402', 'card'] },
      { type: 'paths', allow: ['x402'] },
      '/allow/1',
      'x402',
    ],
    ['a larger limit', { ...limit, maxAmount: 51 }, limit, '/maxAmount', '50'],
    ['more spends', { ...limit, maxCount: 6 }, limit, '/maxCount', '5'],
    [
      'the same window in other words',
      { ...limit, maxCount: 6, window: '60m' },
      limit,
      '/maxCount',
      '5',
    ],
    [
      'a later approval',
      { type: 'approval', above: 26 },
      { type: 'approval', above: 25 },
      '/above',
      '25',
    ],
    [
      'an approval less often than always',
      { type: 'approval', above: 1 },
      { type: 'approval' },
      '/above',
      'no spend',
    ],
    [
      'a larger drift',
      { type: 'price_drift', maxIncreasePercent: 26 },
      { type: 'price_drift', maxIncreasePercent: 25 },
      '/maxIncreasePercent',
      '25',
    ],
    [
      'a shorter memory',
      { type: 'duplicate', window: '9m' },
      { type: 'duplicate', window: '10m', match: ['reference', 'amount', 'vendor'] },
      '/window',
      '10m',
    ],
    [
      'a flag beyond what is rejected',
      { type: 'amount', max: 60, effect: 'flag' },
      { type: 'amount', max: 50 },
      '/max',
      '50',
    ],
  ])('may not state %s', (_, child, parent, path, value) => {
    expect(narrowing([{ type: 'new_vendor' }, child], [parent])).toEqual([
      {
        path: `/rules/1${path}`,
        code: 'wider_than_parent',
        message: expect.stringContaining(value),
      },
    ])
  })

  test.each<[string, RuleInput[], RuleInput[]]>([
    ['state nothing at all', [], [{ type: 'amount', max: 50 }]],
    ['state what its parent does not', [{ type: 'amount', max: 999 }], []],
    ['state the other bound', [{ type: 'amount', min: 5 }], [{ type: 'amount', max: 50 }]],
    [
      'block alone',
      [{ type: 'vendors', block: ['b.com'] }],
      [{ type: 'vendors', allow: ['a.com'] }],
    ],
    ['count other things', [{ ...limit, maxCount: 9, groupBy: 'vendor' }], [limit]],
    ['count over another window', [{ ...limit, maxCount: 9, window: 'hour' }], [limit]],
    [
      'match repetitions by other fields',
      [{ type: 'duplicate', window: '1m', match: ['reference'] }],
      [{ type: 'duplicate', window: '10m' }],
    ],
    ['always ask a person', [{ type: 'approval' }], [{ type: 'approval', above: 25 }]],
    [
      'reject later than its parent asks a person',
      [{ type: 'amount', max: 100 }],
      [{ type: 'amount', max: 50, effect: 'require_approval' }],
    ],
  ])('may %s', (_, child, parent) => {
    expect(narrowing(child, parent)).toEqual([])
  })

  test('is held to the narrowest of several rules', () => {
    const parent: RuleInput[] = [
      { type: 'amount', max: 50 },
      { type: 'amount', max: 20 },
    ]
    expect(narrowing([{ type: 'amount', max: 30 }], parent)).toMatchObject([
      { path: '/rules/0/max', message: expect.stringContaining('20') },
    ])
  })
})

describe('the warning about a mandate that its parents do not allow', () => {
  const withRules = (...rules: RuleInput[]): MandateTerms => someTerms({ rules: toRules(rules) })
  const narrow = withRules({ type: 'amount', max: 50 })

  test('is absent if no parent allows less', () => {
    expect(widerThanAbove(narrow, [])).toEqual([])
    expect(widerThanAbove(narrow, [narrow, someTerms({})])).toEqual([])
    expect(rulesWiderThanAbove(narrow.rules, [narrow])).toEqual([])
  })

  test('names each rule once, and says how many more differences there are', () => {
    const wide = withRules({ type: 'new_vendor' }, { type: 'amount', id: 'most', max: 60 })
    expect(widerThanAbove(wide, [someTerms({}), narrow])).toEqual([
      {
        code: 'wider_than_parent',
        message: expect.stringMatching(/still applies: \/rules\/1\/max [^()]+\.$/),
        ruleIds: ['most'],
      },
    ])
    const message = expect.stringContaining('(and 1 more)')
    expect(rulesWiderThanAbove(wide.rules, [narrow, narrow])).toEqual([
      { code: 'wider_than_parent', message, ruleIds: ['most'] },
    ])
  })

  test('compares the budget with that of the parent only if it is about the whole mandate', () => {
    const large = someTerms({ budgetTotal: 100_000_001n })
    expect(widerThanAbove(large, [someTerms({})])).toMatchObject([{ ruleIds: [] }])
    expect(rulesWiderThanAbove(large.rules, [someTerms({})])).toEqual([])
  })
})

function narrowing(child: RuleInput[], parent: RuleInput[]) {
  return narrowingErrors(
    someTerms({ rules: toRules(child) }),
    someTerms({ rules: toRules(parent) }),
  )
}

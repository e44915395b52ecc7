import { describe, expect, test } from 'vitest'
import {
  compilePolicy,
  countersOf,
  namesVendorHistory,
  needsVendorHistory,
  rulesFor,
  seriesOf,
} from '../../../src/core/mandates/policy.ts'
import { compileExpression } from '../../../src/core/rules/expression/compile.ts'
import { RULES } from '../../../src/core/rules/kinds/index.ts'
import { inspectRules, type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import type { Origins } from '../../../src/core/rules/verdict.ts'
import { mandateId, someCard, someSpend } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

const ID = mandateId(7)

describe('a policy', () => {
  test('names the counters of a spend, each once', () => {
    const rules: RuleInput[] = [
      { type: 'limit', maxCount: 1, window: '1h' },
      { type: 'limit', maxAmount: 5, window: '60m' },
      { type: 'limit', maxAmount: 5, window: 'day', groupBy: 'vendor' },
      { type: 'limit', maxAmount: 5, window: 'day', match: { category: 'search' } },
      { type: 'duplicate', window: '10m' },
      { type: 'expression', expr: 'count.day < 9' },
    ]
    expect(countersOf(policyOf(rules), someSpend({ reference: 'a/b' }))).toEqual([
      `${ID}/3600000ms/all/,,/`,
      `${ID}/day/vendor/,,/api.openai.com`,
      `${ID}/600000ms/same/amount,reference,vendor/api.openai.com/10000000//=a/b`,
      `${ID}/day/all/,,/`,
    ])
  })

  test('names a counter that two rules share once', () => {
    const rules: RuleInput[] = [
      { type: 'limit', maxCount: 1, window: '1h' },
      { type: 'limit', maxAmount: 5, window: '60m' },
    ]
    expect(countersOf(policyOf(rules), someSpend())).toEqual([`${ID}/3600000ms/all/,,/`])
  })

  test('has its rules in the order of findings, and those of one type as the mandate has them', () => {
    const rules: RuleInput[] = [
      { type: 'limit', id: 'b', maxCount: 1, window: '1h' },
      { type: 'approval' },
      { type: 'limit', id: 'a', maxCount: 1, window: '1h' },
      { type: 'amount', max: 5 },
      { type: 'vendors', allow: ['a.com'] },
    ]
    const { rules: judged } = policyOf(rules)
    const ids = RULES.flatMap(({ type }) => judged.filter((rule) => rule.type === type))
    expect(judged).toEqual(ids)
    expect(judged.filter(({ type }) => type === 'limit').map(({ id }) => id)).toEqual(['b', 'a'])
  })

  test('names others for what is matched', () => {
    const match = { category: 'search', vendor: '*.a.com', path: 'x402' } as const
    const spend = someSpend({ category: 'search', vendor: 'b.a.com', path: 'x402' })
    const rules: RuleInput[] = [{ type: 'limit', maxCount: 1, window: 'period', match }]
    expect(countersOf(policyOf(rules), spend)).toEqual([`${ID}/period/all/*.a.com,search,x402/`])
  })

  test('names the marks of counters that may lack their past', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxAmount: 5, window: 'day' }]
    const origins = { 'day/all/,,': { since: 4, isLate: true } } as const
    const keys = countersOf(policyOf(rules, origins), someSpend())
    expect(keys).toEqual([`${ID}~4/day/all/,,/`, `${ID}~4`])
  })

  const count: RuleInput = { type: 'limit', maxCount: 1, window: '1h' }
  const sum: RuleInput = { type: 'limit', maxAmount: 5, window: '60m' }
  test.each([
    [[count, sum], true],
    [[sum, count], true],
    [[sum], false],
  ])('has a series with the number of spends if a rule needs it: %j', (rules, needsCount) => {
    expect(seriesOf(policyOf(rules))).toMatchObject([{ name: '3600000ms/all/,,', needsCount }])
  })

  test('with a rule that cannot be judged applies it even to a check of a card', () => {
    const policy = policyOf([{ type: 'limit', maxCount: 1, window: 'never' }])
    const check = someSpend({ amount: 0n, path: 'card', card: someCard() })
    expect(rulesFor(policy, check).map(({ id }) => id)).toEqual(['limit'])
  })

  test.each<[RuleInput, boolean]>([
    [{ type: 'new_vendor' }, true],
    [{ type: 'price_drift', maxIncreasePercent: 1 }, true],
    [{ type: 'expression', expr: 'vendor_first_seen_days > 7' }, true],
    [{ type: 'expression', expr: "vendor == 'a.com'" }, false],
    [{ type: 'amount', max: 1 }, false],
  ])('knows whether %o needs the history of the vendor', (rule, needed) => {
    expect(needsVendorHistory(policyOf([rule]))).toBe(needed)
    expect(namesVendorHistory([rule])).toBe(needed)
  })
})

test.each(
  RULES.flatMap(({ type, examples }) =>
    examples.map(({ rule }) => ({ ...rule, type }) as RuleInput),
  ),
)('the text of a rule that needs the history of vendors shows it: %o', (rule) => {
  if (needsVendorHistory(policyOf([rule]))) expect(namesVendorHistory([rule])).toBe(true)
})

test('no rule may be called as the budget is in findings', () => {
  expect(inspectRules([{ type: 'amount', id: 'budget', max: 1 }])).toMatchObject([
    { path: '/rules/0/id', code: 'reserved_id' },
  ])
})

test.each([
  ['amount > 0 && spent.day < 5', ['amount', 'spent.day']],
  [
    'has(spent.hour) || agent.tags.exists(t, t == vendor)',
    ['spent.hour', 'agent.tags', 't', 'vendor'],
  ],
  ["!(local.hour < 6) && category in ['a', reference]", ['local.hour', 'category', 'reference']],
])('an expression reads what it names: %s', (expr, names) => {
  const compiled = compileExpression(expr)
  expect(compiled.ok && [...compiled.names]).toEqual(names)
})

function policyOf(rules: readonly RuleInput[], origins: Origins = {}) {
  const terms = someTerms({ rules: toRules(rules) })
  return compilePolicy({ mandateId: ID, version: 1, hash: 'x', terms, origins })
}

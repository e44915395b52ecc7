import { describe, expect, test } from 'vitest'
import { RULES } from '../../../../src/core/rules/kinds/index.ts'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../../src/core/spend.ts'
import { createDesk, NOON, units } from '../../desk.ts'
import { ORDER } from '../../model/naive.ts'
import { RULE_SETS } from '../../model/rule-sets.ts'

// What a rule must have besides its file: a place in the model, a spend that passes and one that fails.

const TYPES = RULES.map(({ type }) => type)

test('the model has every rule in some mandate', () => {
  const used = new Set(RULE_SETS.flatMap(({ rules }) => rules.map(({ type }) => type)))
  expect(TYPES.filter((type) => !used.has(type))).toEqual([])
})

test('the model knows the order of findings', () => {
  expect(ORDER).toEqual(TYPES)
})

interface Case {
  readonly rule: RuleInput
  /** Booked before either of them. */
  readonly before?: Partial<Spend>
  readonly passes: Partial<Spend>
  readonly fails: Partial<Spend>
  readonly failsAt?: number
}

const CASES: Readonly<Record<string, Case>> = {
  paths: {
    rule: { type: 'paths', allow: ['x402'] },
    passes: { path: 'x402' },
    fails: { path: 'card' },
  },
  vendors: {
    rule: { type: 'vendors', allow: ['a.com'] },
    passes: { vendor: 'a.com' },
    fails: { vendor: 'b.com' },
  },
  categories: {
    rule: { type: 'categories', allow: ['llm'] },
    passes: { category: 'llm' },
    fails: { category: 'search' },
  },
  amount: {
    rule: { type: 'amount', max: 5 },
    passes: { amount: units(5) },
    fails: { amount: units(6) },
  },
  schedule: {
    rule: { type: 'schedule', windows: [{ from: '11:00', to: '13:00' }] },
    passes: {},
    fails: {},
    failsAt: NOON + 2 * 3_600_000,
  },
  limit: {
    rule: { type: 'limit', maxAmount: 15, window: 'day' },
    before: { amount: units(10) },
    passes: { amount: units(5) },
    fails: { amount: units(6) },
  },
  duplicate: {
    rule: { type: 'duplicate', window: '10m' },
    before: { reference: 'a' },
    passes: { reference: 'b' },
    fails: { reference: 'a' },
  },
  new_vendor: {
    rule: { type: 'new_vendor', effect: 'flag' },
    before: { vendor: 'a.com' },
    passes: { vendor: 'a.com' },
    fails: { vendor: 'b.com' },
  },
  price_drift: {
    rule: { type: 'price_drift', maxIncreasePercent: 10 },
    before: { amount: units(10) },
    passes: { amount: units(11) },
    fails: { amount: units(12) },
  },
  expression: {
    rule: { type: 'expression', expr: "amount <= money('5')" },
    passes: { amount: units(5) },
    fails: { amount: units(6) },
  },
  approval: {
    rule: { type: 'approval', above: 5 },
    passes: { amount: units(5) },
    fails: { amount: units(6) },
  },
}

test('every rule has its case here', () => {
  expect(Object.keys(CASES)).toEqual(TYPES)
})

describe.each(Object.entries(CASES))('%s', (type, { rule, before, passes, fails, failsAt }) => {
  const findingOn = (spend: Partial<Spend>, at = NOON) => {
    const desk = createDesk({ rules: [rule] })
    if (before) desk.spend(before)
    return desk.ask(spend, at).details.rules[0]
  }

  test('lets a spend pass, and finds fault with another', () => {
    expect(rule.type).toBe(type)
    expect(findingOn(passes)?.code).toBeNull()
    expect(findingOn(fails, failsAt)?.code).toEqual(expect.any(String))
  })
})

import type { RuleInput } from '@purser/sdk'
import { expect, test } from 'vitest'
import { LEAST_AMOUNT, limitUse } from '../../src/words/limit-use.ts'

const RULES: readonly RuleInput[] = [
  { id: 'daily', type: 'limit', maxAmount: 150, window: 'day' },
  { id: 'often', type: 'limit', maxCount: 10, window: '7d' },
  { id: 'vendor', type: 'limit', maxAmount: 50, window: 'hour', groupBy: 'vendor' },
  { id: 'llm', type: 'limit', maxAmount: 50, window: 'hour', match: { category: 'llm' } },
  { id: 'both', type: 'limit', maxAmount: 50, maxCount: 2, window: 'hour' },
  { id: 'unjudged', type: 'limit', maxAmount: 50, window: 'hour' },
  { id: 'amount', type: 'amount', max: 50 },
]

test('says how much of a limit is used, without the spend that asks', () => {
  const findings = RULES.slice(0, 5).map(({ id = '' }) => ({ id, observed: 3 }))
  const [, ...others] = findings
  const used = limitUse(RULES, [{ id: 'daily', observed: 53.63 + LEAST_AMOUNT }, ...others], 'USD')
  expect([...used]).toEqual([
    ['daily', '53.63 used today'],
    ['often', '2 spends used in the last 7 days'],
  ])
})

test('counts no single hour or day', () => {
  const rules: readonly RuleInput[] = [
    { id: 'daily', type: 'limit', maxAmount: 60, window: '1d' },
    { id: 'monthly', type: 'limit', maxAmount: 60, window: '10d' },
  ]
  const findings = rules.map(({ id = '' }) => ({ id, observed: 15.75 + LEAST_AMOUNT }))
  expect([...limitUse(rules, findings, 'USD').values()]).toEqual([
    '15.75 used in the last day',
    '15.75 used in the last 10 days',
  ])
})

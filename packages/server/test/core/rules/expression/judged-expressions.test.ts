import { expect, test } from 'vitest'
import type { BudgetPeriod } from '../../../../src/core/time/period.ts'
import { createDesk } from '../../desk.ts'

test('a stored expression that no longer compiles rejects every spend', () => {
  const desk = createDesk({ rules: [{ type: 'expression', expr: 'amnt > 1' }] })
  const { code, details } = desk.ask()
  expect(code).toBe('expression_error')
  expect(details.rules[0]).toMatchObject({ observed: null, limit: 'amnt > 1' })
  expect(details.rules[0]?.message).toContain('Unknown variable: amnt')
})

test.each<[string, BudgetPeriod, number]>([
  ["spent.total < money('5')", 'none', 0],
  ["spent.total < money('5')", 'daily', 1],
  ["spent.period < money('5')", 'daily', 0],
])('%s with the budget period %s needs %d counters', (expr, budgetPeriod, counters) => {
  const rules = [{ type: 'expression', expr, effect: 'flag' }] as const
  expect(createDesk({ budgetPeriod, rules }).spend().counters.size).toBe(counters)
})

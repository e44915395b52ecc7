import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, NOON } from '../desk.ts'

const RULES: readonly RuleInput[] = [
  { type: 'paths', allow: ['evaluate'] },
  { type: 'amount', max: 3, effect: 'require_approval' },
  { type: 'approval', above: 5 },
]

test('an approval that covers some of the rules that ask is named in the findings of these alone', () => {
  const desk = createDesk({ rules: RULES })
  const { spend, question } = desk.ask()
  assert(question)
  desk.account = {
    ...desk.account,
    permit: {
      approvalId: '0198c5a0-0000-7000-b000-000000000001',
      status: 'approved',
      expiresAt: NOON + 60_000,
      vendor: spend.vendor,
      category: spend.category,
      path: spend.path,
      payee: null,
      cardId: null,
      maxAmount: spend.amount,
      currency: 'USD',
      lifts: question.lifts.filter(({ ruleId }) => ruleId === 'amount'),
    },
  }
  const { code, details } = desk.ask()
  expect(code).toBe('approval_required')
  const told = details.rules.map(({ id, outcome, message }) => [
    id,
    outcome,
    /Approval \w+ (.*)\./.exec(message)?.[1] ?? null,
  ])
  expect(told).toEqual([
    ['paths', 'pass', null],
    ['amount', 'escalate', 'covers this rule, but not every rule that requires approval'],
    ['approval', 'escalate', 'does not cover this rule in its current form'],
    ['budget', 'pass', null],
  ])
})

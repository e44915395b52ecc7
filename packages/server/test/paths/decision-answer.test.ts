import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDetails } from '../../src/gateway/submission.ts'
import {
  DecisionFields,
  toAnswerText,
  toDecisionFields,
  toPreviewFields,
} from '../../src/paths/decision-answer.ts'
import { createDesk } from '../core/desk.ts'

const decided = fc.record({
  id: fc.uuid(),
  agentId: fc.uuid(),
  mandateId: fc.option(fc.uuid()),
  amount: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
  currency: fc.option(fc.constant('USD')),
  vendor: fc.string(),
  category: fc.option(fc.string()),
  decision: fc.constantFrom('approved', 'rejected'),
  status: fc.constantFrom('rejected', 'held', 'settled'),
  code: fc.constantFrom('approved', 'budget_exceeded'),
  remainingBudget: fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
  flaggedBy: fc.array(fc.constantFrom('large', 'mnd_1/odd')),
  details: fc.constant('{"code":"approved","rules":[{"message":"\\"quoted\\""}]}'),
  isReplay: fc.boolean(),
})

test('the text of an answer is what its fields and its status would be written as', () => {
  fc.assert(
    fc.property(decided, (one) => {
      const whole = { ...toDecisionFields(one), status: one.status }
      expect(toAnswerText(one)).toBe(JSON.stringify(whole))
    }),
  )
})

test('a preview has the fields of a decision in the same order, and no transaction', () => {
  const decision = createDesk({}).ask()
  const preview = toPreviewFields(decision.spend, decision, performance.now())
  expect(Object.keys(preview)).toEqual(Object.keys(DecisionFields))
  expect(preview).toMatchObject({ decision: 'approved', transactionId: null, amount: 10 })
})

test('a preview says what the decision itself would be answered with', () => {
  const decision = createDesk({ rules: [{ type: 'amount', max: 5 }] }).ask()
  const { spend, mandateId, remainingBudget, status, flaggedBy } = decision
  const details = toDetails(decision, 0)
  const recorded = toDecisionFields({
    ...spend,
    id: spend.transactionId,
    mandateId,
    remainingBudget,
    flaggedBy,
    decision: decision.decision,
    status,
    code: decision.code,
    details,
    isReplay: false,
  })
  const { durationMs } = recorded.evaluationDetails
  const preview = toPreviewFields(spend, decision, 0)
  expect({
    ...preview,
    transactionId: recorded.transactionId,
    evaluationDetails: { ...preview.evaluationDetails, durationMs },
  }).toEqual(recorded)
})

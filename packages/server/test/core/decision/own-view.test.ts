import { describe, expect, test } from 'vitest'
import { ownView } from '../../../src/core/decision/own-view.ts'

const rule = (id: string, outcome: string) => ({ id, type: 'amount', outcome, code: null })

/** A decision that a mandate above refused, with this advice. */
const refusedAbove = (next: object) => ({
  details: {
    code: 'amount_too_large',
    message: 'Too much.',
    firstFailure: 'mnd_1/a',
    failed: ['mnd_1/a'],
    rules: [rule('own', 'pass'), rule('mnd_1/a', 'fail')],
    budget: null,
    next,
  },
  remainingBudget: 10,
  amount: 5,
  flags: [],
})

describe('the advice of a decision that a mandate above refused', () => {
  test.each([
    ['all fields', { maxAmountNow: 3, maxAmountWithApproval: 4, retryAfter: 'soon' }],
    ['no field that came later', { maxAmountNow: 3, retryAfter: 'soon' }],
  ])('is hidden, and has %s as it was answered', (_, next) => {
    const { details } = ownView(refusedAbove(next))
    const hidden = Object.fromEntries(Object.keys(next).map((field) => [field, null]))
    expect(JSON.stringify(details)).toContain(`"next":${JSON.stringify(hidden)}`)
  })
})

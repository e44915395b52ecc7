import { describe, expect, test } from 'vitest'
import type { Decision, EvaluationDetails } from '../../../src/core/decision/decide.ts'
import { ownView, type ShownDecision } from '../../../src/core/decision/own-view.ts'
import { toUnits } from '../../../src/core/money.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, units } from '../desk.ts'

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

const SAID_NO = "A mandate above the agent's own does not allow this."

function shownOf({ details, remainingBudget, spend, flaggedBy }: Decision): ShownDecision {
  const amount = toUnits(spend.amount)
  return { details, remainingBudget: toUnits(remainingBudget), amount, flags: flaggedBy }
}

/** A spend of 10, as the agent's key sees it; the parent has 60 left of its budget. */
function seen(own: readonly RuleInput[], parent: readonly RuleInput[], amount = 10) {
  const desk = createDesk({ rules: own }, { rules: parent, spent: units(40) })
  const view = ownView(shownOf(desk.ask({ amount: units(amount) })))
  return { ...view, details: view.details as EvaluationDetails }
}

describe('of a decision, the key of an agent sees', () => {
  test('that a parent rejected the spend, with the code, and nothing else of the parent', () => {
    const parent: RuleInput[] = [
      { type: 'amount', id: 'secret', max: 5 },
      { type: 'amount', id: 'second', max: 6 },
      { type: 'vendors', id: 'passing', allow: ['api.openai.com'] },
    ]
    const { details, remainingBudget } = seen([{ type: 'paths', allow: ['evaluate'] }], parent)
    expect(details).toMatchObject({
      code: 'amount_above_max',
      message: SAID_NO,
      firstFailure: 'above/amount',
      failed: ['above/amount'],
      next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
    })
    expect(details.rules.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['paths', 'pass'],
      ['above/amount', 'fail'],
      ['above/amount', 'fail'],
      ['budget', 'pass'],
    ])
    const unseen = { observed: null, limit: null, window: null, message: SAID_NO }
    expect(details.rules[1]).toMatchObject({ code: 'amount_above_max', ...unseen })
    expect(JSON.stringify(details)).not.toMatch(/secret|second|passing|mnd_/)
    expect(remainingBudget).toBe(100)
  })

  test('that the budget of a parent, or a person asked by a parent, is missing', () => {
    expect(seen([], [], 70).details).toMatchObject({
      code: 'parent_budget_exceeded',
      message: SAID_NO,
      failed: ['above/budget'],
    })
    expect(seen([], [{ type: 'approval' }]).details).toMatchObject({
      code: 'approval_required',
      message: SAID_NO,
      failed: ['above/approval'],
    })
  })

  test('everything about a rejection by its own mandate', () => {
    const parent: RuleInput[] = [{ type: 'amount', id: 'secret', max: 50 }]
    const { details } = seen([{ type: 'limit', id: 'mine', maxAmount: 5, window: 'day' }], parent)
    expect(details.message).toMatch(/^The spend would raise the total to 10 USD/)
    expect([details.firstFailure, details.failed]).toEqual(['mine', ['mine']])
    expect(details.rules.map(({ id }) => id)).toEqual(['mine', 'budget'])
    expect(details.next).toEqual({ maxAmountNow: 5, maxAmountWithApproval: 5, retryAfter: null })
  })

  test('when its own mandate allows the spend again', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxCount: 1, window: 'day' }]
    const desk = createDesk({ rules }, {})
    desk.spend()
    const { details } = ownView(shownOf(desk.ask()))
    expect(details).toHaveProperty('next.retryAfter', '2026-10-16T00:00:00.000Z')
  })

  test('an amount up to the requested one, since a larger one may be bounded by a parent', () => {
    const asks: RuleInput[] = [{ type: 'approval', above: 5 }]
    const withApproval = (max: number) =>
      seen(asks, [{ type: 'amount', max }]).details.next.maxAmountWithApproval
    expect([withApproval(10), withApproval(11)]).toEqual([10, null])
  })

  test('only the flags of its own rules', () => {
    const flag = (id: string): RuleInput => ({ type: 'amount', id, max: 5, effect: 'flag' })
    const both = seen([flag('mine')], [flag('secret')])
    expect(both.flags).toEqual(['mine'])
    expect(both.details.message).toBe('The spend is approved, and flagged by: mine.')
    const none = seen([], [flag('secret')])
    expect(none.flags).toEqual([])
    expect(none.details).toMatchObject({
      message: 'The spend is approved.',
      firstFailure: null,
      failed: [],
    })
  })

  test('that money moved without a decision', () => {
    const rules: RuleInput[] = [{ type: 'amount', id: 'secret', max: 5 }]
    const { details } = ownView(shownOf(createDesk({}, { rules }).record()))
    expect(details).toHaveProperty(
      'message',
      'The money moved without a decision. The gateway recorded it.',
    )
    expect(JSON.stringify(details)).not.toMatch(/secret|mnd_/)
  })

  test('a receipt without the salt of the hidden parts, if it has one', () => {
    const shown = shownOf(createDesk({}, {}).ask())
    const receiptOf = (change: object) =>
      ownView({ ...shown, details: { ...shown.details, ...change } }).details as typeof change
    expect(receiptOf({ receipt: { leaf: 'a', salt: 'b' } })).toMatchObject({
      receipt: { leaf: 'a', salt: null },
    })
    expect(receiptOf({ receipt: null })).toMatchObject({ receipt: null })
    expect(receiptOf({})).not.toHaveProperty('receipt')
  })

  test('all of it if its mandate has no parent, and what is left of details that were removed', () => {
    const alone = shownOf(createDesk({}).ask({ amount: units(101) }))
    expect(ownView(alone).details).toBe(alone.details)
    const removed = { ...alone, details: {} }
    expect(ownView(removed)).toBe(removed)
  })
})

import { describe, expect, test } from 'vitest'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import { createDesk, units } from '../../desk.ts'

describe('the finding of a limit', () => {
  test('says what the limit would count with the spend', () => {
    const observedBy = (rule: Partial<RuleInput>) => {
      const desk = createDesk({ rules: [{ type: 'limit', window: 'day', ...rule } as RuleInput] })
      desk.spend({ amount: units(20) })
      return desk.ask({ amount: units(10) }).details.rules[0]
    }
    expect(observedBy({ maxCount: 3 })).toMatchObject({ observed: 2, limit: 3 })
    expect(observedBy({ maxAmount: 40 })).toMatchObject({ observed: 30, limit: 40 })
  })

  test('names the instant at which exactly the maximum passes again', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxAmount: 30, window: 'day' }] })
    desk.spend({ amount: units(25) })
    const { next } = desk.ask({ amount: units(30) }).details
    expect(next).toMatchObject({ maxAmountNow: 5, retryAfter: '2026-10-16T00:00:00.000Z' })
  })

  test('leaves the advised amount to other rules where the limit does not count the spend', () => {
    const rules: RuleInput[] = [
      { type: 'limit', maxAmount: 3, window: 'day', match: { vendor: 'other.example' } },
      { type: 'amount', max: 5 },
    ]
    expect(createDesk({ rules }).ask().details.next.maxAmountNow).toBe(5)
  })

  test('that depends on a missing category names no amount, except with the approval of a person', () => {
    const effect = 'require_approval'
    const rules: RuleInput[] = [
      { type: 'limit', maxAmount: 30, window: 'day', groupBy: 'category', effect },
    ]
    const { code, details } = createDesk({ rules }).ask({ category: null })
    expect(code).toBe('approval_required')
    expect(details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: 100,
      retryAfter: null,
    })
  })
})

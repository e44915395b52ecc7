import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/core/decision/decide.ts'
import { createDesk, type Desk, NOON, someSpend, units } from '../desk.ts'

describe('the advice under a rule against duplicates of an amount', () => {
  const DUPLICATE = { type: 'duplicate', window: '1h' } as const
  const most = (desk: Desk, amount: number) =>
    desk.ask({ amount: units(amount) }).details.next.maxAmountNow

  test('names the largest amount, which is judged although it is another one', () => {
    const desk = createDesk({ rules: [DUPLICATE, { type: 'amount', max: 5 }] })
    expect(most(desk, 10)).toBe(5)
  })

  test('names what is left for a spend that is itself a duplicate', () => {
    const desk = createDesk({ rules: [DUPLICATE] })
    desk.spend({ amount: units(10) })
    expect(most(desk, 10)).toBe(90)
  })

  test('names less where the largest amount was spent shortly before', () => {
    const desk = createDesk({ rules: [DUPLICATE, { type: 'amount', max: 5 }] })
    desk.spend({ amount: units(5) })
    expect(most(desk, 10)).toBe(4.999999)
    expect(most(desk, 5)).toBe(4.999999)
    for (const less of [1n, 2n, 3n]) desk.spend({ amount: units(5) - less })
    expect(most(desk, 10)).toBeNull()
  })

  test('never names zero, if the last micro of the budget would be a duplicate', () => {
    const desk = createDesk({ rules: [DUPLICATE], budgetTotal: 2n })
    expect(desk.spend({ amount: 1n }).code).toBe('approved')
    expect(most(desk, 10)).toBeNull()
  })

  test('names no amount until the counters of that amount are read', () => {
    const { account } = createDesk({ rules: [DUPLICATE, { type: 'amount', max: 5 }] })
    const { details, unread } = decide(someSpend(), account, NOON)
    expect(unread.length).toBeGreaterThan(0)
    expect(details.next.maxAmountNow).toBeNull()
  })

  test('judges the amount that a person can allow, which is another one too', () => {
    const desk = createDesk({
      rules: [DUPLICATE, { type: 'approval', above: 3 }, { type: 'amount', max: 5 }],
    })
    desk.spend({ amount: units(3) })
    const { next } = desk.ask({ amount: units(10) }).details
    expect(next).toMatchObject({ maxAmountNow: 2.999999, maxAmountWithApproval: 5 })
  })

  test('is not held up by a rule that only flags', () => {
    const desk = createDesk({
      rules: [
        { ...DUPLICATE, effect: 'flag' },
        { type: 'amount', max: 5 },
      ],
    })
    desk.spend({ amount: units(5) })
    expect(most(desk, 10)).toBe(5)
  })

  test('judges by the rules of every mandate of the line', () => {
    const desk = createDesk({ rules: [DUPLICATE] }, { rules: [DUPLICATE], budgetTotal: units(8) })
    expect(most(desk, 10)).toBe(8)
    desk.spend({ amount: units(4) })
    expect(most(desk, 10)).toBe(3.999999)
  })

  test.each([
    [16, 8],
    [17, null],
  ])('of %i rules, each with counters of four amounts, names %s', (count, amount) => {
    const rules = Array.from({ length: count }, (_, index) => ({
      ...DUPLICATE,
      window: `${index + 1}m`,
    }))
    expect(most(createDesk({ rules, budgetTotal: units(8) }), 10)).toBe(amount)
  })
})

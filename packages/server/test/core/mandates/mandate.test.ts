import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budgetAt, changedTerms, statusAt } from '../../../src/core/mandates/mandate.ts'
import { toRules } from '../../../src/core/rules/rule-set.ts'
import { someMandate } from '../some-mandate.ts'

const NOW = Date.parse('2026-10-15T12:00Z')
const DAY = 86_400_000

describe('the status', () => {
  test('of an active mandate becomes expired at validUntil, and not a millisecond before', () => {
    const mandate = someMandate({ status: 'active', validUntil: NOW })
    expect([statusAt(mandate, NOW - 1), statusAt(mandate, NOW)]).toEqual(['active', 'expired'])
  })

  test.each(['draft', 'revoked', 'expired'] as const)(
    '%s stays, whatever the clock says',
    (status) => {
      expect(statusAt(someMandate({ status, validUntil: NOW }), NOW + DAY)).toBe(status)
    },
  )

  test('of an active mandate without an end stays active', () => {
    expect(statusAt(someMandate({ status: 'active' }), NOW + 10_000 * DAY)).toBe('active')
  })
})

describe('the budget', () => {
  test('that never resets keeps its figures', () => {
    const mandate = someMandate({ budgetSpent: 40_000_000n, budgetHeld: 10_000_000n })
    expect(budgetAt(mandate, NOW + 1_000 * DAY)).toEqual({
      spent: 40_000_000n,
      held: 10_000_000n,
      remaining: 60_000_000n,
      percentUsed: 40,
      exhausted: false,
      periodStart: null,
      periodEnd: null,
    })
  })

  const start = Date.parse('2026-09-30T22:00Z')
  const end = Date.parse('2026-10-31T23:00Z')
  const monthly = someMandate({
    budgetPeriod: 'monthly',
    timezone: 'Europe/Berlin',
    budgetSpent: 40_000_000n,
    budgetHeld: 10_000_000n,
    spentPeriodStart: start,
  })

  test('keeps its figures to the last millisecond of their period', () => {
    expect(budgetAt(monthly, end - 1)).toMatchObject({
      spent: 40_000_000n,
      held: 10_000_000n,
      periodStart: start,
      periodEnd: end,
    })
  })

  test('starts at zero in the next period, holds included', () => {
    expect(budgetAt(monthly, end)).toMatchObject({
      spent: 0n,
      held: 0n,
      remaining: 100_000_000n,
      percentUsed: 0,
      periodStart: end,
    })
  })

  test('that is overdrawn has nothing left, and says by how much it is overdrawn', () => {
    expect(budgetAt(someMandate({ budgetSpent: 125_000_000n }), NOW)).toMatchObject({
      remaining: 0n,
      percentUsed: 125,
      exhausted: true,
    })
  })

  test('is never shown as used up while something is left', () => {
    const amounts = fc.bigInt({ min: 1n, max: 999_999_999_999_999n })
    fc.assert(
      fc.property(amounts, amounts, (budgetTotal, budgetSpent) => {
        const { percentUsed, exhausted } = budgetAt(someMandate({ budgetTotal, budgetSpent }), NOW)
        expect(exhausted).toBe(budgetSpent >= budgetTotal)
        expect(percentUsed >= 100).toBe(exhausted)
      }),
    )
  })

  test('with all of it spent is exhausted and has nothing left', () => {
    expect(budgetAt(someMandate({ budgetSpent: 100_000_000n }), NOW)).toMatchObject({
      remaining: 0n,
      exhausted: true,
    })
  })

  test('is never zero', () => {
    const empty = someMandate({ budgetTotal: 0n })
    expect(() => budgetAt(empty, NOW)).toThrow('a mandate has a budget')
  })

  test('used to 99.999 percent shows 99.99', () => {
    expect(budgetAt(someMandate({ budgetSpent: 99_999_000n }), NOW).percentUsed).toBe(99.99)
  })
})

describe('the difference of two versions', () => {
  test('is empty when nothing changed, also when keys and rules come in another order', () => {
    const before = toRules([
      { type: 'limit', maxCount: 1, window: '1h', match: { vendor: 'a.com', category: 'llm' } },
      { type: 'new_vendor' },
    ])
    const after = toRules([
      { id: 'new_vendor', type: 'new_vendor' },
      { match: { category: 'llm', vendor: 'a.com' }, window: '1h', maxCount: 1, type: 'limit' },
    ])
    expect(changedTerms(someMandate({ rules: before }), someMandate({ rules: after }))).toEqual([])
  })

  test('is told in the values of the API', () => {
    const after = someMandate({ name: 'Other', budgetTotal: 250_500_000n, validUntil: NOW })
    expect(changedTerms(someMandate({}), after)).toEqual([
      { field: 'name', before: 'Research', after: 'Other' },
      { field: 'validUntil', before: null, after: '2026-10-15T12:00:00.000Z' },
      { field: 'budgetTotal', before: 100, after: 250.5 },
    ])
  })

  test('shows a date that was removed, and one that was added', () => {
    const [none, dated] = [someMandate({}), someMandate({ validFrom: NOW, validUntil: NOW + DAY })]
    const [from, until] = ['2026-10-15T12:00:00.000Z', '2026-10-16T12:00:00.000Z']
    expect(changedTerms(none, dated)).toEqual([
      { field: 'validFrom', before: null, after: from },
      { field: 'validUntil', before: null, after: until },
    ])
    expect(changedTerms(dated, none)).toEqual([
      { field: 'validFrom', before: from, after: null },
      { field: 'validUntil', before: until, after: null },
    ])
  })

  test('names the setting of a rule that changed, and rules that came and went', () => {
    const before = toRules([
      { type: 'limit', id: 'limit-2', maxAmount: 5, window: '1h' },
      { type: 'new_vendor' },
    ])
    const after = toRules([
      { type: 'limit', id: 'limit-2', maxCount: 3, window: '1h' },
      { type: 'approval', above: 25 },
    ])
    expect(changedTerms(someMandate({ rules: before }), someMandate({ rules: after }))).toEqual([
      { field: 'rules.limit-2.maxAmount', before: 5, after: null },
      { field: 'rules.limit-2.maxCount', before: null, after: 3 },
      { field: 'rules.approval', before: null, after: after[1] },
      { field: 'rules.new_vendor', before: before[1], after: null },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { createDesk, type DeskMandate, units } from '../desk.ts'

const MIDNIGHT = '2026-10-16T00:00:00.000Z'

function nextOf(mandate: DeskMandate, amount: bigint) {
  const { code, details } = createDesk(mandate).ask({ amount })
  return [code, details.next.maxAmountNow, details.next.retryAfter]
}

describe('a budget of 100', () => {
  const daily = { budgetPeriod: 'daily', spent: units(60) } as const

  test('names its rest, and the next period if that covers the spend', () => {
    expect(nextOf(daily, units(40))).toEqual(['approved', null, null])
    expect(nextOf(daily, units(40) + 1n)).toEqual(['budget_exceeded', 40, MIDNIGHT])
    expect(nextOf(daily, units(100))).toEqual(['budget_exceeded', 40, MIDNIGHT])
    expect(nextOf(daily, units(100) + 1n)).toEqual(['budget_exceeded', 40, null])
  })

  test('names no later instant if it never resets', () => {
    expect(nextOf({ spent: units(60) }, units(50))).toEqual(['budget_exceeded', 40, null])
  })

  test('names no amount if nothing is left, or if more was charged', () => {
    for (const spent of [units(100), units(125)]) {
      expect(nextOf({ ...daily, spent }, 1n)).toEqual(['budget_exceeded', null, MIDNIGHT])
    }
  })

  test('says in its finding how much of it would be spent, and over which period', () => {
    const finding = (mandate: DeskMandate) =>
      createDesk(mandate)
        .ask({ amount: units(50) })
        .details.rules.at(-1)
    expect(finding(daily)).toMatchObject({ observed: 110, limit: 100, window: 'daily' })
    expect(finding({})).toMatchObject({ observed: 50, limit: 100, window: null })
  })

  test('tells how much of it is left, which is never less than nothing', () => {
    const messageOf = (spent: bigint) => createDesk({ spent }).ask({ amount: units(50) }).message
    expect(messageOf(units(60))).toBe('The spend of 50 USD exceeds the 40 USD left in the budget.')
    expect(messageOf(units(125))).toBe('The spend of 50 USD exceeds the 0 USD left in the budget.')
  })

  test('of a parent mandate rejects with a code and a message of its own', () => {
    const { code, message, details } = createDesk({}, { spent: units(60) }).ask({
      amount: units(50),
    })
    expect(code).toBe('parent_budget_exceeded')
    expect(message).toBe(
      'The spend of 50 USD exceeds the 40 USD left in the budget of a parent mandate.',
    )
    expect(details.next.maxAmountNow).toBe(40)
  })
})

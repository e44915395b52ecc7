import { describe, expect, test } from 'vitest'
import { countedStateOf, isSameState } from '../../../src/core/analytics/counted-state.ts'
import { someTransaction } from '../some-transaction.ts'

describe('the counted state of a transaction', () => {
  test('has held money only while it is held', () => {
    const amounts = { heldAmount: 3n, settledAmount: 2n, refundedAmount: 1n }
    const stateIn = (status: 'held' | 'voided') =>
      countedStateOf(someTransaction({ ...amounts, status }))
    expect(stateIn('held')).toMatchObject({ held: 3n, settled: 2n, refunded: 1n })
    expect(stateIn('voided')).toMatchObject({ held: 0n, settled: 2n, refunded: 1n })
  })

  test('names the rule that rejected it, or else the first that flagged it', () => {
    const ruleOf = (details: object | null, flaggedBy: readonly string[] = []) =>
      countedStateOf(someTransaction({ details, flaggedBy })).rule
    expect(ruleOf({ firstFailure: 'limit' }, ['odd'])).toBe('limit')
    expect(ruleOf({ firstFailure: null }, ['odd', 'new'])).toBe('odd')
    expect(ruleOf({})).toBeNull()
    expect(ruleOf(null, ['odd'])).toBe('odd')
  })

  test('differs if any of its fields differs', () => {
    const state = { held: 1n, settled: 2n, refunded: 3n, code: 'approved', rule: null }
    expect(isSameState(state, { ...state })).toBe(true)
    for (const change of [
      { held: 9n },
      { settled: 9n },
      { refunded: 9n },
      { code: 'recorded' },
      { rule: 'limit' },
    ]) {
      expect(isSameState(state, { ...state, ...change })).toBe(false)
    }
  })
})

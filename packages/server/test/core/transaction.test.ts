import { describe, expect, test } from 'vitest'
import { countOf, isIncrement } from '../../src/core/spend.ts'
import {
  endsByItself,
  isSpendOfItsOwn,
  spendOf,
  transactionStatusAt,
} from '../../src/core/transaction.ts'
import { NOON } from './desk.ts'
import { someTransaction } from './some-transaction.ts'

describe('a hold', () => {
  test('is expired from the instant of its expiry, even if it is still stored as held', () => {
    const statusAt = (now: number) => transactionStatusAt({ status: 'held', expiresAt: NOON }, now)
    expect([NOON - 1, NOON, NOON + 1].map(statusAt)).toEqual(['held', 'expired', 'expired'])
  })

  test('without an instant of expiry stays held, and only one that never expires waits for proof', () => {
    for (const expiresAt of [null, Number.POSITIVE_INFINITY]) {
      expect(transactionStatusAt({ status: 'held', expiresAt }, NOON)).toBe('held')
    }
    expect(endsByItself({ expiresAt: Number.POSITIVE_INFINITY })).toBe(false)
    expect([NOON, null].map((expiresAt) => endsByItself({ expiresAt }))).toEqual([true, true])
  })

  test('that was captured in time never reads as expired later', () => {
    const settled = { status: 'settled', expiresAt: NOON } as const
    expect(transactionStatusAt(settled, NOON + 1)).toBe('settled')
  })
})

describe('a stored transaction', () => {
  test.each([true, false])('is counted as its spend was (isIncrement: %s)', (increment) => {
    const spend = spendOf(someTransaction({ isIncrement: increment }), 'the organization')
    expect(isIncrement(spend)).toBe(increment)
    expect(countOf(spend)).toBe(increment ? 0 : 1)
  })

  test('is no spend of its own if it is an increment, or only verified a card', () => {
    expect(isSpendOfItsOwn({ isIncrement: false, amount: 1n })).toBe(true)
    expect(isSpendOfItsOwn({ isIncrement: true, amount: 1n })).toBe(false)
    expect(isSpendOfItsOwn({ isIncrement: false, amount: 0n })).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countOf,
  isCheck,
  isIncrement,
  mccOf,
  partOf,
  purchaseOf,
  roomUpTo,
  withAmount,
} from '../../src/core/spend.ts'
import { someCard, someSpend } from './desk.ts'

const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n })

const direct = someSpend({ amount: 30n })
const purchase = someSpend({ amount: 30n, card: someCard() })
const increment = someSpend({ amount: 30n, card: someCard({ total: 100n }) })

describe('an increment', () => {
  test('is a spend whose card names the total of the purchase, and no spend of its own', () => {
    expect([direct, purchase, increment].map(isIncrement)).toEqual([false, false, true])
    expect([direct, purchase, increment].map(countOf)).toEqual([1, 1, 0])
    expect([direct, purchase, increment].map(purchaseOf)).toEqual([30n, 30n, 100n])
  })

  test('never takes its purchase above a maximum, and is never less than nothing', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        amounts,
        (amount, before, most) => {
          const spend = someSpend({ amount, card: someCard({ total: before + amount }) })
          const room = roomUpTo(most, spend)
          expect(room).toBe(before < most ? most - before : 0n)
        },
      ),
    )
    expect([direct, purchase].map((spend) => roomUpTo(20n, spend))).toEqual([20n, 20n])
  })

  test('keeps the approved part of its purchase if its own amount changes', () => {
    const less = withAmount(increment, 10n)
    expect([less.amount, purchaseOf(less)]).toEqual([10n, 80n])
    expect(purchaseOf(less) - less.amount).toBe(purchaseOf(increment) - increment.amount)
    expect(withAmount(purchase, 10n)).toEqual({ ...purchase, amount: 10n })
    expect(withAmount(direct, 10n)).toEqual({ ...direct, amount: 10n })
  })
})

describe('a part of a spend', () => {
  test('is the largest amount in whole units within the maximum, below the amount itself', () => {
    const units = fc.constantFrom(1n, 1_000n, 10_000n, 1_000_000n)
    fc.assert(
      fc.property(amounts, amounts, units, (amount, most, partialUnit) => {
        const spend = someSpend({ amount, card: someCard({ partialUnit }) })
        const largest = (most / partialUnit) * partialUnit
        const isPart = largest > 0n && largest < amount
        expect(partOf(spend, most)?.amount).toBe(isPart ? largest : undefined)
      }),
    )
  })

  test('does not exist if the maximum is the amount, or less than one unit', () => {
    const spend = someSpend({ amount: 300n, card: someCard({ partialUnit: 100n }) })
    const parts = [0n, 99n, 100n, 299n, 300n].map((most) => partOf(spend, most)?.amount)
    expect(parts).toEqual([undefined, undefined, 100n, 200n, undefined])
  })

  test('does not exist for a spend that is all or nothing', () => {
    expect([direct, purchase].map((spend) => partOf(spend, 20n))).toEqual([undefined, undefined])
  })
})

test('only a card without an amount is only verified', () => {
  expect(isCheck({ ...purchase, amount: 0n })).toBe(true)
  expect(isCheck(purchase)).toBe(false)
  expect(isCheck({ ...direct, amount: 0n })).toBe(false)
})

test('a merchant category code is named only if the card network sent one', () => {
  expect(mccOf(purchase)).toBe('mcc:5734')
  expect(mccOf({ ...purchase, card: someCard({ mcc: null }) })).toBeUndefined()
  expect(mccOf(direct)).toBeUndefined()
})

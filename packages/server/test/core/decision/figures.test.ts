import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MandateAccount } from '../../../src/core/decision/account.ts'
import { draw, overdraw, release, settle } from '../../../src/core/decision/figures.ts'
import { createDesk, type DeskMandate, NOON, units } from '../desk.ts'

const TOMORROW = NOON + 86_400_000

describe('giving back', () => {
  test('a hold that is voided takes it out of both figures', () => {
    const held = draw(mandate(), units(30), true, NOON)
    const after = release(held, { amount: units(30), at: NOON, wasHeld: true })
    expect(after).toMatchObject({ spent: 0n, held: 0n })
  })

  test('a refund leaves what is held', () => {
    const both = draw(draw(mandate(), units(30), true, NOON), units(20), false, NOON)
    const after = release(both, { amount: units(5), at: NOON, wasHeld: false })
    expect(after).toMatchObject({ spent: units(45), held: units(30) })
  })

  test('more than there is leaves nothing, and never less than nothing', () => {
    const after = release(mandate(), { amount: units(5), at: NOON, wasHeld: true })
    expect(after).toMatchObject({ spent: 0n, held: 0n, overdrawn: 0n })
  })

  test('a spend of an earlier period changes nothing of the current one', () => {
    const daily = mandate({ budgetPeriod: 'daily' })
    const yesterday = draw(daily, units(30), true, NOON)
    const today = draw(yesterday, units(20), false, TOMORROW)
    expect(release(today, { amount: units(30), at: NOON, wasHeld: true })).toBe(today)
    expect(settle(today, { held: units(30), actual: units(99), at: NOON })).toBe(today)
  })
})

describe('settling a hold', () => {
  test('for less gives the rest back', () => {
    const held = draw(mandate(), units(30), true, NOON)
    const after = settle(held, { held: units(30), actual: units(12), at: NOON })
    expect(after).toMatchObject({ spent: units(12), held: 0n, overdrawn: 0n })
  })

  test('for more takes it from the budget while there is some', () => {
    const held = draw(mandate(), units(30), true, NOON)
    const after = settle(held, { held: units(30), actual: units(40), at: NOON })
    expect(after).toMatchObject({ spent: units(40), held: 0n, overdrawn: 0n })
  })

  test('for more than the budget overdraws it by what is beyond', () => {
    const held = draw(draw(mandate(), units(60), false, NOON), units(40), true, NOON)
    const after = settle(held, { held: units(40), actual: units(55), at: NOON })
    expect(after).toMatchObject({ spent: units(115), held: 0n, overdrawn: units(15) })
  })
})

describe('an overdrawn budget', () => {
  test('is honest again as soon as money comes back', () => {
    const over = overdraw(draw(mandate(), units(100), false, NOON), units(15))
    const after = release(over, { amount: units(10), at: NOON, wasHeld: false })
    expect(after).toMatchObject({ spent: units(105), overdrawn: units(5) })
    const below = release(over, { amount: units(20), at: NOON, wasHeld: false })
    expect(below).toMatchObject({ spent: units(95), overdrawn: 0n })
  })

  test('does not follow into the next period', () => {
    const daily = mandate({ budgetPeriod: 'daily' })
    const over = overdraw(draw(daily, units(100), false, NOON), units(15))
    expect(draw(over, units(1), false, TOMORROW)).toMatchObject({ spent: units(1), overdrawn: 0n })
  })

  test('always keeps the constraint of the table', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), (history) => {
        history.reduce((before, step) => {
          const after = apply(before, step)
          const { spent, held, overdrawn, budgetTotal } = after
          expect(spent - overdrawn <= budgetTotal).toBe(true)
          expect(held >= 0n && held <= spent && overdrawn >= 0n).toBe(true)
          return after
        }, mandate())
      }),
      { numRuns: 200 },
    )
  })
})

interface Step {
  readonly kind: 'draw' | 'hold' | 'release' | 'settle' | 'overdraw'
  readonly amount: bigint
  readonly actual: bigint
}

const steps: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('draw', 'hold', 'release', 'settle', 'overdraw'),
  amount: fc.bigInt({ min: 1n, max: units(60) }),
  actual: fc.bigInt({ min: 0n, max: units(90) }),
})

function apply(account: MandateAccount, { kind, amount, actual }: Step): MandateAccount {
  const fits = account.spent + amount <= account.budgetTotal
  switch (kind) {
    case 'draw':
    case 'hold':
      return fits ? draw(account, amount, kind === 'hold', NOON) : account
    case 'release':
      return release(account, { amount, at: NOON, wasHeld: false })
    case 'settle':
      return settle(account, { held: amount, actual, at: NOON })
    case 'overdraw':
      return overdraw(account, amount)
  }
}

function mandate(change: DeskMandate = {}): MandateAccount {
  const [own] = createDesk(change).account.mandates
  assert(own)
  return own
}

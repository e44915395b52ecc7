import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  figuresAt,
  type MandateAccount,
  smallestRemaining,
} from '../../../src/core/decision/account.ts'
import { draw, drawUnasked, rebook } from '../../../src/core/decision/figures.ts'
import { createDesk, type DeskMandate, NOON, units } from '../desk.ts'

const TOMORROW = NOON + 86_400_000

const LATER = NOON + 1
const giveBack = (account: MandateAccount, held: bigint) =>
  rebook(account, { at: NOON, spent: -held, held: -held }, LATER)
const refund = (account: MandateAccount, amount: bigint) =>
  rebook(account, { at: NOON, spent: -amount, held: 0n }, LATER)
const capture = (account: MandateAccount, amount: bigint) =>
  rebook(account, { at: NOON, spent: 0n, held: -amount }, LATER)
/** More than was asked for, booked at the instant of the approval. */
const overdraw = (account: MandateAccount, amount: bigint) =>
  rebook(account, { at: NOON, spent: amount, held: 0n }, LATER)

describe('the rest of a budget', () => {
  test('is never below zero, even if more was charged than the budget has', () => {
    const { mandates } = createDesk({ spent: units(125) }, {}).account
    expect(mandates.map((each) => figuresAt(each, NOON).remaining)).toEqual([0n, units(100)])
    expect(smallestRemaining(mandates, NOON)).toBe(0n)
  })

  test('is the smallest of the mandate and its parents', () => {
    const desk = createDesk({ spent: units(10) }, { spent: units(60) }, { spent: units(20) })
    expect(smallestRemaining(desk.account.mandates, NOON)).toBe(units(40))
    expect(smallestRemaining([], NOON)).toBe(0n)
  })
})

describe('giving back', () => {
  test('a hold that is voided takes it out of both figures', () => {
    const held = draw(mandate(), units(30), true, NOON)
    const after = giveBack(held, units(30))
    expect(after).toMatchObject({ spent: 0n, held: 0n })
  })

  test('a refund leaves what is held', () => {
    const both = draw(draw(mandate(), units(30), true, NOON), units(20), false, NOON)
    const after = refund(both, units(5))
    expect(after).toMatchObject({ spent: units(45), held: units(30) })
  })

  test('more than there is leaves nothing, and never less than nothing', () => {
    const after = giveBack(mandate(), units(5))
    expect(after).toMatchObject({ spent: 0n, held: 0n, overdrawn: 0n })
  })

  test('a spend of an earlier period changes nothing of the current one', () => {
    const daily = mandate({ budgetPeriod: 'daily' })
    const yesterday = draw(daily, units(30), true, NOON)
    const today = draw(yesterday, units(20), false, TOMORROW)
    expect(giveBack(today, units(30))).toBe(today)
    expect(capture(today, units(30))).toBe(today)
  })
})

test('a budget without periods has none after a change either', () => {
  const after = rebook(mandate(), { at: NOON, spent: units(5), held: 0n }, NOON)
  expect(after).toMatchObject({ spent: units(5), periodStart: null })
})

describe('capturing a hold', () => {
  test('leaves it spent, and held no more', () => {
    const held = draw(mandate(), units(30), true, NOON)
    const after = capture(held, units(12))
    expect(after).toMatchObject({ spent: units(30), held: units(18), overdrawn: 0n })
  })
})

describe('money that nobody was asked about', () => {
  test('is taken from the budget while there is some', () => {
    const after = drawUnasked(draw(mandate(), units(30), true, NOON), units(10), false, NOON)
    expect(after).toMatchObject({ spent: units(40), held: units(30), overdrawn: 0n })
  })

  test('overdraws the budget by what is beyond it', () => {
    const after = drawUnasked(draw(mandate(), units(100), false, NOON), units(15), true, NOON)
    expect(after).toMatchObject({ spent: units(115), held: units(15), overdrawn: units(15) })
  })

  test('belongs to the period in which it comes', () => {
    const daily = mandate({ budgetPeriod: 'daily' })
    const after = drawUnasked(draw(daily, units(30), true, NOON), units(15), false, TOMORROW)
    expect(after).toMatchObject({ spent: units(15), held: 0n, overdrawn: 0n })
  })
})

describe('an overdrawn budget', () => {
  test('is honest again as soon as money comes back', () => {
    const over = overdraw(draw(mandate(), units(100), false, NOON), units(15))
    const after = refund(over, units(10))
    expect(after).toMatchObject({ spent: units(105), overdrawn: units(5) })
    const below = refund(over, units(20))
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
  readonly kind: 'draw' | 'hold' | 'release' | 'capture' | 'unasked' | 'overdraw'
  readonly amount: bigint
}

const steps: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('draw', 'hold', 'release', 'capture', 'unasked', 'overdraw'),
  amount: fc.bigInt({ min: 1n, max: units(60) }),
})

function apply(account: MandateAccount, { kind, amount }: Step): MandateAccount {
  const fits = account.spent + amount <= account.budgetTotal
  switch (kind) {
    case 'draw':
    case 'hold':
      return fits ? draw(account, amount, kind === 'hold', NOON) : account
    case 'release':
      return refund(account, amount)
    case 'capture':
      return capture(account, amount)
    case 'unasked':
      return drawUnasked(account, amount, amount > units(30), NOON)
    case 'overdraw':
      return overdraw(account, amount)
  }
}

function mandate(change: DeskMandate = {}): MandateAccount {
  const [own] = createDesk(change).account.mandates
  assert(own)
  return own
}

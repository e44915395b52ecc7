import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MandateAccount } from '../../../src/core/decision/account.ts'
import { draw, rebook } from '../../../src/core/decision/figures.ts'
import { entriesOf, type Part, partsOf, rebookings } from '../../../src/core/decision/parts.ts'
import { reach, type Target } from '../../../src/core/decision/target.ts'
import type { Transaction } from '../../../src/core/transaction.ts'
import { runsOf } from '../../support/sized.ts'
import { createDesk, type DeskMandate, NOON, units } from '../desk.ts'
import { someTransaction } from '../some-transaction.ts'

const DAY_MS = 86_400_000

/** A hold over 10 that was drawn from a budget of 25, and what becomes of both. */
interface Books {
  readonly transaction: Transaction
  readonly account: MandateAccount
}

const target = (change: Partial<Target> = {}): Target => ({
  held: 0n,
  captured: 0n,
  refunded: 0n,
  end: 'voided',
  flags: [],
  ...change,
})

const anAmount = fc.bigInt({ min: 0n, max: units(30) })
const aTarget: fc.Arbitrary<Target> = fc
  .record({
    held: fc.oneof(fc.constant(0n), anAmount),
    captured: fc.oneof(fc.constant(0n), anAmount),
    refunded: fc.oneof(fc.constant(0n), anAmount),
    end: fc.constantFrom('voided', 'expired'),
    flags: fc.uniqueArray(fc.constantFrom('raised', 'over_capture', 'merchant_drift')),
  })
  .map((drawn) => ({ ...drawn, refunded: smaller(drawn.refunded, drawn.captured) }))
/** A target, and how long it takes to arrive. */
const steps = fc.array(fc.tuple(aTarget, fc.nat({ max: 3 })), { maxLength: 8 })

describe('a transaction that comes to a target', () => {
  test('is settled at the instant at which it settles, and keeps it while it stays settled', () => {
    const captured = target({ captured: units(10) })
    const settled = reach(someTransaction(), captured, NOON, NOON + 5)
    expect(settled).toMatchObject({ status: 'settled', settledAt: NOON + 5 })
    assert(settled)
    const inPart = reach(settled, { ...captured, refunded: units(4) }, NOON + 9)
    expect(inPart).toMatchObject({ status: 'partially_refunded', settledAt: NOON + 5 })
    assert(inPart)
    const whole = reach(inPart, { ...captured, refunded: units(10) }, NOON + 9)
    expect(whole).toMatchObject({ status: 'refunded', settledAt: NOON + 5 })
    expect(reach(settled, target({ held: units(10) }), NOON + 9)).toMatchObject({
      status: 'held',
      settledAt: null,
    })
  })

  test('stays rejected where no money moved', () => {
    const rejected = someTransaction({ status: 'rejected', decision: 'rejected', heldAmount: 0n })
    const late = target({ flags: ['merchant_drift'] })
    expect(reach(rejected, late, NOON)).toMatchObject({ status: 'rejected', settledAt: null })
  })

  test('is settled as the check of a card, unless its caller was told no', () => {
    const check = someTransaction({ amount: 0n, heldAmount: 0n })
    expect(reach(check, target(), NOON)?.status).toBe('settled')
    const late = someTransaction({ amount: 0n, heldAmount: 0n, code: 'deadline_passed' })
    expect(reach(late, target(), NOON)?.status).toBe('voided')
    expect(reach(someTransaction(), target(), NOON)?.status).toBe('voided')
    expect(reach(check, target({ amount: units(3) }), NOON)?.status).toBe('voided')
  })

  test('has its flags in one order, and keeps the word of a person', () => {
    const flagged = someTransaction({ flags: ['over_capture', 'ended_by_hand'] })
    const next = reach(flagged, target({ flags: ['merchant_drift', 'raised'] }), NOON)
    expect(next?.flags).toEqual(['raised', 'merchant_drift', 'ended_by_hand'])
  })
})

describe('the end of a transaction', () => {
  test('does not depend on the way to it', () => {
    const property = fc.property(steps, steps, aTarget, (one, other, last) => {
      const ends = [one, other].map((way) => play([...way, [last, 1]]))
      const [first, second] = ends.map(stateOf)
      expect(first).toEqual(second)
    })
    fc.assert(property, { numRuns: runsOf(250, 1_000) })
  })

  test('is booked to the micro at every step, and never below zero', () => {
    const property = fc.property(steps, (way) => {
      way.reduce<Books>((before, [to], index) => {
        const books = move(before, to, NOON + index)
        const { transaction, account } = books
        const { heldAmount, settledAmount, refundedAmount } = transaction
        const parts = partsOf(transaction)
        for (const { held, settled, refunded } of parts) {
          expect(held >= 0n && settled >= 0n && refunded >= 0n).toBe(true)
        }
        expect([heldAmount, settledAmount, refundedAmount]).toEqual([
          to.held,
          to.captured,
          to.refunded,
        ])
        expect(sumOf(parts, 'held')).toBe(account.held)
        expect(sumOf(parts, 'held') + sumOf(parts, 'settled')).toBe(account.spent)
        const beyond = account.spent - account.budgetTotal
        expect(account.overdrawn).toBe(beyond > 0n ? beyond : 0n)
        return books
      }, open())
    })
    fc.assert(property, { numRuns: runsOf(250, 1_000) })
  })

  test('is counted with all that was held or captured, and as one spend or none', () => {
    const property = fc.property(steps, (way) => {
      const { transaction } = play(way)
      const entries = entriesOf(partsOf(transaction), true)
      const { heldAmount, settledAmount } = transaction
      const counted = entries.reduce((sum, { amount }) => sum + amount, 0n)
      expect(counted).toBe(heldAmount + settledAmount)
      const count = entries.reduce((sum, entry) => sum + entry.count, 0)
      expect(count).toBe(counted > 0n ? 1 : 0)
    })
    fc.assert(property, { numRuns: runsOf(125, 500) })
  })

  test('is reached once: the same target again changes nothing', () => {
    const property = fc.property(steps, aTarget, (way, last) => {
      const { transaction } = play([...way, [last, 1]])
      expect(reach(transaction, last, NOON + DAY_MS)).toBeUndefined()
    })
    fc.assert(property, { numRuns: runsOf(125, 500) })
  })

  test.each([
    ['held', { held: units(4), captured: units(6) }],
    ['held', { held: units(4), captured: units(6), refunded: units(6) }],
    ['settled', { captured: units(6) }],
    ['partially_refunded', { captured: units(6), refunded: units(2) }],
    ['refunded', { captured: units(6), refunded: units(6) }],
    ['voided', {}],
    ['expired', { end: 'expired' }],
  ] as const)('is called %s for %o', (status, change) => {
    const { transaction } = move(open(), target(change), NOON + 1)
    expect(transaction.status).toBe(status)
  })

  test('keeps that a person has ended it, and no other flag that is not said again', () => {
    const flags = ['raised', 'ended_by_hand'] as const
    const transaction = someTransaction({ flags })
    const to = target({ captured: units(10), flags: ['over_capture'] })
    expect(reach(transaction, to, NOON)?.flags).toEqual(['over_capture', 'ended_by_hand'])
  })
})

test('a transaction keeps a bounded number of parts, and stays booked to the micro', () => {
  let books = open({ budgetPeriod: 'daily' })
  let now = NOON
  for (let captures = 1n; captures <= 400n; captures += 1n) {
    now += DAY_MS / 100
    books = move(books, target({ captured: units(10) + captures }), now)
  }
  const parts = partsOf(books.transaction)
  expect(parts.length).toBeLessThanOrEqual(100)
  expect(sumOf(parts, 'settled')).toBe(units(10) + 400n)
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const booked = sumOf(
    parts.filter(({ at }) => at >= today),
    'settled',
  )
  expect(draw(books.account, 0n, false, now).spent).toBe(booked)
  const { account } = move(books, target(), now + 1)
  expect(account).toMatchObject({ spent: 0n, held: 0n, overdrawn: 0n })
})

describe('money over two periods', () => {
  const tomorrow = NOON + DAY_MS
  const daily = { budgetPeriod: 'daily' } as const

  test('stays where it was booked when it is captured', () => {
    const { account } = move(open(daily), target({ captured: units(10) }), tomorrow)
    expect(account).toMatchObject({ spent: units(10), held: 0n })
    expect(draw(account, 1n, false, tomorrow).spent).toBe(1n)
  })

  test('is booked when it arrives, as far as it exceeds the hold', () => {
    const { account } = move(open(daily), target({ captured: units(13) }), tomorrow)
    expect(draw(account, 1n, false, tomorrow).spent).toBe(units(3) + 1n)
  })

  test('is booked when it arrives after its hold was given back', () => {
    const gone = move(open(daily), target(), NOON + 1)
    const late = move(gone, target({ captured: units(7) }), tomorrow)
    expect(late.account).toMatchObject({ spent: units(7), overdrawn: 0n })
    expect(partsOf(late.transaction).at(-1)).toMatchObject({ at: tomorrow, settled: units(7) })
  })

  test('leaves the newest period first', () => {
    const raised = move(open(daily), target({ held: units(14) }), tomorrow)
    const less = move(raised, target({ held: units(9) }), tomorrow + 1)
    expect(less.account).toMatchObject({ spent: 0n, held: 0n })
    expect(less.transaction.heldAmount).toBe(units(9))
  })

  test('is taken again when it is taken again, and not when it was spent first', () => {
    const paid = move(open(daily), target({ captured: units(10) }), NOON + 1)
    const refunded = move(paid, target({ captured: units(10), refunded: units(4) }), NOON + 2)
    const again = move(refunded, target({ captured: units(10) }), tomorrow)
    expect(again.account.spent).toBe(units(4))
    expect(entriesOf(partsOf(again.transaction), true)).toEqual([
      { at: NOON, amount: units(6), count: 1 },
      { at: tomorrow, amount: units(4), count: 0 },
    ])
  })
})

test('what an earlier version stored counts what was refunded in its newest part', () => {
  const laterParts = [[NOON + 5, '0', '3000000']] as const
  const parts = partsOf(
    someTransaction({
      heldAmount: 0n,
      settledAmount: units(13),
      refundedAmount: units(2),
      laterParts,
    }),
  )
  expect(parts).toEqual([
    { at: NOON, held: 0n, settled: units(8), refunded: 0n },
    { at: NOON + 5, held: 0n, settled: units(3), refunded: units(2) },
  ])
})

function open(change: DeskMandate = {}): Books {
  const [own] = createDesk({ budgetTotal: units(25), ...change }).account.mandates
  assert(own)
  return { transaction: someTransaction(), account: draw(own, units(10), true, NOON) }
}

function play(way: readonly (readonly [Target, number])[]): Books {
  let now = NOON
  return way.reduce((books, [to, ms]) => {
    now += ms
    return move(books, to, now)
  }, open())
}

/** As the gateway does it, for one mandate. */
function move({ transaction, account }: Books, to: Target, now: number): Books {
  const after = reach(transaction, to, now)
  if (!after) return { transaction, account }
  const all = rebookings(partsOf(transaction), partsOf(after))
  return {
    transaction: after,
    account: all.reduce((booked, each) => rebook(booked, each, now), account),
  }
}

/** All that may not depend on the way: not when money was booked, or the transaction settled. */
function stateOf({ transaction, account }: Books): object {
  const { laterParts: _, settledAt: __, ...told } = transaction
  const { spent, held, overdrawn } = account
  return { ...told, spent, held, overdrawn }
}

function sumOf(parts: readonly Part[], kind: 'held' | 'settled'): bigint {
  return parts.reduce((sum, part) => sum + part[kind], 0n)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

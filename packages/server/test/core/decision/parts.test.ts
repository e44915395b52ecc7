import { describe, expect, test } from 'vitest'
import {
  type Amounts,
  type Entry,
  entriesOf,
  type Part,
  partsFor,
  partsOf,
  rebookings,
  recounts,
  storedParts,
} from '../../../src/core/decision/parts.ts'
import { NOON, units } from '../desk.ts'
import { someTransaction } from '../some-transaction.ts'

const PARTS_MAX = 100

const part = (at: number, change: Partial<Part> = {}): Part => ({
  at,
  held: 0n,
  settled: 0n,
  refunded: 0n,
  ...change,
})
const amounts = (change: Partial<Amounts>): Amounts => ({
  held: 0n,
  captured: 0n,
  refunded: 0n,
  ...change,
})
const entry = (at: number, amount: bigint, count = 0): Entry => ({ at, amount, count })

describe('the parts of a transaction', () => {
  test('are the approval and its later parts, each with its own money', () => {
    const transaction = someTransaction({
      heldAmount: units(7),
      settledAmount: units(20),
      refundedAmount: units(5),
      laterParts: [
        [NOON + 1, '2000000', '3000000', '1000000'],
        [NOON + 2, '4000000', '0', '2000000'],
      ],
    })
    expect(partsOf(transaction)).toEqual([
      part(NOON, { held: units(1), settled: units(12), refunded: units(2) }),
      part(NOON + 1, { held: units(2), settled: units(3), refunded: units(1) }),
      part(NOON + 2, { held: units(4), refunded: units(2) }),
    ])
  })

  test('are only the approval if nothing was booked later, with its refunds', () => {
    const amounts = { heldAmount: 0n, settledAmount: units(10), refundedAmount: units(3) }
    expect(partsOf(someTransaction(amounts))).toEqual([
      part(NOON, { settled: units(7), refunded: units(3) }),
    ])
  })

  test('count the refunds that an earlier version stored once, in the newest part', () => {
    const transaction = someTransaction({
      heldAmount: 0n,
      settledAmount: units(13),
      refundedAmount: units(3),
      laterParts: [
        [NOON + 1, '0', '2000000'],
        [NOON + 2, '0', '1000000', '1000000'],
      ],
    })
    expect(partsOf(transaction)).toEqual([
      part(NOON, { settled: units(7) }),
      part(NOON + 1, { settled: units(2) }),
      part(NOON + 2, { settled: units(1), refunded: units(3) }),
    ])
  })

  test('are stored without those that have no money left', () => {
    const parts = [part(NOON, { held: 5n }), part(NOON + 1), part(NOON + 2, { refunded: 1n })]
    expect(storedParts(parts)).toEqual({
      heldAmount: 5n,
      settledAmount: 1n,
      refundedAmount: 1n,
      laterParts: [[NOON + 2, '0', '0', '1']],
    })
    expect(storedParts([part(NOON), part(NOON + 1)]).laterParts).toBeNull()
  })
})

describe('a change of the amounts', () => {
  const held = [part(NOON, { held: 10n })]

  test('joins two increases of the same instant in one part', () => {
    const raised = partsFor(held, amounts({ held: 13n }), NOON + 1)
    expect(partsFor(raised, amounts({ held: 17n }), NOON + 1)).toEqual([
      part(NOON, { held: 10n }),
      part(NOON + 1, { held: 7n }),
    ])
  })

  test('adds no part if the sum stays', () => {
    const captured = partsFor(held, amounts({ held: 6n, captured: 4n }), NOON + 1)
    expect(captured).toEqual([part(NOON, { held: 6n, settled: 4n })])
  })

  test('captures the oldest money first, and holds the rest', () => {
    const raised = [...held, part(NOON + 1, { held: 4n })]
    expect(partsFor(raised, amounts({ held: 2n, captured: 12n }), NOON + 2)).toEqual([
      part(NOON, { settled: 10n }),
      part(NOON + 1, { held: 2n, settled: 2n }),
    ])
  })

  test('keeps a hold beside a refund', () => {
    expect(partsFor(held, amounts({ held: 5n, captured: 5n, refunded: 1n }), NOON + 1)).toEqual([
      part(NOON, { held: 5n, settled: 4n, refunded: 1n }),
    ])
  })

  test('books a refund of money that was never held at the instant at which both arrive', () => {
    const both = partsFor([part(NOON)], amounts({ captured: 3n, refunded: 3n }), NOON + 1)
    expect(both).toEqual([part(NOON), part(NOON + 1, { refunded: 3n })])
    const again = partsFor(both, amounts({ captured: 5n, refunded: 5n }), NOON + 1)
    expect(again).toEqual([part(NOON), part(NOON + 1, { refunded: 5n })])
  })

  test('takes a refund out of the newest money, and takes it back from there', () => {
    const twice = [part(NOON, { settled: 10n }), part(NOON + 1, { settled: 4n })]
    const refunded = partsFor(twice, amounts({ captured: 14n, refunded: 6n }), NOON + 2)
    expect(refunded).toEqual([
      part(NOON, { settled: 8n, refunded: 2n }),
      part(NOON + 1, { refunded: 4n }),
    ])
    expect(partsFor(refunded, amounts({ captured: 14n, refunded: 1n }), NOON + 3)).toEqual([
      part(NOON, { settled: 8n, refunded: 1n }),
      part(NOON + 1),
      part(NOON + 3, { settled: 5n }),
    ])
  })

  test('merges the two oldest later parts if there are too many, with their refunds', () => {
    const all = Array.from({ length: PARTS_MAX }, (_, index) =>
      part(NOON + index, { settled: 2n, refunded: 1n }),
    )
    const captured = BigInt(3 * PARTS_MAX)
    const same = { captured, refunded: BigInt(PARTS_MAX) }
    expect(partsFor(all, amounts(same), NOON + 200)).toEqual(all)
    const more = partsFor(all, amounts({ ...same, captured: captured + 7n }), NOON + 200)
    expect(more).toEqual([
      part(NOON, { settled: 2n, refunded: 1n }),
      part(NOON + 2, { settled: 4n, refunded: 2n }),
      ...all.slice(3),
      part(NOON + 200, { settled: 7n }),
    ])
  })
})

describe('the differences between two states', () => {
  test('are booked at each instant of which held or spent money changed', () => {
    const before = [part(NOON, { held: 10n }), part(NOON + 1, { held: 4n }), part(NOON + 2)]
    const after = [
      part(NOON, { held: 3n, settled: 7n }),
      part(NOON + 1, { held: 4n }),
      part(NOON + 3, { settled: 2n }),
    ]
    expect(rebookings(before, after)).toEqual([
      { at: NOON, spent: 0n, held: -7n },
      { at: NOON + 3, spent: 2n, held: 0n },
    ])
    expect(rebookings(after, [])).toEqual([
      { at: NOON, spent: -10n, held: -3n },
      { at: NOON + 1, spent: -4n, held: -4n },
      { at: NOON + 3, spent: -2n, held: 0n },
    ])
  })

  test('are counted at each instant of which the amount or the count changed', () => {
    const before = [entry(NOON, 10n, 1), entry(NOON + 1, 4n), entry(NOON + 2, 3n)]
    const after = [entry(NOON, 10n), entry(NOON + 1, 4n), entry(NOON + 2, 5n, 1)]
    expect(recounts(before, after)).toEqual([entry(NOON, 0n, -1), entry(NOON + 2, 2n, 1)])
    expect(recounts(before, before)).toEqual([])
    expect(recounts([], [entry(NOON, 2n, 1), entry(NOON, 3n)])).toEqual([entry(NOON, 5n, 1)])
    expect(recounts([entry(NOON, 2n, 1)], [])).toEqual([entry(NOON, -2n, -1)])
  })

  test('count a spend once, with the first money that moved, and an increment never', () => {
    const parts = [part(NOON), part(NOON + 1, { refunded: 2n }), part(NOON + 2, { held: 3n })]
    expect(entriesOf(parts, true)).toEqual([entry(NOON + 1, 2n, 1), entry(NOON + 2, 3n)])
    expect(entriesOf(parts, false)).toEqual([entry(NOON + 1, 2n), entry(NOON + 2, 3n)])
    const all = [part(NOON, { held: 1n, settled: 2n, refunded: 4n })]
    expect(entriesOf(all, true)).toEqual([entry(NOON, 7n, 1)])
  })
})

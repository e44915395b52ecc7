import { describe, expect, test } from 'vitest'
import { partsAtFirst, stepsOf, toStoredStep } from '../../../src/core/replay/steps.ts'
import { NOON, units } from '../desk.ts'
import { someTransaction } from '../some-transaction.ts'

const LATER = NOON + 60_000
const FIRST = { createdAt: NOON, amount: units(10) }
/** A hold of 10, as it was decided. */
const HELD = {
  ...someTransaction({}),
  ...FIRST,
  heldAmount: units(10),
  settledAmount: 0n,
  refundedAmount: 0n,
  laterParts: null,
  isHold: true,
  steps: null,
}
const CAPTURED = { ...HELD, heldAmount: 0n, settledAmount: units(9), refundedAmount: units(2) }

describe('the steps of a transaction', () => {
  test('begin with a hold or with a settled amount', () => {
    const [at, refunded] = [NOON, 0n]
    expect(partsAtFirst({ ...FIRST, isHold: true })).toEqual([
      { at, held: units(10), settled: 0n, refunded },
    ])
    expect(partsAtFirst({ ...FIRST, isHold: false })).toEqual([
      { at, held: 0n, settled: units(10), refunded },
    ])
  })

  test('are none if the transaction is as it was decided', () => {
    expect(stepsOf(HELD)).toEqual([])
  })

  test('are read as they were stored', () => {
    const steps = [toStoredStep(CAPTURED, LATER)]
    const parts = [{ at: NOON, held: 0n, settled: units(7), refunded: units(2) }]
    expect(stepsOf({ ...CAPTURED, steps })).toEqual([{ at: LATER, parts }])
  })

  test.each([
    ['held amount', { heldAmount: 1n }],
    ['settled amount', { settledAmount: units(8) }],
    ['refunded amount', { refundedAmount: units(3) }],
    ['instant', { createdAt: NOON + 1 }],
  ])('are missing if the last of them has a different %s', (_, change) => {
    const steps = [toStoredStep({ ...CAPTURED, ...change }, LATER)]
    expect(stepsOf({ ...CAPTURED, steps })).toBeUndefined()
    expect(stepsOf({ ...HELD, ...change })).toEqual('createdAt' in change ? [] : undefined)
  })

  test('are missing if the last of them has fewer parts or more', () => {
    const more = { ...CAPTURED, laterParts: [[LATER, '0', '0', '0'] as const] }
    const [few, many] = [[toStoredStep(CAPTURED, LATER)], [toStoredStep(more, LATER)]]
    expect(stepsOf({ ...more, steps: few })).toBeUndefined()
    expect(stepsOf({ ...CAPTURED, steps: many })).toBeUndefined()
    expect(stepsOf({ ...more, steps: many })).toHaveLength(1)
  })
})

import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../src/core/events/outcome.ts'
import type { Transaction } from '../../../src/core/transaction.ts'
import { someTransaction } from '../some-transaction.ts'

const HOLD = someTransaction({ flaggedBy: ['large'] })

const SETTLED = { ...HOLD, status: 'settled', settledAmount: 9_750_000n } as const

const kindOf = (before: Transaction, after: Partial<Transaction>) =>
  outcomeOf(before, { ...before, ...after })?.kind

describe('what is told of a transaction that changes', () => {
  test.each([
    ['settled', HOLD, SETTLED],
    ['settled', HOLD, { status: 'settled' }],
    ['voided', HOLD, { status: 'voided' }],
    ['expired', HOLD, { status: 'expired' }],
    ['settled', { ...HOLD, status: 'expired' }, SETTLED],
    ['voided', SETTLED, { status: 'voided', settledAmount: 0n }],
    ['refunded', SETTLED, { status: 'partially_refunded', refundedAmount: 1n }],
    [
      'refunded',
      { ...SETTLED, status: 'partially_refunded', refundedAmount: 1n },
      { refundedAmount: 2n },
    ],
    ['settled', SETTLED, { settledAmount: 10_000_000n }],
    [
      'settled',
      { ...SETTLED, status: 'partially_refunded', refundedAmount: 1n },
      { settledAmount: 10_000_000n },
    ],
  ] as const)('is that it is %s', (kind, before, after) => {
    expect(kindOf(before, after)).toBe(`transaction.${kind}`)
  })

  test.each([
    ['a hold is raised', { heldAmount: 12_000_000n, flags: ['raised'] }],
    ['a part of a hold is captured', { heldAmount: 5_000_000n, settledAmount: 5_000_000n }],
    ['nothing changes', {}],
  ] as const)('is nothing where %s', (_, after) => {
    expect(outcomeOf(HOLD, { ...HOLD, ...after })).toBeUndefined()
  })

  test.each(['voided', 'expired', 'settled', 'partially_refunded'] as const)(
    'is nothing where only a flag of a %s one changes',
    (status) => {
      const before = { ...SETTLED, status }
      expect(outcomeOf(before, { ...before, flags: ['late_capture'] })).toBeUndefined()
    },
  )

  test('is how it is then, with everything that is unusual about it', () => {
    const after = { ...SETTLED, flags: ['late_capture'] } as const
    expect(outcomeOf(HOLD, after)?.told).toEqual({
      status: 'settled',
      settledAmount: 9.75,
      refundedAmount: 0,
      flags: ['late_capture', 'large'],
    })
  })
})

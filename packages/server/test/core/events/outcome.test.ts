import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../src/core/events/outcome.ts'
import type { Transaction } from '../../../src/core/transaction.ts'
import { NOON } from '../desk.ts'

const HOLD: Transaction = {
  id: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
  agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b22',
  mandateId: null,
  mandateVersion: null,
  path: 'evaluate',
  decision: 'approved',
  status: 'held',
  code: 'approved',
  amount: 10_000_000n,
  currency: 'USD',
  vendor: 'api.openai.com',
  category: 'llm',
  reference: null,
  reason: null,
  metadata: null,
  remainingBudget: 0n,
  details: null,
  detailsRemovedAt: null,
  heldAmount: 10_000_000n,
  settledAmount: 0n,
  refundedAmount: 0n,
  expiresAt: NOON,
  settledAt: null,
  external: null,
  flags: [],
  flaggedBy: ['large'],
  laterParts: null,
  countedIn: null,
  createdAt: NOON,
}

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
    expect(kindOf(HOLD, after)).toBeUndefined()
  })

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

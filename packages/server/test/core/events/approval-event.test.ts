import { describe, expect, test } from 'vitest'
import { decidedData } from '../../../src/core/events/approval-event.ts'
import { NOON } from '../desk.ts'

const ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const DIGITS = '019a85617c5e7d409b5e6f1f0a3c2b11'

const APPROVAL = {
  id: ID,
  agentId: ID,
  mandateId: ID,
  transactionId: ID,
  vendor: 'api.openai.com',
  category: 'llm',
  amount: 12_500_000n,
  currency: 'USD',
  path: 'evaluate',
  expiresAt: NOON,
} as const

describe('the event of a decided approval', () => {
  test('names the person, and the amount up to which the approval is valid', () => {
    const said = {
      decision: 'approve',
      actorKind: 'member',
      actorId: ID,
      actorName: 'Ann',
      actorEmail: 'ann@example.com',
      comment: 'Yes.',
      maxAmount: 20_000_000n,
    } as const
    const approved = { ...APPROVAL, status: 'approved' } as const
    expect(decidedData(approved, said)).toMatchObject({
      status: 'approved',
      decision: 'approve',
      decidedBy: 'Ann',
      decidedById: `mem_${DIGITS}`,
      decidedByEmail: 'ann@example.com',
      comment: 'Yes.',
      maxAmount: 20,
    })
    expect(decidedData(approved, { ...said, maxAmount: null })).toMatchObject({ maxAmount: null })
  })

  test('names nobody if the request expired', () => {
    expect(decidedData({ ...APPROVAL, status: 'expired' }, undefined)).toMatchObject({
      status: 'expired',
      decision: 'expired',
      decidedBy: null,
      decidedById: null,
      decidedByEmail: null,
      comment: null,
      maxAmount: null,
    })
  })
})

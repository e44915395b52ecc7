import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decidedData, requestedData } from '../../../src/core/events/approval-event.ts'
import {
  EVENT_KINDS,
  type EventTransaction,
  envelopeOf,
  STANDARD_KINDS,
  type StoredEvent,
} from '../../../src/core/events/event.ts'
import { SAMPLES } from '../../../src/core/events/sample-event.ts'
import { usageEvents } from '../../../src/core/events/usage-events.ts'
import { MICROS_MAX } from '../../../src/core/money.ts'
import { NOON, units } from '../desk.ts'

const ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const AGENT = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b22'
const DIGITS = '019a85617c5e7d409b5e6f1f0a3c2b11'

const aRule = (id: string, outcome: string) => ({
  id,
  type: 'amount',
  outcome,
  code: outcome === 'pass' ? null : `${id}_code`,
  message: `${id} says so.`,
  observed: 12.5,
  limit: 10,
})

const AN_APPROVAL = {
  id: ID,
  agentId: AGENT,
  mandateId: ID,
  transactionId: ID,
  vendor: 'api.openai.com',
  category: 'llm',
  amount: 12_500_000n,
  currency: 'USD',
  path: 'evaluate',
  expiresAt: 0,
} as const

const aTransaction = (change: Partial<EventTransaction> = {}): EventTransaction => ({
  id: ID,
  agentId: AGENT,
  mandateId: ID,
  amount: 12_500_000n,
  vendor: 'api.openai.com',
  category: 'llm',
  remainingBudget: 87_500_000n,
  decision: 'approved',
  code: 'approved',
  path: 'evaluate',
  approvalId: null,
  status: 'settled',
  currency: 'USD',
  reference: 'order-7',
  expiresAt: null,
  flags: ['large'],
  details: null,
  ...change,
})

const anEvent = (change: Partial<StoredEvent>): StoredEvent => ({
  id: ID,
  number: 7n,
  kind: 'transaction.approved',
  occurredAt: NOON,
  transactionId: null,
  outcome: null,
  sample: null,
  mandateId: null,
  agentId: AGENT,
  budgetTotal: null,
  budgetSpent: null,
  transaction: aTransaction(),
  ...change,
})

const aBudgetEvent = (kind: StoredEvent['kind'], total: bigint, spent: bigint): StoredEvent =>
  anEvent({ kind, mandateId: ID, budgetTotal: total, budgetSpent: spent, transaction: null })

const APPROVED = {
  transactionId: `txn_${DIGITS}`,
  agentId: AGENT,
  mandateId: `mnd_${DIGITS}`,
  amount: 12.5,
  vendor: 'api.openai.com',
  category: 'llm',
  remainingBudget: 87.5,
  decision: 'approved',
  status: 'settled',
  currency: 'USD',
  path: 'evaluate',
  reference: 'order-7',
  expiresAt: null,
  flags: ['large'],
}

describe('the envelope', () => {
  test('has the three fields of the specification, in its order and nothing else', () => {
    const text = JSON.stringify(envelopeOf(anEvent({})))
    expect(text).toBe(
      JSON.stringify({
        event: 'transaction.approved',
        timestamp: '2026-10-15T12:00:00.000Z',
        data: APPROVED,
      }),
    )
  })

  test('says until when something is held, unless it does not end by itself', () => {
    const dataOf = (change: Partial<EventTransaction>) =>
      envelopeOf(anEvent({ transaction: aTransaction(change) })).data
    const held = { status: 'held', expiresAt: NOON } as const
    expect(dataOf(held)).toMatchObject({ status: 'held', expiresAt: '2026-10-15T12:00:00.000Z' })
    const endless = { ...held, expiresAt: Number.POSITIVE_INFINITY }
    expect(dataOf(endless)).toMatchObject({ status: 'held', expiresAt: null })
  })

  test('is the same bytes whenever it is made from the same event', () => {
    const event = anEvent({})
    expect(JSON.stringify(envelopeOf({ ...event }))).toBe(JSON.stringify(envelopeOf(event)))
  })
})

describe('transaction.rejected', () => {
  const rejected = (change: Partial<EventTransaction> = {}) => {
    const transaction = aTransaction({
      decision: 'rejected',
      status: 'rejected',
      code: 'amount_above_max',
      details: { message: 'It is too much.', rules: [aRule('amount', 'fail')] },
      ...change,
    })
    return envelopeOf(anEvent({ kind: 'transaction.rejected', transaction })).data
  }

  test('has the fields of an approval, and why it was rejected', () => {
    expect(JSON.stringify(rejected())).toBe(
      JSON.stringify({
        ...APPROVED,
        decision: 'rejected',
        status: 'rejected',
        code: 'amount_above_max',
        reason: 'It is too much.',
        reasons: [{ ruleId: 'amount', code: 'amount_code', message: 'amount says so.' }],
        approvalId: null,
      }),
    )
  })

  test('gives the reasons of the rules that stood in the way, in their order, and of no others', () => {
    const outcomes = { a: 'pass', b: 'fail', c: 'flag', d: 'escalate', e: 'pass', f: 'fail' }
    const rules = Object.entries(outcomes).map(([id, outcome]) => aRule(id, outcome))
    expect(rejected({ details: { message: 'No.', rules } })).toMatchObject({
      reasons: ['b', 'd', 'f'].map((ruleId) => ({ ruleId, code: `${ruleId}_code` })),
    })
  })

  test('names the approval that was requested or presented', () => {
    expect(rejected({ approvalId: ID })).toMatchObject({ approvalId: `apr_${DIGITS}` })
  })

  test('has no reasons and no mandate where there was no mandate to judge by', () => {
    const details = { message: 'The agent has no active mandate.', rules: [] }
    expect(rejected({ mandateId: null, code: 'no_active_mandate', details })).toMatchObject({
      mandateId: null,
      code: 'no_active_mandate',
      reason: 'The agent has no active mandate.',
      reasons: [],
    })
  })
})

describe('a budget event', () => {
  test.each(['mandate.budget.warning', 'mandate.budget.exhausted'] as const)(
    '%s has the five fields of the specification, in its order and nothing else',
    (kind) => {
      const { data, event } = envelopeOf(aBudgetEvent(kind, units(200), units(170)))
      expect(event).toBe(kind)
      expect(JSON.stringify(data)).toBe(
        JSON.stringify({
          mandateId: `mnd_${DIGITS}`,
          agentId: AGENT,
          budgetTotal: 200,
          budgetSpent: 170,
          percentUsed: 85,
        }),
      )
    },
  )

  test('says 100 and not more where more was charged than there was', () => {
    const { data } = envelopeOf(aBudgetEvent('mandate.budget.exhausted', units(10), units(13)))
    expect(data).toMatchObject({ budgetTotal: 10, budgetSpent: 13, percentUsed: 100 })
  })

  test('says a percentage from 0 to 100, and 100 only when nothing is left', () => {
    const amount = fc.bigInt({ min: 0n, max: MICROS_MAX })
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MICROS_MAX }), amount, (total, spent) => {
        const { data } = envelopeOf(aBudgetEvent('mandate.budget.warning', total, spent))
        const { percentUsed } = data as { percentUsed: number }
        expect(percentUsed).toBeGreaterThanOrEqual(0)
        expect(percentUsed).toBeLessThanOrEqual(100)
        expect(percentUsed === 100).toBe(spent >= total)
      }),
    )
  })
})

describe('a test event', () => {
  // What is flagged of cards and what happens to accounts are compared by tests of their own.
  test.each(EVENT_KINDS.filter((kind) => !/^(card|sign_in)\./.test(kind)))(
    '%s has exactly the fields of a real one',
    (kind) => {
      const details = { message: 'No.', rules: [aRule('amount', 'fail')] }
      const transaction = aTransaction({ details })
      const isBudget = kind.startsWith('mandate.')
      const outcome = outcomeOf(kind)
      const real = isBudget
        ? aBudgetEvent(kind, units(100), units(90))
        : anEvent({ kind, transaction, outcome })
      const sample = envelopeOf(anEvent({ kind, sample: SAMPLES[kind], transaction: null }))
      expect(typesOf(sample)).toEqual(typesOf(envelopeOf(real)))
    },
  )
})

/** What is told of a transaction that has changed, or of a plan. */
function outcomeOf(kind: StoredEvent['kind']): object | null {
  if (kind === 'approval.requested') return requestedData(AN_APPROVAL)
  if (kind === 'approval.decided') {
    const by = { actorKind: 'member', actorId: ID, actorName: 'Ann' } as const
    const answer = { decision: 'approve', comment: 'Yes.', maxAmount: 1n } as const
    const said = { ...by, actorEmail: 'ann@example.com', ...answer }
    return decidedData({ ...AN_APPROVAL, status: 'approved' }, said)
  }
  const isOutcome = !STANDARD_KINDS.some((standard) => standard === kind)
  if (!isOutcome) return null
  if (kind.startsWith('usage.')) {
    return usageEvents({ plan: 'free', used: 0 }, { plan: 'free', used: 1_000 }, 0)[0]?.told ?? null
  }
  return { status: kind, settledAmount: 1, refundedAmount: 0, flags: [] }
}

/** The names of the fields in their order, with the type of each. */
function typesOf({ data }: { readonly data: object }): string[] {
  return Object.entries(data).map(([name, value]) => `${name} ${typeof value}`)
}

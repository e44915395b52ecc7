import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../src/core/transaction.ts'
import { planCapture, planRefund } from '../../../src/gateway/holds/captures.ts'
import { NOON, units } from '../../core/desk.ts'
import { someTransaction } from '../../core/some-transaction.ts'
import { problemOf } from './problem-of.ts'

const EXPIRES = NOON + 60_000

const aHold = (change: Partial<Transaction> = {}) =>
  someTransaction({ expiresAt: EXPIRES, ...change })
const settled = (amount: number, change: Partial<Transaction> = {}) =>
  aHold({ status: 'settled', heldAmount: 0n, settledAmount: units(amount), ...change })
const capture = (transaction: Transaction, amount: bigint, isFinal = false) =>
  planCapture({ amount, isFinal })(transaction, NOON + 5)

describe('a capture', () => {
  test('leaves the rest of the hold open', () => {
    expect(capture(aHold(), units(4))).toMatchObject({
      ...{ status: 'held', heldAmount: units(6), settledAmount: units(4), flags: [] },
    })
  })

  test('releases the rest, if it is the last one', () => {
    expect(capture(aHold(), units(4), true)).toMatchObject({
      ...{ status: 'settled', heldAmount: 0n, settledAmount: units(4), flags: [] },
    })
  })

  test('of the whole hold has no flag', () => {
    const whole = capture(aHold(), units(10))
    expect(whole).toMatchObject({ status: 'settled', settledAmount: units(10), flags: [] })
  })

  test('beyond the hold is booked when it arrives, and flagged', () => {
    const beyond = capture(aHold(), units(10) + 1n)
    expect(beyond).toMatchObject({
      ...{ status: 'settled', heldAmount: 0n, settledAmount: units(10) + 1n },
      flags: ['over_capture'],
    })
    expect(beyond?.laterParts?.[0]?.[0]).toBe(NOON + 5)
  })

  test('after the hold has ended is flagged as late', () => {
    for (const status of ['voided', 'expired'] as const) {
      const late = capture(aHold({ status, heldAmount: 0n }), units(2))
      expect(late).toMatchObject({ status: 'settled', flags: ['late_capture'] })
    }
  })

  test('after a settlement goes beyond it', () => {
    const more = capture(settled(10), units(2))
    expect(more).toMatchObject({ settledAmount: units(12), flags: ['over_capture'] })
  })

  test('after a part was captured is not late, whatever the status says', () => {
    const expired = aHold({ status: 'expired', heldAmount: 0n, settledAmount: units(4) })
    expect(capture(expired, units(2))?.flags).toEqual(['over_capture'])
  })

  test('is above zero, and of an approved spend', () => {
    expect(() => planCapture({ amount: 0n, isFinal: false })).toThrow(AssertionError)
    const rejected = aHold({ status: 'rejected', decision: 'rejected', heldAmount: 0n })
    const [code, extra] = problemOf(() => capture(rejected, 1n))
    expect([code, extra]).toMatchObject(['transaction_state', { transactionStatus: 'rejected' }])
  })
})

describe('a refund', () => {
  const refund = (transaction: Transaction, amount?: bigint) =>
    planRefund(amount)(transaction, NOON + 9)

  test('is of everything that was settled, if it names no amount', () => {
    expect(refund(settled(8))).toMatchObject({ status: 'refunded', refundedAmount: units(8) })
  })

  test('adds to earlier refunds, up to what was settled', () => {
    const before = settled(8, { status: 'partially_refunded', refundedAmount: units(3) })
    const part = refund(before, units(2))
    expect(part).toMatchObject({ status: 'partially_refunded', refundedAmount: units(5) })
    expect(refund(before)).toMatchObject({ status: 'refunded', refundedAmount: units(8) })
    expect(refund(before, units(5))).toMatchObject({ status: 'refunded' })
    const tooMuch = problemOf(() => refund(before, units(5) + 1n))
    expect(tooMuch).toEqual(['amount_above_settled', { refundable: 5 }])
  })

  test('needs settled money', () => {
    expect(problemOf(() => refund(aHold()))).toEqual([
      'transaction_state',
      { transactionStatus: 'held', allowed: ['settled', 'partially_refunded'] },
    ])
  })

  test('of a card payment is told by the issuer', () => {
    expect(problemOf(() => refund(settled(8, { path: 'card' })))).toEqual([
      'transaction_state',
      { transactionStatus: 'settled', allowed: [] },
    ])
  })
})

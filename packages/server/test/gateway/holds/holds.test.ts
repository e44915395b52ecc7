import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../src/core/transaction.ts'
import {
  flagged,
  planRaise,
  planSettlement,
  planVoid,
  type Settlement,
} from '../../../src/gateway/holds/holds.ts'
import { NOON, units } from '../../core/desk.ts'
import { someTransaction } from '../../core/some-transaction.ts'
import { problemOf } from './problem-of.ts'

const EXPIRES = NOON + 60_000

const aHold = (change: Partial<Transaction> = {}) =>
  someTransaction({ expiresAt: EXPIRES, ...change })
/** An expired hold, whose budget the sweeper has released. */
const anExpired = (change: Partial<Transaction> = {}) =>
  aHold({ status: 'expired', heldAmount: 0n, ...change })
/** A hold of a path that reports the end. */
const anUnproven = () => aHold({ path: 'x402', expiresAt: Number.POSITIVE_INFINITY })

const settle = (transaction: Transaction, change: Partial<Settlement> = {}, now = NOON + 5) =>
  planSettlement({ amount: undefined, afterExpiry: false, by: 'caller', ...change })(
    transaction,
    now,
  )

describe('a settlement of a hold', () => {
  test('takes the whole hold, if it names no amount', () => {
    expect(settle(aHold())).toMatchObject({
      ...{ status: 'settled', heldAmount: 0n, settledAmount: units(10) },
      ...{ settledAt: NOON + 5, flags: [] },
    })
  })

  test('takes a part, and releases the rest', () => {
    const settled = settle(aHold(), { amount: units(4) })
    expect(settled).toMatchObject({ status: 'settled', heldAmount: 0n, settledAmount: units(4) })
  })

  test('adds to earlier captures', () => {
    const hold = aHold({ heldAmount: units(6), settledAmount: units(4) })
    expect(settle(hold)).toMatchObject({ settledAmount: units(10) })
    expect(settle(hold, { amount: units(1) })).toMatchObject({ settledAmount: units(5) })
  })

  test('refuses more than is held, and says how much that is', () => {
    expect(settle(aHold(), { amount: units(10) })).toMatchObject({ status: 'settled' })
    const problem = problemOf(() => settle(aHold(), { amount: units(10) + 1n }))
    expect(problem).toEqual(['amount_above_hold', { heldAmount: 10 }])
  })

  test('comes before the hold expires, unless its key is trusted', () => {
    expect(settle(aHold(), {}, EXPIRES - 1)).toMatchObject({ status: 'settled' })
    const late = ['transaction_state', { transactionStatus: 'expired', allowed: ['held'] }]
    expect(problemOf(() => settle(aHold(), {}, EXPIRES))).toEqual(late)
    expect(problemOf(() => settle(anExpired()))).toEqual(late)
    expect(() => settle(anExpired())).toThrow('this key can no longer settle it')
    expect(settle(aHold(), { afterExpiry: true }, EXPIRES)).toMatchObject({
      ...{ status: 'settled', settledAmount: units(10), flags: [] },
    })
  })

  test('of a released hold is booked at its approval, and flagged', () => {
    const settled = settle(anExpired(), { afterExpiry: true }, EXPIRES + 5)
    expect(settled).toMatchObject({
      ...{ status: 'settled', settledAmount: units(10), laterParts: null },
      ...{ settledAt: EXPIRES + 5, flags: ['late_capture'] },
    })
  })

  test('of a released hold is at most what was approved', () => {
    const late = (amount: bigint) => settle(anExpired(), { amount, afterExpiry: true })
    expect(late(units(3))).toMatchObject({ settledAmount: units(3) })
    expect(problemOf(() => late(units(10) + 1n))).toEqual(['amount_above_hold', { heldAmount: 10 }])
  })

  test('needs a hold that is open or has expired', () => {
    const voided = aHold({ status: 'voided', heldAmount: 0n })
    const refused = (allowed: readonly string[]) => [
      'transaction_state',
      { transactionStatus: 'voided', allowed },
    ]
    expect(problemOf(() => settle(voided))).toEqual(refused(['held']))
    const trusted = problemOf(() => settle(voided, { afterExpiry: true }))
    expect(trusted).toEqual(refused(['held', 'expired']))
  })
})

describe('a void of a hold', () => {
  test('releases all of it', () => {
    expect(planVoid('caller')(aHold(), NOON)).toMatchObject({ status: 'voided', heldAmount: 0n })
  })

  test('leaves it settled, if a part was captured', () => {
    const hold = aHold({ heldAmount: units(6), settledAmount: units(4) })
    const voided = planVoid('caller')(hold, NOON)
    expect(voided).toMatchObject({ status: 'settled', heldAmount: 0n, settledAmount: units(4) })
  })

  test('needs an open hold', () => {
    expect(problemOf(() => planVoid('caller')(aHold(), EXPIRES))).toEqual([
      'transaction_state',
      { transactionStatus: 'expired', allowed: ['held'] },
    ])
  })
})

describe('a hold that waits for proof', () => {
  const refused = ['transaction_state', { transactionStatus: 'held', allowed: [] }]

  test('is ended by its path and by no caller', () => {
    expect(problemOf(() => settle(anUnproven(), { afterExpiry: true }))).toEqual(refused)
    expect(problemOf(() => planVoid('caller')(anUnproven(), NOON))).toEqual(refused)
    expect(settle(anUnproven(), { by: 'path' })).toMatchObject({ status: 'settled' })
    expect(planVoid('path')(anUnproven(), NOON)).toMatchObject({ status: 'voided' })
  })

  test('has its own status once it has ended', () => {
    const voided = { ...anUnproven(), status: 'voided', heldAmount: 0n } as const
    expect(problemOf(() => settle(voided))).toEqual([
      'transaction_state',
      { transactionStatus: 'voided', allowed: ['held'] },
    ])
  })
})

describe('a raise of a hold', () => {
  test('holds more than was approved, and is flagged', () => {
    const raised = planRaise(units(3))(aHold(), NOON + 5)
    expect(raised).toMatchObject({ status: 'held', heldAmount: units(13), flags: ['raised'] })
  })

  test('is by more than zero, and of an open hold', () => {
    expect(() => planRaise(0n)).toThrow(AssertionError)
    expect(problemOf(() => planRaise(1n)(aHold(), EXPIRES))).toEqual([
      'transaction_state',
      { transactionStatus: 'expired', allowed: ['held'] },
    ])
  })
})

test('a transaction gets a flag once', () => {
  const hold = aHold({ flags: ['raised'] })
  expect(flagged(hold, undefined)).toEqual(['raised'])
  expect(flagged(hold, 'raised')).toEqual(['raised'])
  expect(flagged(hold, 'late_capture')).toEqual(['raised', 'late_capture'])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOver } from '../../../src/core/counters/buckets.ts'
import {
  addTo,
  type Counter,
  correctIn,
  EMPTY_COUNTER,
  expiresAt,
  fromRow,
  sumAt,
  toRow,
} from '../../../src/core/counters/counter.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-10-15T12:00Z')
const HOURLY = bucketsOver({ kind: 'rolling', ms: 60 * MINUTE }, zoneOf('UTC'), 'none')
const DAILY = bucketsOver({ kind: 'calendar', unit: 'day' }, zoneOf('UTC'), 'none')

const windowMs = fc.integer({ min: 10_000, max: 90 * 86_400_000 })
const gaps = fc.array(fc.record({ gap: fc.nat(), amount: fc.bigInt({ min: 1n, max: 1_000n }) }), {
  minLength: 1,
  maxLength: 60,
})

describe('a rolling window', () => {
  test('is never permissive, and strict by at most one of sixty buckets', () => {
    fc.assert(
      fc.property(windowMs, gaps, fc.nat(), (ms, steps, wait) => {
        const layout = bucketsOver({ kind: 'rolling', ms }, zoneOf('UTC'), 'none')
        const spends: { at: number; amount: bigint }[] = []
        let counter: Counter = EMPTY_COUNTER
        let at = NOON
        for (const { gap, amount } of steps) {
          at += gap % (ms / 2)
          at = Math.floor(at)
          spends.push({ at, amount })
          counter = addTo(counter, layout, at, amount)
        }
        const now = at + (wait % (2 * ms))
        const exact = (length: number) =>
          spends
            .filter((spend) => spend.at > now - length)
            .reduce((sum, { amount }) => sum + amount, 0n)
        const { amount } = sumAt(counter, layout, now)
        expect(amount >= exact(ms)).toBe(true)
        expect(amount <= exact(ms + Math.ceil(ms / 60))).toBe(true)
        expect(counter.buckets.length).toBeLessThanOrEqual(62)
        expect(fromRow(toRow(counter))).toEqual(counter)
      }),
      { numRuns: 500 },
    )
  })

  test('counts a spend for the whole window, and forgets it one bucket later at most', () => {
    const counter = addTo(EMPTY_COUNTER, HOURLY, NOON, 5n)
    expect(sumAt(counter, HOURLY, NOON + 61 * MINUTE - 1)).toMatchObject({ count: 1, amount: 5n })
    expect(sumAt(counter, HOURLY, NOON + 61 * MINUTE)).toMatchObject({ count: 0, amount: 0n })
    expect(expiresAt(counter)).toBe(NOON + 61 * MINUTE)
  })
})

describe('a calendar window', () => {
  test('needs one bucket, which is gone with the day', () => {
    const first = addTo(EMPTY_COUNTER, DAILY, NOON, 5n)
    const both = addTo(first, DAILY, NOON + MINUTE, 7n)
    expect(both.buckets).toEqual([
      { start: Date.parse('2026-10-15T00:00Z'), count: 2, amount: 12n },
    ])
    expect(expiresAt(both)).toBe(Date.parse('2026-10-16T00:00Z'))
    expect(sumAt(both, DAILY, Date.parse('2026-10-16T00:00Z')).count).toBe(0)
    expect(addTo(both, DAILY, NOON + 24 * 60 * MINUTE, 1n)).toMatchObject({ count: 1, amount: 1n })
  })
})

describe('a counter', () => {
  const two = addTo(addTo(EMPTY_COUNTER, HOURLY, NOON, 5n), HOURLY, NOON + 10 * MINUTE, 7n)

  test('that counted nothing has a sum of zero', () => {
    expect(sumAt(EMPTY_COUNTER, HOURLY, NOON)).toMatchObject({ count: 0, amount: 0n })
  })

  test('forgets a spend that is voided, in the bucket where it was counted', () => {
    const left = correctIn(two, NOON + 30_000, { amount: -5n, count: -1 })
    expect(left.buckets).toEqual([{ start: NOON + 10 * MINUTE, count: 1, amount: 7n }])
    expect(left).toMatchObject({ count: 1, amount: 7n })
  })

  test('keeps the number of spends when an amount is corrected', () => {
    expect(correctIn(two, NOON, { amount: -3n, count: 0 })).toMatchObject({ count: 2, amount: 9n })
    expect(correctIn(two, NOON + 10 * MINUTE, { amount: 2n, count: 0 })).toMatchObject({
      count: 2,
      amount: 14n,
    })
  })

  test('keeps a bucket that still has a spend, or an amount', () => {
    expect(correctIn(two, NOON, { amount: -5n, count: 0 }).buckets).toHaveLength(2)
    expect(correctIn(two, NOON, { amount: -3n, count: -1 }).buckets).toHaveLength(2)
  })

  test('does not go below nothing, nor touch what is later than the spend', () => {
    expect(correctIn(two, NOON, { amount: -48n, count: 0 })).toMatchObject({ amount: 7n })
    expect(correctIn(two, NOON - 1, { amount: -5n, count: -1 })).toBe(two)
  })

  test('takes a spend of a clock that is behind, and still counts it', () => {
    const late = addTo(two, HOURLY, NOON - MINUTE, 3n)
    expect(late.buckets.map(({ start }) => start)).toEqual([
      NOON - MINUTE,
      NOON,
      NOON + 10 * MINUTE,
    ])
    expect(late).toMatchObject({ count: 3, amount: 15n })
  })

  test('expires with its latest spend, also when a clock that is behind adds an earlier one', () => {
    expect(expiresAt(two)).toBe(NOON + 71 * MINUTE)
    const late = addTo(two, HOURLY, NOON - MINUTE, 3n)
    expect(expiresAt(late)).toBe(NOON + 71 * MINUTE)
    expect(toRow(late)[0]).toBe(BigInt(NOON + 71 * MINUTE))
  })

  test('that never ends has an instant that storage can hold', () => {
    const always = bucketsOver({ kind: 'period' }, zoneOf('UTC'), 'none')
    const counter = addTo(EMPTY_COUNTER, always, NOON, 1n)
    expect(new Date(expiresAt(counter)).toISOString()).toBe('9999-01-01T00:00:00.000Z')
    expect(toRow(counter)).toEqual([BigInt(expiresAt(counter)), 0n, 1n, 1n])
  })
})

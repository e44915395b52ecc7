import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOver, type CountedWindow } from '../../../src/core/counters/buckets.ts'
import {
  addTo,
  type Counter,
  EMPTY_COUNTER,
  type Sum,
  sumAt,
} from '../../../src/core/counters/counter.ts'
import { situationsOf } from '../../../src/core/decision/evaluate.ts'
import { whenLittleEnough } from '../../../src/core/rules/counter-key.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { createDesk, NOON, someSpend } from '../desk.ts'

const HOUR = 3_600_000
const { account } = createDesk({})

function layoutOf(window: CountedWindow) {
  return bucketsOver(window, zoneOf('UTC'), 'none')
}

function whenEnough(
  counter: Counter,
  window: CountedWindow,
  now: number,
  isLittleEnough: (sum: Sum) => boolean,
) {
  const usage = { ...account.usage, counter: () => counter }
  const [situation] = situationsOf(someSpend(), { ...account, usage }, now)
  assert(situation)
  const counted = { key: 'any', layout: layoutOf(window) }
  return whenLittleEnough(counted, situation, isLittleEnough)
}

/** The first instant at which at most this much is counted. */
function whenAtMost(most: bigint, counter: Counter, window: CountedWindow, now: number) {
  return whenEnough(counter, window, now, ({ amount }) => amount <= most)
}

describe('the first instant at which little enough is counted', () => {
  test('is the first one, whenever the spends were', () => {
    const spends = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: HOUR }),
        amount: fc.bigInt({ min: 1n, max: 9n }),
      }),
      { maxLength: 12 },
    )
    const window: CountedWindow = { kind: 'rolling', ms: HOUR }
    const layout = layoutOf(window)
    fc.assert(
      fc.property(spends, fc.bigInt({ min: 0n, max: 30n }), fc.nat(2 * HOUR), (all, most, wait) => {
        let [counter, last] = [EMPTY_COUNTER, NOON]
        for (const { gap, amount } of all) {
          last += gap
          counter = addTo(counter, layout, last, amount)
        }
        const now = last + wait
        const at = whenAtMost(most, counter, window, now)
        assert(at !== undefined)
        expect(at).toBeGreaterThanOrEqual(now)
        expect(sumAt(counter, layout, at).amount <= most).toBe(true)
        if (at > now) expect(sumAt(counter, layout, at - 1).amount > most).toBe(true)
      }),
    )
  })

  test('is known by the number of spends too', () => {
    const window: CountedWindow = { kind: 'rolling', ms: HOUR }
    const first = addTo(EMPTY_COUNTER, layoutOf(window), NOON, 5n)
    const both = addTo(first, layoutOf(window), NOON + HOUR / 2, 5n)
    const oneLeft = NOON + HOUR + HOUR / 60
    const when = (most: number, now: number) =>
      whenEnough(both, window, now, ({ count }) => count <= most)
    expect(when(1, NOON + HOUR / 2)).toBe(oneLeft)
    expect(when(0, NOON + HOUR / 2)).toBe(oneLeft + HOUR / 2)
    // The last millisecond in which the first spend is counted.
    expect(when(1, oneLeft - 1)).toBe(oneLeft)
    expect(when(0, oneLeft - 1)).toBe(oneLeft + HOUR / 2)
  })

  test('does not exist if less than nothing would have to be counted', () => {
    const window: CountedWindow = { kind: 'rolling', ms: HOUR }
    const counter = addTo(EMPTY_COUNTER, layoutOf(window), NOON, 5n)
    expect(whenAtMost(-1n, counter, window, NOON)).toBeUndefined()
  })

  test('does not exist for a counter that never forgets, unless it is now', () => {
    const window: CountedWindow = { kind: 'always' }
    const counter = addTo(EMPTY_COUNTER, layoutOf(window), NOON, 5n)
    expect(whenAtMost(4n, counter, window, NOON)).toBeUndefined()
    expect(whenAtMost(5n, counter, window, NOON)).toBe(NOON)
  })
})

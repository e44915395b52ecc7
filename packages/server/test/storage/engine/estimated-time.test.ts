import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEstimate, type Reading } from '../../../src/storage/engine/estimated-time.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

/** What a clock that is ahead of the monotonic one by `ahead` tells, asked at `askedAt`. */
function reading(ahead: number, askedAt: number, tripMs: number, share = 0.5): Reading {
  const instant = Math.floor(ahead + askedAt + tripMs * share)
  return { instant, askedAt, answeredAt: askedAt + tripMs }
}

describe('the estimate of another clock', () => {
  test('is never further off than half of its round trip, wherever in it the clock was read', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 5_000 }),
        (share, tripMs) => {
          const { at } = createEstimate(reading(NOW, 1_000, tripMs, share))
          expect(Math.abs(at(10_000) - (NOW + 10_000))).toBeLessThanOrEqual(tripMs / 2 + 2)
        },
      ),
    )
  })

  test('prefers a short round trip to a long one', () => {
    const estimate = createEstimate(reading(NOW, 0, 400, 1))
    expect(estimate.at(1_000)).toBe(NOW + 1_200)
    estimate.learn(reading(NOW, 1_000, 2, 1))
    expect(estimate.at(1_000)).toBe(NOW + 1_001)
    estimate.learn(reading(NOW, 2_000, 400, 1))
    expect(estimate.at(3_000)).toBe(NOW + 3_001)
  })

  test('trusts what it knows less and less, and then takes what there is', () => {
    const estimate = createEstimate(reading(NOW, 0, 2, 1))
    const muchLater = 300_000
    estimate.learn(reading(NOW + 150, muchLater, 200, 0.5))
    expect(estimate.at(muchLater)).toBe(NOW + muchLater + 150)
  })

  test('follows a clock that jumps, in either direction, with the next answer', () => {
    const estimate = createEstimate(reading(NOW, 0, 2))
    estimate.learn(reading(NOW + 3_600_000, 10, 300))
    expect(Math.abs(estimate.at(1_000) - (NOW + 3_601_000))).toBeLessThanOrEqual(1)
    estimate.learn(reading(NOW, 20, 300))
    expect(Math.abs(estimate.at(1_000) - (NOW + 1_000))).toBeLessThanOrEqual(1)
  })
})

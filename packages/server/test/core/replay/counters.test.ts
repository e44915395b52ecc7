import { describe, expect, test } from 'vitest'
import { type Counter, EMPTY_COUNTER } from '../../../src/core/counters/counter.ts'
import { createCounters } from '../../../src/core/replay/counters.ts'

const until = (expiresAt: number): Counter => ({ ...EMPTY_COUNTER, expiresAt })

describe('the counters of a replay', () => {
  test('are kept until they expire, and not an instant longer', () => {
    const counters = createCounters()
    counters.set('a', until(10), 0)
    for (const now of [1, 2, 3, 9]) counters.set('b', until(100), now)
    expect(counters.get('a')).toEqual(until(10))
    for (const now of [10, 10, 10]) counters.set('b', until(100), now)
    expect([counters.get('a'), counters.size]).toEqual([undefined, 1])
  })

  test('stay bounded while each of them counts only for a moment', () => {
    const counters = createCounters()
    const sizes = Array.from({ length: 1_000 }, (_, now) => {
      counters.set(`${now}`, until(now + 5), now)
      return counters.size
    })
    expect(Math.max(...sizes)).toBeLessThan(20)
  })
})

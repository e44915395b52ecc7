import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offsetsOf } from '../../../src/core/analytics/offsets.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Santiago',
  'Africa/Casablanca',
]

/** As the database looks it up: the last stretch that has begun. */
function aheadAt(timezone: string, at: number, now: number): number | undefined {
  const { starts, aheadMs } = offsetsOf(timezone, now)
  return aheadMs[
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    )
  ]
}

describe('offsets of a zone', () => {
  test('are those of its clocks, at every instant at which something can have been decided', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.parse('2020-01-01T00:00Z'), max: NOW }),
        (timezone, at) => {
          expect(aheadAt(timezone, at, NOW)).toBe(zoneOf(timezone).offsetAt(at))
        },
      ),
    )
  })

  test('change at the very instant at which the clocks do', () => {
    for (const timezone of ZONES) {
      for (const start of offsetsOf(timezone, NOW).starts.slice(1)) {
        expect(aheadAt(timezone, start, NOW)).toBe(zoneOf(timezone).offsetAt(start))
        expect(aheadAt(timezone, start - 1, NOW)).toBe(zoneOf(timezone).offsetAt(start - 1))
      }
    }
  })

  test('are known anew as time goes on', () => {
    const later = Date.parse('2036-07-01T12:00:00Z')
    expect(aheadAt('Europe/Berlin', NOW, NOW)).toBe(3_600_000)
    expect(aheadAt('Europe/Berlin', later, later)).toBe(2 * 3_600_000)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toIso } from '../../../src/core/time/instant.ts'
import { calendarWindowAt, periodAt } from '../../../src/core/time/period.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const HOUR = 3_600_000
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca')

// Mostly close together, as spends are, so that answers that were kept are really used.
const walks = fc
  .tuple(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2030-01-01') }),
    fc.array(fc.integer({ min: -30 * HOUR, max: 30 * HOUR }), { minLength: 2, maxLength: 12 }),
  )
  .map(([start, steps]) => steps.map((step) => start + step))

describe('a zone', () => {
  test('always answers what the calendar says, whatever it was asked before', () => {
    fc.assert(
      fc.property(zones, walks, (timezone, instants) => {
        const zone = zoneOf(timezone)
        for (const at of instants) {
          for (const window of ['hour', 'day', 'week', 'month'] as const) {
            expect(zone.windowAt(window, at)).toEqual(calendarWindowAt(window, timezone, at))
          }
          for (const period of ['none', 'daily', 'weekly', 'monthly', 'yearly'] as const) {
            expect(zone.periodAt(period, at)).toEqual(periodAt(period, timezone, at))
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test.each(['hour', 'day', 'week', 'month'] as const)(
    'begins the next %s with the first instant after the one that it knows',
    (name) => {
      const zone = zoneOf('Asia/Tokyo')
      const { start, end } = zone.windowAt(name, Date.parse('2026-10-15T12:00Z'))
      expect(zone.windowAt(name, end - 1)).toEqual({ start, end })
      expect(zone.windowAt(name, end).start).toBe(end)
      expect(zone.windowAt(name, start - 1).end).toBe(start)
    },
  )

  test('knows when its clocks change next', () => {
    const berlin = zoneOf('Europe/Berlin')
    const change = Date.parse('2026-10-25T01:00Z')
    expect(berlin.nextChange(change - 1)).toBe(change)
    expect(berlin.offsetAt(change - 1)).toBe(2 * HOUR)
    expect(berlin.offsetAt(change)).toBe(HOUR)
    expect(zoneOf('UTC').nextChange(change)).toBe(Number.POSITIVE_INFINITY)
  })
})

test('an instant is always written as Date writes it', () => {
  const instants = fc.oneof(
    fc.integer({ min: -(2 ** 43), max: 2 ** 48 }),
    fc.integer({ min: 1_790_000_000_000, max: 1_790_000_200_000 }),
  )
  fc.assert(
    fc.property(fc.array(instants, { minLength: 1 }), (several) => {
      for (const instant of several) expect(toIso(instant)).toBe(new Date(instant).toISOString())
    }),
  )
})

import { describe, expect, test } from 'vitest'
import { readTimes } from '../../src/http/validation/query-times.ts'

const startOf = (from: string, timezone: string): string =>
  new Date(readTimes({ from }, timezone).from ?? Number.NaN).toISOString()

describe('a date in a query', () => {
  test.each([
    ['2026-11-01', 'UTC', '2026-11-01T00:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    // Clocks go from 24:00 to 1:00: the day has no midnight.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // Clocks go back from 1:00 to 0:00: the day has two midnights, and begins with the first.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2026-11-01', 'Pacific/Kiritimati', '2026-10-31T10:00:00.000Z'],
    ['0001-01-01', 'Asia/Tokyo', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31', 'America/New_York', '9999-12-31T05:00:00.000Z'],
  ])('%s begins in %s at %s', (date, timezone, instant) => {
    expect(startOf(date, timezone)).toBe(instant)
  })

  test('a date-time is the same in every zone', () => {
    expect(startOf('2026-11-01T02:00:00+02:00', 'Asia/Tokyo')).toBe('2026-11-01T00:00:00.000Z')
  })

  test('an end is compared with the beginning in the zone', () => {
    const query = { from: '2026-11-01', to: '2026-10-31T23:30:00Z' }
    expect(() => readTimes(query, 'UTC')).toThrow('must not be before from')
    expect(() => readTimes(query, 'Europe/Berlin')).not.toThrow()
  })
})

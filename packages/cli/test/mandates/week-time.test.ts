import { expect, test } from 'vitest'
import { nextWeekTime, parseWeekTime } from '../../src/mandates/week-time.ts'

const WEDNESDAY = Date.parse('2026-11-18T12:00:00Z')

function next(text: string, timezone: string, now = WEDNESDAY): string | undefined {
  const time = parseWeekTime(text)
  expect(time).toBeDefined()
  return time && nextWeekTime(time, timezone, now)?.toISOString()
}

test('a day of the week and a time mean the next such instant in the time zone', () => {
  expect(next('sat 03:00', 'UTC')).toBe('2026-11-21T03:00:00.000Z')
  expect(next('sat 03:00', 'Europe/Berlin')).toBe('2026-11-21T02:00:00.000Z')
  expect(next('wed 13:00', 'UTC')).toBe('2026-11-18T13:00:00.000Z')
  expect(next('wed 12:00', 'UTC')).toBe('2026-11-25T12:00:00.000Z')
  expect(next('wed 01:00', 'Pacific/Auckland')).toBe('2026-11-24T12:00:00.000Z')
  expect(next('sun 00:00', 'Asia/Kolkata')).toBe('2026-11-21T18:30:00.000Z')
})

test('around a change of the clock, the time is the one that the clock shows', () => {
  const saturday = Date.parse('2027-03-27T12:00:00Z')
  expect(next('sun 04:00', 'Europe/Berlin', saturday)).toBe('2027-03-28T02:00:00.000Z')
  expect(next('sun 01:30', 'Europe/Berlin', saturday)).toBe('2027-03-28T00:30:00.000Z')
  // The clock skips from 02:00 to 03:00, so it shows 02:30 a week later.
  expect(next('sun 02:30', 'Europe/Berlin', saturday)).toBe('2027-04-04T00:30:00.000Z')
})

test.each(['saturday 03:00', 'sat 3:00', 'sat 24:00', 'sat 03:60', 'Sat 03:00', ''])(
  '%j is not a day and a time',
  (text) => expect(parseWeekTime(text)).toBeUndefined(),
)

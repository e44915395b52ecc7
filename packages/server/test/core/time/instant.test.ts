import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone, parseDuration, toIso } from '../../../src/core/time/instant.ts'

test('an instant is shown in UTC with milliseconds', () => {
  expect(toIso(1_761_955_200_000)).toBe('2025-11-01T00:00:00.000Z')
})

test('an instant is shown as Date shows it', () => {
  for (const ms of [0, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 59_999, 60_000, -1, -60_000]) {
    expect(toIso(ms)).toBe(new Date(ms).toISOString())
  }
})

describe('a time zone', () => {
  test.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Port-au-Prince', 'Etc/GMT+1'])(
    '%s is accepted',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  test.each(['', 'utc', 'europe/berlin', '+01:00', '-0500', 'Z', 'Mars/Olympus', ' UTC', 'UTC\n'])(
    '%j is refused',
    (name) => {
      expect(isTimeZone(name)).toBe(false)
    },
  )

  test('is accepted for every name the platform lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([])
  })
})

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
  ])('%s has %d milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each(['', '0s', '01s', '-1s', '+1s', '1.5h', '1', 's', '1w', '1H', ' 1s', '1s\n', '1e3s'])(
    '%j is refused',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  test('is never anything but a positive safe integer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,9}[smhd]$/), (text) => {
        const ms = parseDuration(text)
        return ms === undefined || (Number.isSafeInteger(ms) && ms > 0)
      }),
    )
  })
})

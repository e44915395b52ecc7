import { expect, test } from 'vitest'
import {
  dateAt,
  hourOf,
  minuteOfWeek,
  minutesLater,
  showMinute,
  weekdayOf,
} from '../../../src/core/time/wall-clock.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

test.each([
  [0, 'mon 00:00', 'mon', 0],
  [9, 'mon 00:09', 'mon', 0],
  [10 * 60 + 10, 'mon 10:10', 'mon', 10],
  [1_440 + 9 * 60 + 59, 'tue 09:59', 'tue', 9],
  [7 * 1_440 - 1, 'sun 23:59', 'sun', 23],
])('the minute %d of the week is shown as %s', (minute, text, weekday, hour) => {
  expect([showMinute(minute), weekdayOf(minute), hourOf(minute)]).toEqual([text, weekday, hour])
})

test('the wall clock of a zone shows its own minute and date', () => {
  const kolkata = zoneOf('Asia/Kolkata')
  const at = Date.parse('2026-10-15T23:10:30.500Z')
  expect(showMinute(minuteOfWeek(kolkata, at))).toBe('fri 04:40')
  expect(dateAt(kolkata, at)).toBe('2026-10-16')
  expect(minutesLater(kolkata, at, 20)).toBe(Date.parse('2026-10-15T23:30:00Z'))
  const newYork = zoneOf('America/New_York')
  expect(minutesLater(newYork, at, 0)).toBe(Date.parse('2026-10-15T23:10:00Z'))
})

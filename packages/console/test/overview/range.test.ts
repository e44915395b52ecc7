import { expect, test } from 'vitest'
import { rangeBefore, rangeInFull, rangeLabel, rangeOf } from '../../src/screens/overview/range.ts'
import { dayOf, isDay, mondayOf } from '../../src/words/days.ts'

const TODAY = '2026-11-17'

test('shows the last 30 days with today, unless the address says otherwise', () => {
  const range = rangeOf({}, TODAY)
  expect(range).toMatchObject({ preset: '30d', from: '2026-10-19', to: '2026-11-18', days: 30 })
  expect(rangeLabel(range)).toBe('19 Oct to 17 Nov')
  expect(rangeInFull(range)).toBe('19 October to 17 November 2026')
  expect(rangeOf({ range: '7d' }, TODAY)).toMatchObject({ from: '2026-11-11', days: 7 })
})

test('compares with as many days before', () => {
  expect(rangeBefore(rangeOf({}, TODAY))).toEqual({ from: '2026-09-19', to: '2026-10-19' })
})

test('counts weeks above 92 days, and at most 366 days', () => {
  expect(rangeOf({ from: '2026-08-17', to: '2026-11-17' }, TODAY).interval).toBe('day')
  expect(rangeOf({ from: '2026-08-16', to: '2026-11-17' }, TODAY).interval).toBe('week')
  expect(rangeOf({ from: '2020-01-01', to: '2026-11-17' }, TODAY).days).toBe(366)
})

test.each([
  { from: '2026-02-31' },
  { from: 'yesterday' },
  { from: '2026-11-17', to: '2026-11-01' },
  { range: '5d' },
])('ignores days that make no sense: %j', (search) => {
  expect(rangeOf(search, TODAY).preset).toBe('30d')
})

test('writes the years of a range over New Year', () => {
  const range = rangeOf({ from: '2026-12-30', to: '2027-01-03' }, '2027-01-05')
  expect(rangeInFull(range)).toBe('30 December 2026 to 2 January 2027')
})

test('knows the day of an instant in a time zone', () => {
  const late = new Date('2026-11-17T23:30:00Z')
  expect(dayOf(late, 'UTC')).toBe('2026-11-17')
  expect(dayOf(late, 'Europe/Stockholm')).toBe('2026-11-18')
  expect(mondayOf('2026-11-15')).toBe('2026-11-09')
  expect(isDay('2024-02-29')).toBe(true)
  expect(isDay('2026-02-29')).toBe(false)
})

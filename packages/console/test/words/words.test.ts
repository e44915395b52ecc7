import { expect, test } from 'vitest'
import { formatUntil } from '../../src/words/time.ts'
import { REASON_WORDS } from '../../src/words/words.ts'

test('the reasons of a filter differ, and approval is none of them', () => {
  const labels = REASON_WORDS.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
  expect(REASON_WORDS.map(({ value }) => value)).not.toContain('approved')
})

test('a time to come is rounded to the nearest unit', () => {
  const hour = 3_600_000
  expect(formatUntil(7 * 24 * hour - 1_000)).toBe('7 days')
  expect(formatUntil(6.4 * 24 * hour)).toBe('6 days')
  expect(formatUntil(23.6 * hour)).toBe('1 day')
  expect(formatUntil(59.7 * 60_000)).toBe('1 h')
  expect(formatUntil(90_000)).toBe('2 min')
  expect(formatUntil(38_400)).toBe('38 s')
})

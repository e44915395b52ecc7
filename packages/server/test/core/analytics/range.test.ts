import { expect, test } from 'vitest'
import { isDate, stretchesOf } from '../../../src/core/analytics/range.ts'

test.each([
  ['2026-10-31', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-10-32', false],
  ['2026-13-01', false],
  ['20261031', false],
  ['2026-10-31T00:00', false],
  ['+002026-10-31', false],
  ['', false],
])('%j is a date: %s', (text, expected) => {
  expect(isDate(text)).toBe(expected)
})

test.each([
  ['day', 45],
  ['week', 8],
  ['month', 3],
  [undefined, 1],
] as const)('a range of 45 days touches at most this many of %s: %i', (interval, most) => {
  // From the last day of a week and of a month.
  expect(stretchesOf({ from: '2026-05-31', to: '2026-07-15' }, interval)).toBe(most)
})

import { expect, test } from 'vitest'
import { parseWindow } from '../../../src/core/time/window.ts'

test.each([
  ['10s', 10_000],
  ['1h', 3_600_000],
  ['90d', 90 * 86_400_000],
])('%s is a rolling window', (text, ms) => {
  expect(parseWindow(text)).toEqual({ kind: 'rolling', ms })
})

test.each(['9s', '91d', '0s', 'year', ''])('%j is no window', (text) => {
  expect(parseWindow(text)).toBeUndefined()
})

test.each(['hour', 'day', 'week', 'month'] as const)('%s is a calendar window', (unit) => {
  expect(parseWindow(unit)).toEqual({ kind: 'calendar', unit })
})

test('the period of the budget is a window', () => {
  expect(parseWindow('period')).toEqual({ kind: 'period' })
})

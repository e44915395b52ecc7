import { expect, test } from 'vitest'
import { noForecast, usedText } from '../../src/words/budget.ts'

test('rounds the used part of a budget half up, because a lower figure hides use', () => {
  expect(usedText(86.99)).toBe('87 %')
  expect(usedText(95.99)).toBe('96 %')
  expect(usedText(12.5)).toBe('13 %')
  expect(usedText(12.49)).toBe('12 %')
  expect(usedText(120.6)).toBe('121 %')
})

test('shows a mark only when it is reached', () => {
  expect(usedText(79.49)).toBe('79 %')
  expect(usedText(79.5)).toBe('79.5 %')
  expect(usedText(79.99)).toBe('79.9 %')
  expect(usedText(80)).toBe('80 %')
  expect(usedText(99.99)).toBe('99.9 %')
  expect(usedText(100)).toBe('100 %')
})

test('shows nothing only if nothing is used', () => {
  expect(usedText(0)).toBe('0 %')
  expect(usedText(0.01)).toBe('0.1 %')
  expect(usedText(0.34)).toBe('0.3 %')
  expect(usedText(0.5)).toBe('1 %')
})

test('never falls while the use grows', () => {
  const shown = Array.from({ length: 12_001 }, (_, at) => Number.parseFloat(usedText(at / 100)))
  expect(shown.every((value, at) => at === 0 || value >= (shown[at - 1] ?? 0))).toBe(true)
})

test('says what a forecast lacks', () => {
  expect(noForecast(7)).toBe('A forecast needs 20 approved spends in 7 days, and there were 7')
  expect(noForecast(1)).toBe('A forecast needs 20 approved spends in 7 days, and there was 1')
  expect(noForecast(0)).toBe('A forecast needs 20 approved spends in 7 days, and there were none')
  expect(noForecast(undefined)).toBe('A forecast needs 20 approved spends in 7 days')
  expect(noForecast(20)).toBe('Nothing was spent in the last 7 days, less refunds')
})

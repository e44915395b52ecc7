import type { AnalyticsRow, Mandate } from '@purser/sdk'
import { expect, test } from 'vitest'
import { barDays } from '../../src/screens/overview/bar-days.ts'
import { budgetRows } from '../../src/screens/overview/budget-rows.ts'
import {
  comparison,
  currenciesOf,
  numbersOf,
  rejectedNote,
} from '../../src/screens/overview/numbers.ts'
import { rangeOf } from '../../src/screens/overview/range.ts'
import { spentOnly } from '../../src/words/budget.ts'
import { sumMoney } from '../../src/words/money.ts'

const TODAY = '2026-11-17'
const RANGE = rangeOf({ range: '7d' }, TODAY)
const NOW = new Date('2026-11-17T12:00:00Z')

const row = (fields: Partial<AnalyticsRow>): AnalyticsRow => ({
  ...{ start: null, currency: 'USD', group: null, names: null, isOther: false },
  ...fields,
})

const mandate = (fields: Partial<Mandate>): Mandate =>
  ({
    ...{ id: 'mnd_1', agentId: 'a', agentName: 'Travel booker', name: 'Travel', currency: 'USD' },
    ...{ timezone: 'UTC', parentMandateId: null, budgetTotal: 3000, budgetSpent: 2580 },
    ...{ budgetHeld: 0, remainingBudget: 420, percentUsed: 86, exhausted: false },
    ...{ budgetPeriod: 'monthly', periodStart: '2026-11-01T00:00:00Z' },
    ...{ periodEnd: '2026-12-01T00:00:00Z', ...fields },
  }) as Mandate

test('adds amounts without the errors of floating point', () => {
  expect(sumMoney([0.1, 0.2])).toBe(0.3)
  expect(sumMoney(Array.from({ length: 1_000 }, () => 0.005))).toBe(5)
})

test('counts a hold once: the spent part of a budget is without it', () => {
  expect(spentOnly({ budgetSpent: 2580.3, budgetHeld: 80.1 })).toBe(2500.2)
})

test('fills the days without spends, and says each day in one sentence', () => {
  const days = barDays(RANGE, 'USD', {
    spend: [row({ start: '2026-11-13', count: 35, net: 280.5, held: 22 })],
    rejections: [row({ start: '2026-11-13', count: 6, amount: 112 })],
  })
  expect(days).toHaveLength(7)
  expect(days[2]).toMatchObject({
    sentence: 'Fri 13 November: 280.50 USD spent, 22.00 held, 6 rejected for 112.00',
    hint: 'Enter: see the 41 spends',
    href: '/transactions?from=2026-11-13&to=2026-11-14',
  })
  expect(days[0]).toMatchObject({ spent: 0, hint: undefined })
})

test('cuts the weeks at the edges of the range', () => {
  const range = rangeOf({ from: '2026-01-01', to: '2026-11-18' }, TODAY)
  const weeks = barDays(range, 'USD', { spend: [], rejections: [] })
  expect(weeks[0]?.href).toBe('/transactions?from=2026-01-01&to=2026-01-05')
  expect(weeks.at(-1)?.href).toBe('/transactions?from=2026-11-16&to=2026-11-18')
})

test('never adds amounts of two currencies', () => {
  const rows = {
    spend: [row({ net: 10, count: 2 }), row({ net: 99, count: 1, currency: 'EUR' })],
    before: [row({ net: 8 })],
    rejections: [
      row({ count: 1, amount: 5 }),
      row({ count: 3, amount: 900, currency: null }),
      row({ count: 1, amount: 70, currency: 'CHF' }),
    ],
    exposure: [row({ amount: 50 })],
    mandates: [
      mandate({ budgetHeld: 3 }),
      mandate({ id: 'mnd_2', parentMandateId: 'mnd_1', budgetHeld: 3 }),
      mandate({ id: 'mnd_3', currency: 'EUR', budgetHeld: 7 }),
    ],
  }
  expect(currenciesOf(rows, 'USD')).toEqual(['USD', 'EUR'])
  expect(currenciesOf(rows, 'SEK')).toEqual(['EUR', 'USD'])
  // Spends that were rejected without a currency of a mandate count, without their amount.
  expect(numbersOf(rows, 'USD', true)).toMatchObject({
    ...{ spent: 10, held: 3, rejected: 5, rejectedAmount: 5, exposure: 50 },
  })
  expect(numbersOf(rows, 'EUR', false)).toMatchObject({ spent: 99, held: 7, rejected: 0 })
})

test('compares with the days before', () => {
  const say = (spent: number, spentBefore: number) =>
    comparison({ ...numbersOf(NONE, 'USD', true), spent, spentBefore }, RANGE)
  expect(say(112, 100)).toBe('12 % more than the 7 days before')
  expect(say(50, 100)).toBe('50 % less than the 7 days before')
  expect(say(100, 100)).toBe('As much as the 7 days before')
  expect(say(5, 0)).toBe('Nothing in the 7 days before')
  expect(say(1500, 100)).toBe('15 times as much as the 7 days before')
  expect(rejectedNote(numbersOf(NONE, 'USD', true))).toBe('No spends in these days')
})

const NONE = { spend: [], before: [], rejections: [], exposure: undefined, mandates: [] }

test('says how long a budget lasts', () => {
  const sentence = (fields: Partial<Mandate>, perDay: number | null) =>
    budgetRows([mandate(fields)], [row({ group: { mandate: 'mnd_1' }, perDay })], NOW)[0]
  expect(sentence({}, 60)?.sentence).toBe('Empty on 24 Nov at this pace')
  expect(sentence({}, 10)).toMatchObject({
    sentence: 'Lasts until 1 December: about 2,715 USD by then',
    state: 'near',
    period: 'November',
  })
  expect(sentence({}, null)).toMatchObject({
    ...{ sentence: 'A forecast needs 20 approved spends in 7 days', forecastAt: null },
  })
  expect(sentence({ exhausted: true }, 60)?.sentence).toBe('Nothing left. Resets on 1 December')
  expect(sentence({ periodEnd: null, budgetPeriod: 'none' }, 0.001)?.sentence).toBe(
    'Lasts for years at this pace',
  )
})

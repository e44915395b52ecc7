import type { Finding } from '@purser/sdk'
import { expect, test } from 'vitest'
import { findingFacts, findingName, overBy } from '../../src/words/findings.ts'
import { tidySentence } from '../../src/words/money.ts'

const CONTEXT = { currency: 'USD' }

function finding(type: string, rest: Partial<Finding>): Finding {
  return {
    ...{ id: type, type, outcome: 'pass', code: null, observed: null, limit: null },
    ...{ window: null, message: '', ...rest },
  }
}

test.each([
  [
    'Per-spend limit',
    '297.00 of 250.00',
    finding('amount', { code: 'amount_above_max', observed: 297, limit: 250 }),
  ],
  [
    'Minimum amount',
    '3.00, at least 5.00',
    finding('amount', { code: 'amount_below_min', observed: 3, limit: 5 }),
  ],
  ['Minimum amount', '12.00, at least 5.00', finding('amount', { observed: 12, limit: 5 })],
  [
    'Vendor is allowed',
    '*.sas.se and 11 more',
    finding('vendors', {
      observed: 'sas.se',
      limit: '*.sas.se, sas.se, a.com, b.com, c.com and 7 more',
    }),
  ],
  [
    'Vendor is blocked',
    'bad.com, blocked: bad.com',
    finding('vendors', { code: 'vendor_blocked', observed: 'bad.com', limit: 'not bad.com' }),
  ],
  [
    'Category is allowed',
    'travel',
    finding('categories', { observed: 'travel', limit: 'travel, llm' }),
  ],
  [
    'Category is missing',
    'llm',
    finding('categories', { code: 'category_required', limit: 'llm' }),
  ],
  [
    'Within allowed hours',
    'Wed 00:11, allowed: Mon–Fri 07:00–19:00, Sat 22:00–02:00',
    finding('schedule', {
      observed: 'wed 00:11',
      limit: 'mon tue wed thu fri 07:00-19:00, sat 22:00-02:00',
    }),
  ],
  [
    'Daily limit',
    '501.40 of 1,200.00',
    finding('limit', { observed: 501.4, limit: 1200, window: 'day' }),
  ],
  ['7-day limit', '3 of 10', finding('limit', { observed: 3, limit: 10, window: '7d' })],
  [
    'Payment path is not allowed',
    'Card, allowed: Direct, x402',
    finding('paths', { code: 'path_not_allowed', observed: 'card', limit: 'evaluate, x402' }),
  ],
  [
    'Not a duplicate',
    'None within 10 minutes',
    finding('duplicate', { observed: 1, limit: 1, window: '10m' }),
  ],
  ['New vendor', 'First spend here', finding('new_vendor', { code: 'new_vendor' })],
  ['Known vendor', 'For 12 days', finding('new_vendor', { observed: 12 })],
  ['Price increase', '9.00, up to 10.80', finding('price_drift', { observed: 9, limit: 10.8 })],
  [
    'Needs approval',
    '62.00, needed above 50.00',
    finding('approval', { code: 'approval_required', observed: 62, limit: 50 }),
  ],
  [
    'Needs approval',
    'Every spend needs approval',
    finding('approval', { code: 'approval_required', observed: 62, limit: 0 }),
  ],
  ['30-day limit', 'Does not apply', finding('limit', { limit: 2, window: '30d' })],
  [
    'Monthly budget',
    '389.00 of 3,000.00',
    finding('budget', { observed: 389, limit: 3000, window: 'monthly' }),
  ],
])('names the finding: %s, %s', (name, facts, one) => {
  expect(findingName(one)).toBe(name)
  expect(findingFacts(one, CONTEXT)).toBe(facts)
})

test('the budget of a month has the name of the month in the time zone of the organization', () => {
  const at = new Date('2026-11-30T23:30:00Z')
  const budget = finding('budget', { window: 'monthly' })
  expect(findingName(budget, { ...CONTEXT, at, timezone: 'Europe/Stockholm' })).toBe(
    'Budget of December',
  )
})

test('says by how much a spend is above the limit', () => {
  const above = finding('amount', { code: 'amount_above_max', observed: 297.1, limit: 250 })
  expect(overBy(above, CONTEXT)).toBe('47.10 above the limit')
  const spends = finding('limit', { code: 'limit_count_exceeded', observed: 11, limit: 10 })
  expect(overBy(spends, CONTEXT)).toBe('1 spend above the limit')
})

test('a limit that counts spends shows no decimals, whatever the values', () => {
  const rule = {
    type: 'limit',
    id: 'limit',
    effect: 'reject',
    window: 'day',
    maxAmount: 10,
  } as never
  const sum = finding('limit', { observed: 3, limit: 10, window: 'day' })
  expect(findingFacts(sum, { ...CONTEXT, rule })).toBe('3.00 of 10.00')
})

test('writes the amounts of a sentence as the console does', () => {
  expect(tidySentence('1297 USD is above the maximum of 250.5 USD.', 'USD')).toBe(
    '1,297.00 USD is above the maximum of 250.50 USD.',
  )
  expect(tidySentence('Spends at 4.USD.example are blocked.', 'USD')).toBe(
    'Spends at 4.USD.example are blocked.',
  )
})

import { expect, test } from 'vitest'
import { passAdvice } from '../../src/words/next-options.ts'

const AT = new Date('2026-11-17T10:40:00Z')
const BASE = {
  code: 'amount_above_max',
  ...{ vendor: 'sas.se', amount: 297, currency: 'USD', timezone: 'UTC', reason: 'Vendor blocked.' },
  ...{ evaluatedAt: AT, now: new Date(AT.getTime() + 60_000) },
}

function advice(next: object, rest: object = {}): string {
  const { title, text } = passAdvice({
    ...BASE,
    next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null, ...next },
    ...rest,
  })
  return `${title} ${text}`
}

test('names the smaller amount, and that waiting does not help', () => {
  expect(advice({ maxAmountNow: 250, maxAmountWithApproval: 250 })).toBe(
    'Would pass now: up to 250.00 USD at sas.se. Waiting does not help.',
  )
})

test('names the amount that a person can approve', () => {
  expect(advice({ maxAmountNow: 200, maxAmountWithApproval: 250 })).toBe(
    'Would pass now: up to 200.00 USD at sas.se, or up to 250.00 USD with a person’s approval. Waiting does not help.',
  )
  expect(advice({ maxAmountNow: 0, maxAmountWithApproval: 400 })).toBe(
    'Would pass now: this amount at sas.se with a person’s approval. Waiting does not help.',
  )
})

test('names the time from which the same spend passes', () => {
  expect(advice({ maxAmountNow: 0, retryAfter: '2026-11-18T07:00:00Z' })).toBe(
    'Would pass later. The same spend passes from 18 November, 07:00.',
  )
})

test('says why nothing would pass', () => {
  expect(advice({})).toBe('Nothing about this spend would pass now: Vendor blocked.')
})

test('speaks of the past once the decision is older than ten minutes', () => {
  const now = new Date(AT.getTime() + 3_600_000)
  expect(advice({ maxAmountNow: 250 }, { now })).toBe(
    'Would have passed then: up to 250.00 USD at sas.se. Waiting does not help.',
  )
})

test('names no other amount for a duplicate, which would get around the rule', () => {
  const next = { maxAmountNow: 40, maxAmountWithApproval: 60, retryAfter: '2026-11-17T10:50:00Z' }
  expect(advice(next, { code: 'duplicate_transaction' })).toBe(
    'Would pass later. The same spend passes from 10:50.',
  )
})

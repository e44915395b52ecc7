import { describe, expect, test } from 'vitest'
import { readDelegation } from '../../../../src/paths/acp/drop-in/delegation-request.ts'

const METHOD = { type: 'card', card_number_type: 'network_token', number: 'main' }
const ALLOWANCE = {
  reason: 'one_time',
  max_amount: 4_500,
  currency: 'usd',
  checkout_session_id: 'cs_1',
  merchant_id: 'acct_1',
  expires_at: '2026-10-15T12:00:00Z',
}

function reading(allowance: object, body: object = {}) {
  return () =>
    readDelegation({
      payment_method: METHOD,
      allowance: { ...ALLOWANCE, ...allowance },
      metadata: { order: '7' },
      ...body,
    })
}

describe('a request for a token', () => {
  test('is read with its amount in the minor unit of its currency', () => {
    expect(reading({})()).toEqual({
      instrumentId: 'main',
      maxAmount: 45_000_000n,
      currency: 'USD',
      sessionId: 'cs_1',
      merchantId: 'acct_1',
      endsAt: Date.parse('2026-10-15T12:00Z'),
      metadata: { order: '7' },
    })
    expect(reading({ currency: 'jpy' })().maxAmount).toBe(4_500_000_000n)
    expect(reading({ max_amount: 1 })().maxAmount).toBe(10_000n)
  })

  test.each<[string, unknown]>([
    ['max_amount', 0],
    ['max_amount', -1],
    ['max_amount', 0.5],
    ['max_amount', '4500'],
    ['max_amount', Number.MAX_SAFE_INTEGER],
    ['max_amount', undefined],
    ['currency', 'USD'],
    ['currency', 'xxq'],
    ['currency', 'usdc'],
    ['currency', 7],
    ['reason', 'recurring'],
    ['checkout_session_id', '..'],
    ['checkout_session_id', 7],
    ['merchant_id', null],
    ['expires_at', 'tomorrow'],
    ['expires_at', 1_800_000_000],
    ['expires_at', '2026-13-15T12:00:00Z'],
  ])('is refused with %s %o', (name, value) => {
    expect(reading({ [name]: value })).toThrow(`$.allowance.${name}`)
  })

  test('names an instrument, and never a card number', () => {
    const method = (change: object) => ({ payment_method: { ...METHOD, ...change } })
    expect(reading({}, method({ card_number_type: 'fpan' }))).toThrow('card numbers')
    expect(reading({}, method({ number: '4242424242424242' }))).toThrow('card numbers')
    expect(reading({}, method({ number: 7 }))).toThrow('$.payment_method.number')
    expect(reading({}, method({ type: 'bank' }))).toThrow('$.payment_method.type')
    expect(() => readDelegation([])).toThrow('must be a JSON object')
  })

  test('has metadata of at most 50 short strings', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'text']))
    expect(Object.keys(reading({}, { metadata: many(50) })().metadata)).toHaveLength(50)
    for (const metadata of [many(51), { order: 7 }, { order: 'x'.repeat(10_000) }, 'text']) {
      expect(reading({}, { metadata })).toThrow('$.metadata')
    }
  })
})

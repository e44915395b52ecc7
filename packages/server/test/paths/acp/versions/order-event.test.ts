import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSignedByMerchant } from '../../../../src/paths/acp/orders/orders-door.ts'
import {
  moneyBackOf,
  type OrderEvent,
  readOrderEvent,
} from '../../../../src/paths/acp/versions/order-event.ts'
import { exampleOf, examplesOf, PUBLISHED } from '../../../support/acp/published.ts'

function eventOf(data: object): OrderEvent {
  const event = readOrderEvent({
    type: 'order_update',
    data: { checkout_session_id: 'cs_1', ...data },
  })
  assert(!('unreadable' in event))
  return event
}

const refund = (changes: object = {}) => ({
  id: 'adj_1',
  type: 'refund',
  status: 'completed',
  amount: 500,
  currency: 'usd',
  ...changes,
})
const backOf = (adjustment: object, currency = 'USD') =>
  moneyBackOf(eventOf({ adjustments: [adjustment] }), currency)

const orders = examplesOf('2026-04-17').filter(({ name }) => /^orders\/[^ ]+$/.test(name))

test.each(orders.map(({ name, value }) => [name, value]))(
  'the published %s is read',
  (_name, value) => {
    expect(eventOf(value)).toMatchObject({
      sessionId: value.checkout_session_id,
      orderId: value.id,
      status: value.status ?? null,
    })
  },
)

test('a published refund gives its amount back', () => {
  const refunded = orders.find(({ name }) => name.includes('refunded'))
  expect(moneyBackOf(eventOf(refunded?.value), 'USD')).toEqual([
    { id: 'adj_refund_1', amount: 325_160_000n },
  ])
})

test.each(PUBLISHED)(
  'the older events that %s publishes are read, with refunds by their place',
  (version) => {
    const created = readOrderEvent(exampleOf(version, 'webhook_order_create_event'))
    const updated = readOrderEvent(exampleOf(version, 'webhook_order_update_event'))
    assert(!('unreadable' in created) && !('unreadable' in updated))
    expect(created).toMatchObject({
      sessionId: 'checkout_session_123',
      orderId: null,
      status: 'created',
      adjustments: [],
    })
    expect(moneyBackOf(updated, 'USD')).toEqual([{ id: 'refunds[0]', amount: 1_000_000n }])
  },
)

describe('money comes back', () => {
  test.each(['refund', 'cancellation', 'return', 'price_adjustment'])('by a %s', (type) => {
    expect(backOf(refund({ type }))).toEqual([{ id: 'adj_1', amount: 5_000_000n }])
  })

  test('by the minor unit of the currency that was paid', () => {
    expect(backOf(refund({ currency: 'jpy' }), 'JPY')).toEqual([
      { id: 'adj_1', amount: 500_000_000n },
    ])
    expect(backOf(refund({ currency: undefined }), 'KWD')).toEqual([
      { id: 'adj_1', amount: 500_000n },
    ])
  })

  test.each([
    ['a credit', { type: 'credit' }],
    ['an exchange', { type: 'exchange' }],
    ['a dispute', { type: 'dispute' }],
    ['what has failed', { status: 'failed' }],
    ['another currency', { currency: 'eur' }],
    ['an unknown currency', { currency: 'dollars' }],
    ['a negative amount', { amount: -500 }],
    ['an amount with decimals', { amount: 0.5 }],
    ['no amount', { amount: undefined }],
  ])('but not by %s', (_what, changes) => {
    expect(backOf(refund(changes))).toEqual([{ id: 'adj_1', amount: 0n }])
  })

  test('by an older refund of the payment, but not by store credit', () => {
    const refunds = [
      { type: 'store_credit', amount: 500 },
      { type: 'original_payment', amount: 300 },
    ]
    expect(moneyBackOf(eventOf({ refunds }), 'USD')).toEqual([
      { id: 'refunds[0]', amount: 0n },
      { id: 'refunds[1]', amount: 3_000_000n },
    ])
  })

  test.each([0.5, '500', 2 ** 53])('and an amount of %o is not kept', (amount) => {
    const { adjustments } = eventOf({ adjustments: [refund({ amount })] })
    expect(adjustments).toMatchObject([{ id: 'adj_1', amountMinor: null }])
  })

  test('and what is pending says nothing, because it may be old news of what has ended', () => {
    expect(backOf(refund({ status: 'pending' }))).toEqual([])
  })
})

test('an adjustment counts once, whatever else the snapshot holds', () => {
  const event = eventOf({
    adjustments: [refund(), refund({ amount: 900 }), { type: 'refund' }],
    refunds: [{ type: 'original_payment', amount: 500 }],
  })
  expect(moneyBackOf(event, 'USD')).toEqual([{ id: 'adj_1', amount: 5_000_000n }])
})

test('an event without an order or its session is not read, and nothing makes it throw', () => {
  expect(readOrderEvent({ type: 'order_create' })).toEqual({ unreadable: expect.any(String) })
  expect(readOrderEvent({ data: { id: 'ord_1' } })).toEqual({ unreadable: expect.any(String) })
  const fields = fc.constantFrom('adjustments', 'refunds', 'id', 'status', 'permalink_url')
  fc.assert(
    fc.property(fc.dictionary(fields, fc.jsonValue()), fc.jsonValue(), (data, body) => {
      moneyBackOf(eventOf({ ...data, checkout_session_id: 'cs_1' }), 'USD')
      readOrderEvent(body)
    }),
  )
})

describe('a signature', () => {
  const secret = 'whsec_1'
  const body = Buffer.from('{"type":"order_create"}')
  const now = Date.UTC(2026, 10, 16)
  const sign = (at: number, key = secret, bytes = body) => {
    const seconds = Math.floor(at / 1_000)
    return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${bytes}`).digest('hex')}`
  }
  const isFine = (header: string | undefined) => isSignedByMerchant({ header, body, secret }, now)

  test('is good for five minutes in either direction', () => {
    for (const at of [now, now - 300_000, now + 300_000]) expect(isFine(sign(at))).toBe(true)
    for (const at of [now - 301_000, now + 301_000]) expect(isFine(sign(at))).toBe(false)
  })

  test('is good in capitals', () => {
    expect(isFine(sign(now).replace(/v1=.*/, (text) => `v1=${text.slice(3).toUpperCase()}`))).toBe(
      true,
    )
  })

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is by another secret', sign(now, 'whsec_2')],
    ['is of another body', sign(now, secret, Buffer.from('{}'))],
    ['has no time', sign(now).replace(/^t=\d+,/, '')],
    ['has another time', sign(now).replace(/^t=\d+/, `t=${now / 1_000 - 1}`)],
    ['is cut', sign(now).slice(0, -1)],
    ['has more behind it', `${sign(now)},v1=${'0'.repeat(64)}`],
  ])('that %s is refused', (_what, header) => {
    expect(isFine(header)).toBe(false)
  })
})

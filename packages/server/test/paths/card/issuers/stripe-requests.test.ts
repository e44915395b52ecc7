import { describe, expect, test } from 'vitest'
import type { CardRequest } from '../../../../src/paths/card/issuers/issuer.ts'
import { stripe } from '../../../../src/paths/card/issuers/stripe.ts'
import { sample } from '../../../support/card/samples.ts'

const MERCHANT = {
  network: 'visa',
  id: '100200300400',
  name: 'EXAMPLE SAAS INC',
  url: null,
  mcc: '5734',
  country: 'US',
}

const FIRST: CardRequest = {
  kind: 'request',
  requestId: 'iauth_test_A1:0',
  authorizationId: 'iauth_test_A1',
  index: 0,
  isLive: false,
  type: 'authorization',
  card: { externalId: 'ic_test_1', last4: '4242', state: 'active' },
  amount: 49_000_000n,
  total: null,
  currency: 'USD',
  merchantAmount: 49_000_000n,
  merchantCurrency: 'USD',
  merchant: MERCHANT,
  initiator: 'unknown',
  partialSupported: false,
  at: Date.UTC(2026, 0, 1),
  echo: null,
}

const noHeader = () => undefined
const read = (body: unknown) => stripe.readRequest(body, noHeader)

/** A request that was never sent before, with the same amount for the merchant. */
function first(id: string, amount: bigint, more: Partial<CardRequest> = {}): CardRequest {
  const named = { requestId: `${id}:0`, authorizationId: id }
  return { ...FIRST, ...named, amount, merchantAmount: amount, ...more }
}

describe('a request of Stripe', () => {
  test.each<[string, CardRequest]>([
    ['01_request_initial', FIRST],
    [
      '03_request_increment',
      {
        ...FIRST,
        requestId: 'iauth_test_A1:1',
        index: 1,
        amount: 15_000_000n,
        merchantAmount: 15_000_000n,
        at: Date.UTC(2026, 0, 1, 1),
      },
    ],
    [
      '16_request_fx',
      first('iauth_test_FX', 124_500_000n, {
        merchantAmount: 98_000_000n,
        merchantCurrency: 'GBP',
        merchant: { ...MERCHANT, name: 'EXAMPLE UK LTD', country: 'GB' },
      }),
    ],
    [
      '17_request_zero_decimal',
      first('iauth_test_JPY', 33_100_000n, {
        merchantAmount: 5_000_000_000n,
        merchantCurrency: 'JPY',
        merchant: { ...MERCHANT, name: 'EXAMPLE KK', country: 'JP' },
      }),
    ],
    [
      '18_request_partial_capable',
      first('iauth_test_P1', 100_000_000n, {
        partialSupported: true,
        merchant: { ...MERCHANT, name: 'EXAMPLE FUEL', mcc: '5542' },
      }),
    ],
    ['19_request_account_verification', first('iauth_test_Z', 0n, { type: 'verification' })],
    [
      '24_request_gambling',
      first('iauth_test_G1', 25_000_000n, {
        merchant: { ...MERCHANT, name: 'EXAMPLE BETS', mcc: '7995' },
      }),
    ],
    [
      '25_request_unknown_card',
      first('iauth_test_U1', 49_000_000n, {
        card: { externalId: 'ic_test_unknown', last4: '4242', state: 'active' },
      }),
    ],
  ])('%s is read', (file, expected) => {
    expect(read(sample(`stripe/${file}`))).toEqual(expected)
  })

  test('for less than the cash that is handed out is all or nothing', () => {
    const body = sample('stripe/18_request_partial_capable')
    body.data.object.pending_request.amount_details.cashback_amount = 2_000
    expect(read(body)).toMatchObject({ partialSupported: false })
  })

  test('in a currency without or with three decimals is read in its own unit', () => {
    const body = sample('stripe/01_request_initial')
    const amounts = ['jpy', 'kwd', 'huf'].map((currency) => {
      Object.assign(body.data.object.pending_request, { amount: 4_900, currency })
      return read(body)
    })
    expect(amounts).toMatchObject([
      { amount: 4_900_000_000n, currency: 'JPY' },
      { amount: 4_900_000n, currency: 'KWD' },
      { amount: 49_000_000n, currency: 'HUF' },
    ])
  })

  test('that is another event is not for us', () => {
    expect(read(sample('stripe/02_created_approved'))).toMatchObject({
      unread: 'other',
    })
  })

  test.each<[string, (body: ReturnType<typeof sample>) => void]>([
    ['type', (body) => delete body.type],
    ['created', (body) => Object.assign(body, { created: '1767225600' })],
    ['data', (body) => Object.assign(body, { data: [] })],
    ['data.object.id', (body) => Object.assign(body.data.object, { id: 'a\u0000b' })],
    ['data.object.card', (body) => Object.assign(body.data.object, { card: 'ic_test_1' })],
    ['data.object.pending_request', (body) => delete body.data.object.pending_request],
    [
      'data.object.pending_request.amount',
      (body) => Object.assign(body.data.object.pending_request, { amount: -1 }),
    ],
    [
      'data.object.pending_request.amount',
      (body) => Object.assign(body.data.object.pending_request, { amount: 1e15 }),
    ],
    [
      'data.object.request_history',
      (body) => Object.assign(body.data.object, { request_history: {} }),
    ],
  ])('without a usable %s is malformed', (field, spoil) => {
    const body = sample('stripe/01_request_initial')
    spoil(body)
    expect(read(body)).toEqual({
      unread: 'malformed',
      why: `The field ${field} cannot be read.`,
    })
  })

  test('with a name of any length and with control characters is cut and cleaned', () => {
    const body = sample('stripe/01_request_initial')
    body.data.object.merchant_data.name = `A\u0000B\ud800${'x'.repeat(300)}`
    const request = read(body)
    expect(request).toMatchObject({ merchant: { name: `A B ${'x'.repeat(196)}` } })
  })
})

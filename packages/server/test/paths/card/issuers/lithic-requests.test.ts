import { describe, expect, test } from 'vitest'
import type { CardRequest } from '../../../../src/paths/card/issuers/issuer.ts'
import { lithic } from '../../../../src/paths/card/issuers/lithic.ts'
import { sample } from '../../../support/card/samples.ts'

const MERCHANT = {
  network: 'visa',
  id: '174030075991',
  name: 'EXAMPLE SAAS INC',
  url: null,
  mcc: '5734',
  country: 'US',
}

const FIRST: CardRequest = {
  kind: 'request',
  requestId: 'fabd829d-7f7b-4432-a8f2-07ea4889aaac:aaaaaaaa-0000-4000-8000-000000000001',
  authorizationId: 'fabd829d-7f7b-4432-a8f2-07ea4889aaac',
  index: null,
  isLive: null,
  type: 'authorization',
  card: { externalId: '7ef7d65c-9023-4da3-b113-3b8583fd7951', last4: '4142', state: 'active' },
  amount: 49_000_000n,
  total: null,
  currency: 'USD',
  merchantAmount: 49_000_000n,
  merchantCurrency: 'USD',
  merchant: MERCHANT,
  initiator: 'cardholder',
  partialSupported: false,
  at: Date.UTC(2026, 0, 1),
  echo: 'fabd829d-7f7b-4432-a8f2-07ea4889aaac',
}

const noHeader = () => undefined
const read = (body: unknown) => lithic.readRequest(body, noHeader)

/** A request about another transaction, whose token begins with this digit eight times. */
function other(digit: string, more: Partial<CardRequest>): CardRequest {
  const token = `${digit.repeat(8)}-7f7b-4432-a8f2-07ea4889aaac`
  const requestId = `${token}:aaaaaaaa-0000-4000-8000-000000000001`
  return { ...FIRST, requestId, authorizationId: token, echo: token, ...more }
}

describe('a request of Lithic', () => {
  test.each<[string, CardRequest]>([
    ['01_asa_authorization', FIRST],
    [
      '02_asa_increment',
      {
        ...FIRST,
        requestId: 'fabd829d-7f7b-4432-a8f2-07ea4889aaac:aaaaaaaa-0000-4000-8000-000000000002',
        amount: 15_000_000n,
        merchantAmount: 15_000_000n,
        at: Date.UTC(2026, 0, 1, 1),
      },
    ],
    [
      '03_asa_fx',
      other('1', {
        amount: 124_500_000n,
        merchantAmount: 98_000_000n,
        merchantCurrency: 'GBP',
        merchant: { ...MERCHANT, name: 'EXAMPLE UK LTD', country: 'GB' },
      }),
    ],
    [
      '04_asa_partial_capable',
      other('2', {
        amount: 100_000_000n,
        merchantAmount: 100_000_000n,
        merchant: { ...MERCHANT, name: 'EXAMPLE BISTRO', mcc: '5812' },
        partialSupported: true,
      }),
    ],
    ['05_asa_balance_inquiry', other('3', { type: 'credit', amount: 0n, merchantAmount: 0n })],
    [
      '06_asa_credit_authorization',
      other('4', { type: 'credit', amount: 0n, merchantAmount: -10_000_000n }),
    ],
    [
      '07_asa_financial_authorization',
      other('5', {
        amount: 40_000_000n,
        merchantAmount: 40_000_000n,
        merchant: { ...MERCHANT, name: 'EXAMPLE ATM', mcc: '6011' },
      }),
    ],
    ['08_asa_paused_card', other('6', { card: { ...FIRST.card, state: 'paused' } })],
  ])('%s is read', (file, expected) => {
    expect(read(sample(`lithic/${file}`))).toEqual(expected)
  })

  test('that a call of ASA sends without the name of an event is read the same', () => {
    const { event_type: _, ...body } = sample('lithic/01_asa_authorization')
    expect(read(body)).toEqual(FIRST)
  })

  test('without a token of its own is known by what it asks', () => {
    const { event_token: _, ...body } = sample('lithic/01_asa_authorization')
    const requestId =
      'fabd829d-7f7b-4432-a8f2-07ea4889aaac:AUTHORIZATION:2026-01-01T00:00:00Z:49000000:USD'
    expect(read(body)).toEqual({ ...FIRST, requestId })
  })

  test('for nothing is a check of the card', () => {
    const body = sample('lithic/01_asa_authorization')
    body.amounts.hold.amount = 0
    body.amounts.cardholder.amount = 0
    expect(read(body)).toMatchObject({ type: 'verification', amount: 0n })
  })

  test('without a hold, or with one in another currency, is about what the card is billed', () => {
    const body = sample('lithic/01_asa_authorization')
    const asked = [null, { amount: 3_900, currency: 'GBP' }].map((hold) => {
      body.amounts.hold = hold
      return read(body)
    })
    expect(asked).toEqual([FIRST, FIRST])
  })

  test.each([
    [0, 49_000_000n],
    [10_000, 100_000_000n],
  ])('with a hold of %s cents is about the larger of hold and bill', (hold, amount) => {
    const body = sample('lithic/01_asa_authorization')
    body.amounts.hold.amount = hold
    expect(read(body)).toMatchObject({ type: 'authorization', amount })
  })

  test('for more of an older purchase is about as old as its sending', () => {
    const body = sample('lithic/01_asa_authorization')
    const readAfter = (seconds: number) => {
      const time = String(FIRST.at / 1_000 + seconds)
      return lithic.readRequest(body, (name) => (name === 'webhook-timestamp' ? time : undefined))
    }
    expect(readAfter(10)).toEqual(FIRST)
    expect(readAfter(3_600)).toEqual({ ...FIRST, at: Date.UTC(2026, 0, 1, 0, 59, 50) })
  })

  test('by a merchant says so', () => {
    const body = sample('lithic/01_asa_authorization')
    expect(read({ ...body, transaction_initiator: 'MERCHANT' })).toMatchObject({
      initiator: 'merchant',
    })
  })

  test('that is another event is not for us', () => {
    expect(read(sample('lithic/09_tx_pending'))).toMatchObject({ unread: 'other' })
  })

  test.each<[string, (body: ReturnType<typeof sample>) => void]>([
    ['created', (body) => Object.assign(body, { created: '2026-01-01' })],
    ['status', (body) => Object.assign(body, { status: 'SOMETHING' })],
    ['amounts', (body) => delete body.amounts],
    [
      'amounts',
      (body) => {
        body.amounts.hold.amount = -1
        body.amounts.cardholder.amount = -1
      },
    ],
    [
      'amounts.cardholder.currency',
      (body) => Object.assign(body.amounts.cardholder, { currency: 'US' }),
    ],
    ['card.token', (body) => delete body.card.token],
    ['merchant', (body) => Object.assign(body, { merchant: 'EXAMPLE' })],
  ])('without a usable %s is malformed, and its token is still known', (field, spoil) => {
    const body = sample('lithic/01_asa_authorization')
    spoil(body)
    expect(read(body)).toEqual({
      unread: 'malformed',
      why: `The field ${field} cannot be read.`,
      echo: FIRST.echo,
    })
  })
})

import assert from 'node:assert/strict'
import { afterAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../../../src/outbound/outbound-client.ts'
import type { Expected } from '../../../../src/paths/acp/checkout/request.ts'
import { findTerms, requireExpected, type Wish } from '../../../../src/paths/acp/checkout/terms.ts'
import { type Desk, toDesk } from '../../../../src/paths/acp/flow-parts.ts'
import { createIssuers } from '../../../../src/paths/acp/issuers/index.ts'
import type { IssuerName } from '../../../../src/paths/acp/issuers/token-issuer.ts'
import type { AcpMerchant } from '../../../../src/paths/acp/merchant.ts'
import type { Session, SessionHandler } from '../../../../src/paths/acp/versions/version.ts'
import { units } from '../../../core/desk.ts'
import { sessionOf } from '../versions/some-session.ts'

const NOW = Date.parse('2026-10-15T12:00Z')
const MINUTE_MS = 60_000
const PAYEE = 'acct_1234567890'

const outbound = createOutboundClient({ allowLoopback: true, allowedNetworks: [] })
const issuers = createIssuers({ outbound, stripeVersion: '2026-07-29.preview' })
afterAll(() => outbound.close())

const EXAMPLE = sessionOf()

function aSession(change: Partial<Session> = {}): Session {
  return { ...EXAMPLE, expiresAt: null, total: units(50), currency: 'USD', ...change }
}

function aDesk(change: Partial<AcpMerchant> = {}, issuer: IssuerName = 'stripe'): Desk {
  const merchant: AcpMerchant = {
    vendorId: '0198c5a0-0000-7000-8000-0000000000cc',
    host: 'shop.example',
    category: null,
    apiBaseUrl: 'https://shop.example',
    version: '2026-04-17',
    credential: 'merchant-credential',
    webhookSecret: null,
    merchantIds: [PAYEE],
    profileId: 'profile_1',
    handler: null,
    ...change,
  }
  const instrument = {
    id: 'main',
    issuer,
    baseUrl: null,
    paymentMethod: 'pm_1',
    credential: 'instrument-credential',
  }
  const desk = toDesk({ issuers }, merchant, instrument)
  assert(desk)
  return desk
}

function aHandler(change: Partial<SessionHandler> = {}): SessionHandler {
  const [first] = EXAMPLE.handlers
  assert(first)
  return { ...first, ...change }
}

const termsOf = (session: Partial<Session>, desk = aDesk(), wish: Partial<Wish> = {}) =>
  findTerms(aSession(session), desk, { handlerId: undefined, ...wish }, NOW)

describe('a session that is paid', () => {
  test.each(['ready_for_payment', 'authentication_required'] as const)('is %s', (status) => {
    expect(termsOf({ status })).toMatchObject({
      handler: { id: 'card_tokenized' },
      merchantId: PAYEE,
    })
  })

  test.each([
    'not_ready',
    'requires_escalation',
    'in_progress',
    'completed',
    'canceled',
    'expired',
  ] as const)('is never %s', (status) => {
    expect(() => termsOf({ status })).toThrow(`The session is ${status} at the merchant`)
  })

  test('has no order yet', () => {
    const order = { id: 'order_1', permalinkUrl: null, status: null }
    expect(() => termsOf({ order })).toThrow('not ready_for_payment')
  })

  test('has a total above zero', () => {
    expect(() => termsOf({ total: 0n })).toThrow('The total of the session is zero')
    expect(termsOf({ total: 1n }).session.total).toBe(1n)
  })

  test('has at least a minute left', () => {
    expect(() => termsOf({ expiresAt: NOW + MINUTE_MS - 1 })).toThrow('expires within a minute')
    expect(termsOf({ expiresAt: NOW + MINUTE_MS }).tokenEndsAt).toBe(NOW + MINUTE_MS)
  })

  test('gets a token of a quarter of an hour, and never a longer one than it has left', () => {
    expect(termsOf({ expiresAt: null }).tokenEndsAt).toBe(NOW + 15 * MINUTE_MS)
    expect(termsOf({ expiresAt: NOW + 16 * MINUTE_MS }).tokenEndsAt).toBe(NOW + 15 * MINUTE_MS)
    expect(termsOf({ expiresAt: NOW + 14 * MINUTE_MS }).tokenEndsAt).toBe(NOW + 14 * MINUTE_MS)
  })

  test('is in a currency for which the token provider creates tokens', () => {
    expect(() => termsOf({ currency: 'ISK' })).toThrow('no token in ISK')
    expect(() => termsOf({}, aDesk({ profileId: null }))).toThrow('business profile')
  })
})

describe('the handler of a payment', () => {
  test.each<[string, Partial<SessionHandler>]>([
    ['accepts no delegated token', { needsDelegatedToken: false }],
    ['needs card data', { needsCardData: true }],
    ['pays with money of the seller', { isSellerBacked: true }],
    ['has a different payment provider than stripe', { psp: 'adyen' }],
  ])('is never one that %s', (_, change) => {
    const handlers = [aHandler({ id: 'bad', ...change }), aHandler({ id: 'good' })]
    expect(termsOf({ handlers }).handler.id).toBe('good')
    expect(() => termsOf({ handlers }, aDesk(), { handlerId: 'bad' })).toThrow('is not offered')
    expect(() => termsOf({ handlers: handlers.slice(0, 1) })).toThrow('offers no payment handler')
  })

  test('has any payment provider if the token provider is not stripe', () => {
    const handlers = [aHandler({ psp: 'adyen' })]
    expect(termsOf({ handlers }, aDesk({}, 'delegate_payment')).handler.psp).toBe('adyen')
    expect(termsOf({ handlers: [aHandler({ psp: 'Stripe' })] }).handler.psp).toBe('Stripe')
  })

  test('is the requested one', () => {
    const handlers = [aHandler({ id: 'first' }), aHandler({ id: 'second' })]
    expect(termsOf({ handlers }).handler.id).toBe('first')
    expect(termsOf({ handlers }, aDesk(), { handlerId: 'second' }).handler.id).toBe('second')
  })

  test('pays the requested payee', () => {
    const desk = aDesk({ merchantIds: ['acct_a', 'acct_b'] })
    const handlers = ['acct_a', 'acct_b'].map((merchantId) => aHandler({ merchantId }))
    expect(termsOf({ handlers }, desk, { payee: 'acct_b' }).merchantId).toBe('acct_b')
    expect(() => termsOf({ handlers }, desk, { payee: 'acct_c' })).toThrow('no payment handler')
  })

  test('is that of the directory only if the session names none', () => {
    const desk = aDesk({ handler: { id: 'agreed', psp: 'stripe' } })
    const none = { handlers: [], isWithoutHandlers: true }
    expect(termsOf(none, desk)).toMatchObject({ handler: { id: 'agreed' }, merchantId: PAYEE })
    expect(termsOf({}, desk).handler.id).toBe('card_tokenized')
    expect(() => termsOf(none)).toThrow('names no payment handler')
  })
})

describe('the payee of a payment', () => {
  const unnamed = { handlers: [aHandler({ merchantId: null })] }

  test('is one that the directory allows', () => {
    const desk = aDesk({ merchantIds: ['acct_other'] })
    expect(() => termsOf({}, desk)).toThrow('a merchant id that the directory does not allow')
    expect(termsOf({}, aDesk({ merchantIds: ['acct_other', PAYEE] })).merchantId).toBe(PAYEE)
  })

  test('is that of the directory if the session names none and the directory has one', () => {
    expect(termsOf(unnamed).merchantId).toBe(PAYEE)
    const two = aDesk({ merchantIds: [PAYEE, 'acct_other'] })
    expect(() => termsOf(unnamed, two)).toThrow('does not allow')
    expect(() => termsOf(unnamed, aDesk({ merchantIds: [] }))).toThrow('does not allow')
  })
})

describe('the expectations of an agent', () => {
  const expectation = (change: Partial<Expected>) => () =>
    requireExpected(aSession(), {
      amount: undefined,
      maxAmount: undefined,
      currency: undefined,
      ...change,
    })

  test.each<[string, Partial<Expected>]>([
    ['nothing', {}],
    ['exactly the total', { amount: units(50) }],
    ['at most the total', { maxAmount: units(50) }],
    ['its currency', { currency: 'USD' }],
    ['all of it', { amount: units(50), maxAmount: units(50), currency: 'USD' }],
  ])('are met by %s', (_, expected) => {
    expect(expectation(expected)).not.toThrow()
  })

  test.each<[string, Partial<Expected>]>([
    ['not the expected 49.999999', { amount: units(50) - 1n }],
    ['not the expected 50.000001', { amount: units(50) + 1n, maxAmount: units(60) }],
    ['more than the expected 49.999999', { maxAmount: units(50) - 1n, currency: 'USD' }],
    ['not in the expected EUR', { amount: units(50), maxAmount: units(50), currency: 'EUR' }],
  ])('are not met by a total that is %s', (said, expected) => {
    expect(expectation(expected)).toThrow(`The total of the session is 50 USD, ${said}.`)
  })
})

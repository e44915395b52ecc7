import { describe, expect, test } from 'vitest'
import { refuse } from '../../support/acp/idempotency.ts'
import { createPlainBuyer } from '../../support/acp/plain-buyer.ts'
import { violationOf } from '../../support/acp/published.ts'
import { aKey } from '../../support/builders.ts'
import { type Asked, openShopsOnOneApp } from './shop.ts'

const openShop = openShopsOnOneApp()

const MINUTE_MS = 60_000
type Fields = Readonly<Record<string, unknown>>

/** A client that speaks the protocol and knows nothing of Purser, with the key of one agent. */
async function openPlatform(options: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(options)
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const buyer = createPlainBuyer(shop.merchant, shop.psp)
  const ask = (allowance: Fields, asked: Asked = {}, apiKey = key.apiKey) =>
    shop.delegate(apiKey, allowance, asked)
  return { shop, buyer, ask }
}

describe('a client that changed only its base URL', () => {
  test('gets a token of the provider that is worth the total, and the purchase is settled', async () => {
    const { shop, buyer, ask } = await openPlatform()
    const checkout_session_id = shop.merchant.openCheckout()
    const { status, body, transactionId } = await ask({ checkout_session_id })
    expect(status, JSON.stringify(body)).toBe(201)
    const wrong = violationOf('2026-04-17', 'delegate_payment', 'DelegatePaymentResponse', body)
    expect(wrong).toBeUndefined()
    expect(body).toMatchObject({ metadata: { source: 'platform', purser_max_amount: '4500' } })
    expect(shop.psp.tokens).toMatchObject([{ id: body.id, maxMinor: 4_500 }])
    expect(await shop.budget()).toEqual([45, 45, 55])
    expect(await shop.transaction(transactionId)).toMatchObject({ status: 'held' })

    expect((await buyer.complete(checkout_session_id, body.id)).kind).toBe('completed')
    shop.later(MINUTE_MS)
    await shop.becomes(transactionId, 'settled')
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('that never uses its token gets the budget back when the token has ended', async () => {
    const { shop, ask } = await openPlatform()
    const { body, transactionId } = await ask({ checkout_session_id: shop.merchant.openCheckout() })
    shop.psp.expire(body.id)
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('with a provider that cannot be asked is settled by what the merchant shows', async () => {
    const { shop, buyer, ask } = await openPlatform({ issuer: 'delegate_payment' })
    const checkout_session_id = shop.merchant.openCheckout()
    const { body, transactionId } = await ask({ checkout_session_id })
    await buyer.complete(checkout_session_id, body.id)
    shop.later(MINUTE_MS)
    await shop.becomes(transactionId, 'settled')
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('gets the same token again for the same request, however it is written', async () => {
    const { shop, ask } = await openPlatform()
    const headers = { 'idempotency-key': 'once' }
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const first = await ask(allowance, { headers })
    const again = await ask(allowance, { headers })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.headers['idempotency-key']).toBe('once')
    const other = await ask({ ...allowance, max_amount: 7_000 }, { headers })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict'])
    expect(shop.psp.tokens).toHaveLength(1)
  })

  test('gets no token that needs the payer, and the hold is given back', async () => {
    const { shop, ask } = await openPlatform()
    shop.psp.askPayerNext()
    const { status, body, transactionId } = await ask({
      checkout_session_id: shop.merchant.openCheckout(),
    })
    expect([status, body.code]).toEqual([400, 'invalid_card'])
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    const { external } = await shop.transaction(transactionId)
    expect(external.failure).toEqual({ code: 'requires_authentication', retryable: false })
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('gets its token after the provider was away, by asking again with the same key', async () => {
    const { shop, ask } = await openPlatform()
    const headers = { 'idempotency-key': 'patient' }
    shop.psp.failNext('issue', '503', 3)
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const first = await ask(allowance, { headers })
    expect([first.status, first.body.type]).toEqual([503, 'service_unavailable'])
    expect((await ask(allowance, { headers })).status).toBe(201)
    expect(shop.psp.tokens).toHaveLength(1)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })
})

describe('a token that may have been made before its client asked again', () => {
  test('is looked for and revoked before the hold is given back', async () => {
    const { shop, ask } = await openPlatform()
    const headers = { 'idempotency-key': 'unlucky' }
    shop.psp.failNext('issue', 'then_503')
    shop.psp.failNext('issue', '503', 2)
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const first = await ask(allowance, { headers })
    expect(first.status).toBe(503)
    shop.psp.failNext('issue', { answer: refuse(402, 'card_declined') })
    const again = await ask(allowance, { headers })
    expect([again.status, again.body.code]).toEqual([400, 'invalid_card'])
    shop.later(2 * MINUTE_MS)
    await shop.becomes(first.transactionId, 'voided')
    expect(shop.psp.requests.length).toBeGreaterThan(4)
    expect(shop.psp.tokens.filter(({ isRevoked }) => isRevoked)).toHaveLength(1)
  })
})

describe('a client is told no in the words of the protocol', () => {
  test('by the mandate', async () => {
    const { shop, ask } = await openPlatform({ budget: 40 })
    const headers = { 'idempotency-key': 'denied' }
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const first = await ask(allowance, { headers })
    expect(first.body).toMatchObject({
      type: 'invalid_request',
      code: 'mandate_denied',
      param: '$.allowance.max_amount',
    })
    expect(first.status).toBe(403)
    expect(first.transactionId).toMatch(/^txn_/)
    expect((await ask(allowance, { headers })).text).toBe(first.text)
    expect(shop.psp.tokens).toEqual([])
  })

  test('where its key is bound to no agent, or to several, or is none', async () => {
    const { shop, ask } = await openPlatform()
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const unbound = await ask(allowance, {}, shop.acme.apiKey)
    expect([unbound.status, unbound.body.type]).toEqual([403, 'invalid_request'])
    const nobody = await ask(allowance, {}, 'psr_test_nobody')
    expect([nobody.status, nobody.body.code]).toEqual([401, 'unauthorized'])
  })

  test('where it sends the number of a card, or an instrument that is none', async () => {
    const { shop, ask } = await openPlatform()
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const methods = [
      { number: '4242424242424242' },
      { number: '4242 4242 4242 4242', card_number_type: 'fpan', cvc: '123' },
      { card_number_type: 'fpan' },
      { number: 'ins_nobody' },
    ]
    for (const method of methods) {
      const { status, body, text } = await ask(allowance, { method })
      expect([status, body.code]).toEqual([400, 'invalid_card'])
      expect(text).not.toContain('4242')
    }
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('but not for ids of digits, which shops and providers give', async () => {
    const { ask } = await openPlatform()
    const session = await ask({ checkout_session_id: '4242424242424242' })
    expect([session.status, session.body.code]).toEqual([404, 'acp_session_not_found'])
    const merchant = await ask({ checkout_session_id: 'cs_1', merchant_id: '4242424242424242' })
    expect([merchant.status, merchant.body.code]).toEqual([403, 'merchant_not_allowed'])
  })

  test('where version, key or allowance are missing or wrong', async () => {
    const { shop, ask } = await openPlatform()
    const allowance = { checkout_session_id: shop.merchant.openCheckout() }
    const unversioned = await ask(allowance, { headers: { 'api-version': '2020-01-01' } })
    expect(unversioned.status).toBe(400)
    expect(unversioned.body.supported_versions).toContain('2026-04-17')
    const keyless = await ask(allowance, { headers: { 'idempotency-key': '' } })
    expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required'])
    const wrong: readonly (readonly [number, Fields])[] = [
      [403, { merchant_id: 'acct_thief' }],
      [409, { max_amount: 4_499 }],
      [409, { currency: 'eur' }],
      [400, { reason: 'recurring' }],
      [400, { max_amount: 12.5 }],
      [400, { expires_at: '2020-01-01T00:00:00Z' }],
      [404, { checkout_session_id: 'cs_nobody' }],
    ]
    for (const [status, change] of wrong) {
      const refused = await ask({ ...allowance, ...change })
      expect([refused.status, refused.body.type], refused.text).toEqual([status, 'invalid_request'])
    }
    expect(shop.psp.tokens).toEqual([])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSignedByMerchant } from '../../../src/paths/acp/orders/orders-door.ts'
import { entry } from '../../support/acp/checkout-session.ts'
import { type Merchant, startMerchant } from '../../support/acp/merchant.ts'
import { refundOf } from '../../support/acp/order-news.ts'
import { createPlainBuyer, type PlainBuyer, send } from '../../support/acp/plain-buyer.ts'
import { type Psp, startPsp } from '../../support/acp/psp.ts'
import { startReceiver } from '../../support/receiver.ts'

let psp: Psp
let merchant: Merchant
let buyer: PlainBuyer

beforeAll(async () => {
  psp = await startPsp()
  merchant = await startMerchant({ charge: psp.charge })
  buyer = createPlainBuyer(merchant, psp)
})
afterAll(async () => {
  await merchant.stop()
  await psp.stop()
})

const ordersOf = (id: string) => merchant.orders.filter(({ checkoutId }) => checkoutId === id)

test('a token that fits buys the checkout once', async () => {
  const id = merchant.openCheckout()
  const token = await buyer.tokenFor(id)
  expect(await buyer.complete(id, token)).toMatchObject({
    kind: 'completed',
    session: { totalMinor: 4_500, order: { id: expect.any(String) } },
  })
  expect(ordersOf(id)).toMatchObject([{ amountMinor: 4_500, currency: 'usd', token }])
  expect(psp.tokens.find(({ id: other }) => other === token)).toMatchObject({
    capturedMinor: 4_500,
  })
})

test.each<[string, object]>([
  ['another merchant', { merchant_id: 'acct_other' }],
  ['another checkout', { checkout_session_id: 'cs_other' }],
  ['less money', { max_amount: 4_499 }],
  ['another currency', { currency: 'eur' }],
  ['the past', { expires_at: '2020-01-01T00:00:00Z' }],
])('a token for %s buys nothing', async (_what, allowance) => {
  const id = merchant.openCheckout()
  expect(await buyer.complete(id, await buyer.tokenFor(id, allowance))).toMatchObject({
    kind: 'declined',
    code: 'payment_declined',
  })
  expect(ordersOf(id)).toEqual([])
})

test('a token is charged once', async () => {
  const id = merchant.openCheckout()
  const token = await buyer.tokenFor(id)
  await buyer.complete(id, token)
  merchant.change(id, { status: 'ready_for_payment', order: undefined })
  expect(await buyer.complete(id, token)).toMatchObject({ kind: 'declined' })
  expect(ordersOf(id)).toHaveLength(1)
})

describe('an Idempotency-Key', () => {
  test('gives the first answer again, and refuses another body', async () => {
    const id = merchant.openCheckout()
    const token = await buyer.tokenFor(id)
    const first = await buyer.ask(`${id}/complete`, buyer.completionOf(id, token), `key-${id}`)
    const again = await buyer.ask(`${id}/complete`, buyer.completionOf(id, token), `key-${id}`)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await buyer.ask(`${id}/complete`, buyer.completionOf(id, 'vt_other'), `key-${id}`)
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_conflict' } })
  })

  test('waits for the first request', async () => {
    const id = merchant.openCheckout()
    const token = await buyer.tokenFor(id)
    let letGo = () => {}
    merchant.failNext('complete', { until: new Promise<void>((resolve) => (letGo = resolve)) })
    const seen = merchant.requests.length
    const first = buyer.complete(id, token, `key-${id}`)
    await expect.poll(() => merchant.requests.length).toBeGreaterThan(seen)
    expect(await buyer.complete(id, token, `key-${id}`)).toMatchObject({ kind: 'in_flight' })
    letGo()
    expect(await first).toMatchObject({ kind: 'completed' })
  })

  test('is forgotten after an error of the merchant, although the order was made', async () => {
    const id = merchant.openCheckout()
    const token = await buyer.tokenFor(id)
    merchant.failNext('complete', 'then_503')
    expect(await buyer.complete(id, token, `key-${id}`)).toMatchObject({ kind: 'unknown' })
    expect(await buyer.complete(id, token, `key-${id}`)).toMatchObject({ kind: 'unknown' })
    expect(ordersOf(id)).toHaveLength(1)
    expect(buyer.outcomeOf(await buyer.ask(id))).toMatchObject({ kind: 'completed' })
  })

  test('is asked for', async () => {
    const id = merchant.openCheckout()
    const answer = await buyer.ask(
      `${id}/complete`,
      buyer.completionOf(id, 'vt_1'),
      'x'.repeat(256),
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })
})

describe('prices', () => {
  test('rise between look and completion, as the next look shows', async () => {
    const id = merchant.openCheckout()
    merchant.changeAfterLook(id, { deliveryMinor: 9_900 })
    const [before, after] = [await buyer.ask(id), await buyer.ask(id)]
    expect([before, after].map(({ body }) => body.totals.at(-1).amount)).toEqual([4_500, 13_900])
  })

  test('that rise with the completion itself are stopped by the token', async () => {
    const id = merchant.openCheckout()
    merchant.changeAtCompletion(id, { deliveryMinor: 501 })
    expect(await buyer.complete(id, await buyer.tokenFor(id))).toMatchObject({ kind: 'declined' })
    expect(ordersOf(id)).toEqual([])
  })

  test('may be shown twice', async () => {
    const id = merchant.openCheckout({ totals: [entry('total', 1), entry('total', 2)] })
    expect(buyer.version.readSession((await buyer.ask(id)).body)).toHaveProperty('unreadable')
  })
})

describe('a completion', () => {
  test('is declined inside a 200', async () => {
    const id = merchant.openCheckout()
    merchant.turnNext(id, 'decline')
    expect(await buyer.complete(id, await buyer.tokenFor(id))).toMatchObject({
      code: 'payment_declined',
    })
  })

  test('asks for the payer until the result is there', async () => {
    const authenticationResult = { outcome: 'denied' }
    for (const turn of ['authentication', 'requires_3ds'] as const) {
      const id = merchant.openCheckout()
      const token = await buyer.tokenFor(id)
      merchant.turnNext(id, turn)
      expect(await buyer.complete(id, token)).toMatchObject({ kind: 'authentication' })
      const answer = await buyer.ask(
        `${id}/complete`,
        buyer.completionOf(id, token, { authenticationResult }),
      )
      expect(buyer.outcomeOf(answer)).toMatchObject({ kind: 'completed' })
    }
  })

  test('is under way until it ends one way or the other', async () => {
    for (const end of ['completed', 'declined'] as const) {
      const id = merchant.openCheckout()
      merchant.turnNext(id, 'in_progress')
      expect(await buyer.complete(id, await buyer.tokenFor(id))).toEqual({ kind: 'in_progress' })
      expect(buyer.outcomeOf(await buyer.ask(id))).toEqual({ kind: 'in_progress' })
      merchant.finish(id, end)
      expect(buyer.outcomeOf(await buyer.ask(id))).toMatchObject({ kind: end })
    }
  })

  test('takes the money while the session shows nothing of it', async () => {
    const id = merchant.openCheckout()
    const token = await buyer.tokenFor(id)
    merchant.turnNext(id, 'charge_only')
    expect(await buyer.complete(id, token)).toMatchObject({ kind: 'unknown' })
    // The token is used, so a repeat is declined although the first request was paid.
    expect(await buyer.complete(id, token)).toMatchObject({ kind: 'declined' })
    merchant.finish(id, 'completed')
    expect(buyer.outcomeOf(await buyer.ask(id))).toMatchObject({ kind: 'completed' })
    expect(ordersOf(id)).toHaveLength(1)
  })

  test('is cut off after the order was made', async () => {
    const id = merchant.openCheckout()
    merchant.failNext('complete', 'then_cut')
    await expect(buyer.complete(id, await buyer.tokenFor(id))).rejects.toThrow()
    expect(buyer.outcomeOf(await buyer.ask(id))).toMatchObject({ kind: 'completed' })
  })

  test.each(['503', 'garbage', 'huge'] as const)('that ends in %s says nothing', async (fault) => {
    const id = merchant.openCheckout()
    merchant.failNext('complete', fault)
    expect(await buyer.complete(id, await buyer.tokenFor(id))).toMatchObject({ kind: 'unknown' })
    expect(ordersOf(id)).toEqual([])
  })

  test('of an expired or canceled checkout is over', async () => {
    const id = merchant.openCheckout({ status: 'expired' })
    expect(await buyer.complete(id, 'vt_any')).toMatchObject({ code: 'session_expired' })
    const other = merchant.openCheckout()
    await buyer.ask(`${other}/cancel`, {})
    expect(await buyer.complete(other, 'vt_any')).toMatchObject({ code: 'session_canceled' })
  })

  test('that no schema allows is refused and remembered', async () => {
    const id = merchant.openCheckout()
    const before = merchant.violations.length
    expect((await buyer.ask(`${id}/complete`, { amount: 1 })).status).toBe(400)
    expect(merchant.violations).toHaveLength(before + 1)
  })
})

test('a merchant wants its own credential and version', async () => {
  const id = merchant.openCheckout()
  const url = `${merchant.url}/checkout_sessions/${id}`
  expect((await send(url, {})).status).toBe(401)
  const authorization = `Bearer ${merchant.credential}`
  const answer = await send(url, { headers: { authorization, 'api-version': '2025-09-29' } })
  expect(answer).toMatchObject({ status: 400, body: { supported_versions: ['2026-04-17'] } })
})

test.each(['2026-01-30', '2025-09-29'])('one of %s sells by its own version', async (name) => {
  const shop = await startMerchant({ version: name, charge: psp.charge })
  try {
    const other = createPlainBuyer(shop, psp)
    const id = shop.openCheckout({ currency: 'jpy' })
    expect(other.version.readSession((await other.ask(id)).body)).toMatchObject({
      total: 4_500_000_000n,
      handlers: [{ merchantId: shop.merchantId }],
    })
    const token = await other.tokenFor(id, { currency: 'jpy' })
    expect(await other.complete(id, token)).toMatchObject({ kind: 'completed' })
    expect(shop.orders).toMatchObject([{ amountMinor: 4_500, currency: 'jpy' }])
  } finally {
    await shop.stop()
  }
})

test('it tells the whole of an order, signed', async () => {
  const receiver = await startReceiver()
  try {
    const id = merchant.openCheckout()
    await buyer.complete(id, await buyer.tokenFor(id))
    const adjustments = [refundOf('adj_1', 500)]
    expect(await merchant.sendOrder(receiver.url, id, { adjustments })).toBe(200)
    expect(receiver.received).toHaveLength(1)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    const secret = merchant.webhookSecret
    const header = Object.entries(headers).find(([name]) => name === 'merchant-signature')?.[1]
    const signed = { header: String(header), body: Buffer.from(body), secret }
    expect(isSignedByMerchant(signed, Date.now())).toBe(true)
    expect(JSON.parse(body)).toMatchObject({ data: { checkout_session_id: id, adjustments } })
  } finally {
    await receiver.close()
  }
})

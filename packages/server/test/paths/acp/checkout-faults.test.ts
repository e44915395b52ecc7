import { describe, expect, test } from 'vitest'
import { entry } from '../../support/acp/checkout-session.ts'
import { refuse } from '../../support/acp/idempotency.ts'
import { audit } from '../../support/audit.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

/** The requests to the merchant, apart from those that only look at a session. */
const sentTo = ({ merchant }: Shop) => merchant.requests.filter(({ method }) => method === 'POST')

describe('before anything is decided', () => {
  test.each(['503', 'cut', 'garbage', 'huge'] as const)(
    'a merchant that answers with %s leaves nothing behind',
    async (fault) => {
      const shop = await openShop()
      shop.merchant.failNext('look', fault)
      const fields = { agentId: shop.agentId, vendor: HOST }
      const checkoutSessionId = shop.merchant.openCheckout()
      const answer = await shop.ask({ ...fields, checkoutSessionId })
      expect([422, 502]).toContain(answer.status)
      expect((await shop.acme.get('/transactions')).body.data).toEqual([])
    },
  )
})

describe('a payment that is declined', () => {
  test('inside of a success gives the hold back, once the token is dead', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'decline')
    const failed = await shop.buy(session)
    expect(failed).toMatchObject({
      decision: 'approved',
      status: 'failed',
      failure: { code: 'payment_declined', retryable: false },
      order: null,
    })
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true }])
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect((await shop.buy(session)).status).toBe('completed')
  })

  test('with a lost answer is found by a look, and not sent again', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'decline')
    shop.merchant.failNext('complete', 'then_503')
    expect((await shop.buy(session)).failure?.code).toBe('payment_declined')
    expect(sentTo(shop)).toHaveLength(1)
  })

  test('is spent all the same where the provider says that it was charged', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    // The money is taken, the answer lost, and the repeat is declined because the token is used.
    shop.merchant.turnNext(session, 'charge_only')
    shop.merchant.failNext('complete', 'then_503')
    const bought = await shop.buy(session)
    expect(bought.status).toBe('completed')
    expect(await shop.budget()).toEqual([45, 0, 55])
  })
})

describe('a session that cannot be paid any more', () => {
  test.each([
    ['completed', 'session_completed', false],
    ['canceled', 'session_canceled', false],
    ['not_ready_for_payment', 'session_not_ready', true],
  ])('(%s) is not, and nothing of the token is booked', async (status, code, retryable) => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { status })
    const failed = await shop.buy(session)
    expect(failed).toMatchObject({ status: 'failed', failure: { code, retryable } })
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('is not, where its price is the same but the parts of it are not', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { totals: [entry('total', 4_500)] })
    const failure = { code: 'session_changed', retryable: true }
    expect(await shop.buy(session)).toMatchObject({ status: 'failed', failure })
    expect(sentTo(shop)).toEqual([])
  })
})

describe('an order whose answer is lost', () => {
  test.each(['then_cut', 'then_503'] as const)('(%s) is found by a look', async (fault) => {
    const shop = await openShop()
    shop.merchant.failNext('complete', fault)
    const bought = await shop.buy(shop.merchant.openCheckout())
    expect([bought.status, bought.order !== null]).toEqual(['completed', true])
    expect(shop.merchant.orders).toHaveLength(1)
    expect(sentTo(shop)).toHaveLength(1)
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('is not sent again where its total cannot be read: the provider knows it', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const totals = [entry('total', 4_500), entry('total', 4_500)]
    shop.merchant.changeAtCompletion(session, { totals })
    shop.merchant.failNext('complete', 'then_503')
    expect((await shop.buy(session)).status).toBe('completed')
    expect(sentTo(shop)).toHaveLength(1)
    expect(await shop.budget()).toEqual([45, 0, 55])
  })
})

describe('a merchant that is not there', () => {
  test('for a while is asked again, and sells once', async () => {
    const shop = await openShop()
    shop.merchant.failNext('complete', '503', 2)
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('completed')
    expect(shop.merchant.orders).toHaveLength(1)
  })

  test('because it is busy with the same request is asked again, and sells once', async () => {
    const shop = await openShop()
    shop.merchant.failNext('complete', { answer: refuse(409, 'idempotency_in_flight') })
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('completed')
    expect(shop.merchant.orders).toHaveLength(1)
  })

  test('at all gets nothing: the token is revoked and the hold given back', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.failNext('complete', '503', 5)
    const failed = await shop.buy(session)
    const failure = { code: 'merchant_unavailable', retryable: true }
    expect(failed).toMatchObject({ status: 'failed', failure })
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect((await shop.buy(session)).status).toBe('completed')
  })
})

describe('a token', () => {
  test('that is worth more than was paid holds the rest until it is taken back', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAtCompletion(session, { deliveryMinor: 100 })
    let goOn = () => {}
    const until = new Promise<void>((resolve) => {
      goOn = resolve
    })
    shop.psp.failNext('revoke', { until })
    const asked = shop.buy(session)
    await waitUntil(() => shop.psp.requests.some(({ path }) => path.endsWith('/revoke')))
    expect(await shop.budget()).toEqual([45, 4, 55])
    goOn()
    const { transactionId, status } = await asked
    expect(status).toBe('completed')
    await shop.becomes(transactionId, 'settled')
    expect(await shop.budget()).toEqual([41, 0, 59])
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('that is refused for certain gives the hold back at once', async () => {
    const shop = await openShop()
    shop.psp.failNext('issue', { answer: refuse(402, 'card_declined') })
    const failed = await shop.buy(shop.merchant.openCheckout())
    expect([failed.status, failed.failure !== null]).toEqual(['failed', true])
    expect(sentTo(shop)).toEqual([])
    expect(shop.psp.requests).toHaveLength(1)
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test.each([true, false])('that cannot be had holds nothing; found late: %s', async (isFound) => {
    const shop = await openShop()
    shop.psp.failNext('issue', '503', isFound ? 3 : 4)
    shop.psp.askPayerNext()
    const failed = await shop.buy(shop.merchant.openCheckout())
    const failure = { code: 'issuer_unavailable', retryable: true }
    expect(failed).toMatchObject({ status: 'failed', failure })
    expect(shop.psp.tokens).toMatchObject(isFound ? [{ isRevoked: true }] : [])
    expect(shop.psp.requests.some(({ path }) => path.endsWith('/revoke'))).toBe(isFound)
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('that is refused after an answer was lost is looked for and revoked', async () => {
    const shop = await openShop()
    shop.psp.failNext('issue', 'then_503')
    shop.psp.failNext('issue', { answer: refuse(402, 'card_declined') })
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('failed')
    expect(shop.psp.tokens.filter(({ isRevoked }) => isRevoked)).toHaveLength(1)
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('of which nothing is known is asked for again with the same key', async () => {
    const shop = await openShop()
    shop.psp.failNext('issue', 'then_503')
    shop.psp.failNext('issue', '503')
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('completed')
    expect(shop.psp.tokens.filter(({ capturedMinor }) => capturedMinor > 0)).toHaveLength(1)
    const keys = shop.psp.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
  })
})

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeOnPostgres } from '../../support/database.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { startV1Vendor } from '../../support/x402/v1-vendor.ts'

describeOnChain('a purchase that the gateway makes', () => {
  let mall: Mall
  beforeAll(async () => {
    mall = await startMall()
  })
  afterAll(() => mall?.stop())

  test('gives back what was delivered, moves exactly the price, and is settled at once', async () => {
    const shop = await mall.openShop()
    const { status, body } = await shop.pay({ url: `${shop.vendor.url}/data` })

    const [transfer, ...more] = await shop.moved()
    expect([status, more]).toEqual([200, []])
    expect(transfer).toMatchObject({ to: shop.vendor.payTo, value: 10_000n })
    expect(body).toMatchObject({
      status: 'paid',
      decision: 'approved',
      amount: 0.01,
      vendor: '127.0.0.1',
      remainingBudget: 0.99,
      price: { atomic: '10000', network: 'eip155:84532' },
      payee: { address: shop.vendor.payTo.toLowerCase(), assurance: 'gateway_observed' },
      // The header is a cheque to the bearer: who has the goods does not need it.
      payment: null,
      resource: { status: 200, body: { goods: '/data' }, bodyEncoding: 'json', truncated: false },
      resourceError: null,
      hold: { state: 'settled' },
    })
    expect(body.settlement).toEqual({
      state: 'settled',
      transaction: transfer?.transaction,
      source: 'chain',
      verified: true,
      settledAmount: 0.01,
    })
    expect(await shop.chain.balanceOf(shop.wallet)).toBe(9_990_000n)
    expect(await shop.transaction(body.transactionId)).toMatchObject({
      status: 'settled',
      path: 'x402',
      external: { settlement: 'chain', transaction: transfer?.transaction },
    })
    expect(shop.visits().map(({ headers }) => 'payment-signature' in headers)).toEqual([
      false,
      true,
    ])
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('sends the same method, headers and body twice', async () => {
    const shop = await mall.openShop()
    const { body } = await shop.pay({
      url: `${shop.vendor.url}/echo?page=2`,
      method: 'POST',
      request: {
        headers: { 'Content-Type': 'application/json', 'X-Trace': 'abc' },
        body: '{"q":"tides, größer"}',
      },
    })

    expect(body).toMatchObject({ status: 'paid', amount: 0.02 })
    expect(body.resource?.body).toEqual({ q: 'tides, größer' })
    const asked = { method: 'POST', path: '/echo?page=2', body: { q: 'tides, größer' } }
    expect(shop.visits()).toMatchObject([asked, asked])
    expect(shop.visits().map(({ headers }) => headers['x-trace'])).toEqual(['abc', 'abc'])
    expect((await shop.moved()).map(({ value }) => value)).toEqual([20_000n])
    expect(await shop.budget()).toEqual({ spent: 0.02, held: 0, left: 0.98 })
  })

  test('speaks version 1 to a vendor of version 1', async () => {
    const shop = await mall.openShop()
    const vendor = await startV1Vendor({ facilitator: shop.facilitator })
    onTestFinished(vendor.stop)
    const { body } = await shop.pay({ url: `${vendor.url}/old` })

    expect(body).toMatchObject({
      status: 'paid',
      resource: { body: { goods: '/old' } },
      settlement: { state: 'settled', verified: true },
    })
    expect(vendor.requests.map(({ headers }) => 'x-payment' in headers)).toEqual([false, true])
    expect(vendor.requests.some(({ headers }) => 'payment-signature' in headers)).toBe(false)
    expect(await shop.moved()).toMatchObject([{ to: vendor.payTo, value: 10_000n }])
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('is exact to the smallest unit', async () => {
    const shop = await mall.openShop({ budget: 0.000_002 })
    const url = `${shop.vendor.url}/tiny`
    expect((await shop.pay({ url })).body).toMatchObject({ status: 'paid', amount: 0.000_001 })
    expect(await shop.budget()).toEqual({ spent: 0.000_001, held: 0, left: 0.000_001 })
    expect((await shop.pay({ url })).body.status).toBe('paid')
    expect((await shop.pay({ url })).body.status).toBe('rejected')
    expect((await shop.moved()).map(({ value }) => value)).toEqual([1n, 1n])
    expect(await shop.budget()).toEqual({ spent: 0.000_002, held: 0, left: 0 })
  })

  test('takes the cheapest of several offers that can be paid', async () => {
    const shop = await mall.openShop()
    const { body } = await shop.pay({ url: `${shop.vendor.url}/several` })
    expect(body).toMatchObject({ status: 'paid', amount: 0.03, price: { atomic: '30000' } })
    expect((await shop.moved()).map(({ value }) => value)).toEqual([30_000n])
    expect(await shop.budget()).toEqual({ spent: 0.03, held: 0, left: 0.97 })
  })

  test('is not made where nothing is asked for, and may be tried again', async () => {
    const shop = await mall.openShop()
    const url = `${shop.vendor.url}/free`
    for (const _time of [1, 2]) {
      const { body, headers } = await shop.pay({ url }, 'free-1')
      expect(body).toMatchObject({
        status: 'no_payment_required',
        decision: null,
        transactionId: null,
        resource: { status: 200, body: { goods: '/free' } },
        settlement: null,
        hold: null,
      })
      expect(headers['idempotent-replayed']).toBeUndefined()
    }
    expect(shop.visits()).toHaveLength(2)
    expect((await shop.acme.get('/transactions')).body.data).toEqual([])
    expect(await shop.stored()).toEqual([])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })

  test('is rejected over the budget: nothing is signed, and the vendor sees no payment', async () => {
    const shop = await mall.openShop({ budget: 10, funds: 100_000_000n })
    const { status, body } = await shop.pay({ url: `${shop.vendor.url}/dear` })
    expect([status, body.status, body.decision]).toEqual([200, 'rejected', 'rejected'])
    expect(body).toMatchObject({ resource: null, hold: null, settlement: { state: 'none' } })
    expect(shop.visits()).toHaveLength(1)
    expect(shop.paymentsSeen()).toEqual([])
    expect(await shop.stored()).toEqual([])
    expect(await shop.moved()).toEqual([])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 10 })
  })

  test.each(['/upfront', '/upfront-broken'])(
    'is refused when %s wants its money first',
    async (path) => {
      const shop = await mall.openShop()
      const { status, body } = await shop.pay({ url: `${shop.vendor.url}${path}` })
      expect([status, body.code]).toEqual([422, 'x402_no_acceptable_offer'])
      expect(body.errors).toMatchObject([{ path: '/accepts/0', code: 'flow_not_allowed' }])
      expect(shop.paymentsSeen()).toEqual([])
      expect(await shop.stored()).toEqual([])
      expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
    },
  )

  test('is refused when it is dearer than the agent would have', async () => {
    const shop = await mall.openShop()
    const { status, body } = await shop.pay({
      url: `${shop.vendor.url}/data`,
      maxAmount: 0.009_999,
    })
    expect([status, body.code]).toEqual([422, 'x402_max_amount_exceeded'])
    expect(shop.paymentsSeen()).toEqual([])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })

  test('is refused when nobody has turned it on: the vendor is not even called', async () => {
    const shop = await mall.openShop()
    await shop.acme.patch('/organization', { x402Fetch: false })
    const { status, body } = await shop.pay({ url: `${shop.vendor.url}/free` })
    expect([status, body.code]).toEqual([409, 'x402_fetch_off'])
    expect(shop.visits()).toEqual([])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })
})

describeOnChain('a purchase with an Idempotency-Key', () => {
  describeOnPostgres('that comes more than once', () => {
    let mall: Mall
    beforeAll(async () => {
      mall = await startMall({ engine: 'postgres' })
    })
    afterAll(() => mall?.stop())

    test('is made once, and the delivery given again', async () => {
      const shop = await mall.openShop()
      const url = `${shop.vendor.url}/data`
      const first = await shop.pay({ url }, 'purchase-1')
      const second = await shop.pay({ url }, 'purchase-1')

      expect(first.body.status).toBe('paid')
      expect(first.headers['idempotent-replayed']).toBeUndefined()
      expect(second.body).toEqual(first.body)
      expect(second.headers['idempotent-replayed']).toBe('true')
      expect(shop.visits()).toHaveLength(2)
      expect(await shop.moved()).toHaveLength(1)
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    })

    test('is made once also when eight come at once', async () => {
      const shop = await mall.openShop()
      const url = `${shop.vendor.url}/data`
      const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => shop.pay({ url }, 'k')))
      const bought = answers.filter(({ status }) => status === 200)
      const told = answers.filter(({ status }) => status !== 200)

      expect(bought.length).toBeGreaterThan(0)
      for (const { body } of bought) expect(body).toEqual(bought[0]?.body)
      for (const { status, body, headers } of told) {
        expect([status, body.code]).toEqual([409, 'idempotency_in_flight'])
        expect(headers['retry-after']).toBe('2')
      }
      expect(shop.paymentsSeen()).toHaveLength(1)
      expect(await shop.moved()).toHaveLength(1)
      expect((await shop.pay({ url }, 'k')).body).toEqual(bought[0]?.body)
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    })

    test('is refused for another purchase, and the vendor is not called', async () => {
      const shop = await mall.openShop()
      await shop.pay({ url: `${shop.vendor.url}/data` }, 'k')
      const visits = shop.visits().length
      const other = await shop.pay({ url: `${shop.vendor.url}/several` }, 'k')
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
      expect(shop.visits()).toHaveLength(visits)
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    })
  })
})

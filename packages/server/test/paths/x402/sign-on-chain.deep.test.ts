import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { openShop } from '../../support/x402/shop.ts'
import { startV1Vendor } from '../../support/x402/v1-vendor.ts'

describeOnChain('the gateway that signs', () => {
  let mall: Mall
  beforeAll(async () => {
    mall = await startMall()
  })
  afterAll(() => mall?.stop())

  const openStall = (terms: Parameters<Mall['openShop']>[0] = {}) =>
    mall.openShop({ ...terms, x402Fetch: false })

  describe('a payment that the gateway signs', () => {
    test('is taken by the vendor, moves exactly the price, and is settled', async () => {
      const shop = await openStall()
      const url = `${shop.vendor.url}/data`
      const answer = await shop.pay(await shop.meet(url))

      expect(answer.body).toMatchObject({
        status: 'signed',
        decision: 'approved',
        amount: 0.01,
        vendor: '127.0.0.1',
        remainingBudget: 0.99,
        price: { atomic: '10000', symbol: 'USDC', network: 'eip155:84532', currency: 'USD' },
        payee: { address: shop.vendor.payTo.toLowerCase(), assurance: 'agent_claimed' },
        payment: { headerName: 'PAYMENT-SIGNATURE', x402Version: 2 },
        settlement: { state: 'pending', verified: false },
        hold: { state: 'held' },
        resource: null,
      })
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0.01, left: 0.99 })
      expect(await shop.moved()).toEqual([])

      expect((await shop.redeem(url, answer)).status).toBe(200)
      const [transfer] = await shop.moved()
      expect(transfer).toMatchObject({ to: shop.vendor.payTo, value: 10_000n })
      const transaction = await shop.becomes(answer.body.transactionId, 'settled')
      expect(transaction).toMatchObject({
        path: 'x402',
        settledAmount: 0.01,
        external: { settlement: 'chain', transaction: transfer?.transaction },
      })
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    })

    test('speaks version 1 to a vendor of version 1', async () => {
      const shop = await openStall()
      const vendor = await startV1Vendor({ facilitator: shop.facilitator })
      onTestFinished(vendor.stop)
      const url = `${vendor.url}/old`
      const answer = await shop.pay(await shop.meet(url))

      expect(answer.body.payment).toMatchObject({ headerName: 'X-PAYMENT', x402Version: 1 })
      expect((await shop.redeem(url, answer)).status).toBe(200)
      await shop.becomes(answer.body.transactionId, 'settled')
      expect((await shop.moved()).map(({ value }) => value)).toEqual([10_000n])
    })

    test('is exact to the smallest unit', async () => {
      const shop = await openStall({ budget: 0.000_002 })
      const url = `${shop.vendor.url}/tiny`
      for (let count = 0; count < 2; count += 1) {
        const answer = await shop.pay(await shop.meet(url))
        expect((await shop.redeem(url, answer)).status).toBe(200)
        await shop.becomes(answer.body.transactionId, 'settled')
      }
      expect(await shop.budget()).toEqual({ spent: 0.000_002, held: 0, left: 0 })
      expect((await shop.pay(await shop.meet(url))).body.decision).toBe('rejected')
    })

    test('takes the cheapest offer that can be paid, or the one that is wished for', async () => {
      const shop = await openStall()
      const met = await shop.meet(`${shop.vendor.url}/several`)
      expect((await shop.pay(met)).body.amount).toBe(0.03)
      expect((await shop.pay({ ...met, acceptIndex: 2 })).body.amount).toBe(0.05)
      const refused = await shop.pay({ ...met, acceptIndex: 1 })
      expect([refused.status, refused.body.code]).toEqual([422, 'x402_no_acceptable_offer'])
      expect(refused.body.errors.map(({ code }) => code)).toEqual([
        'network_not_enabled',
        'scheme_unsupported',
      ])
      expect(await shop.budget()).toEqual({ spent: 0.08, held: 0.08, left: 0.92 })
    })

    test('is valid for two minutes at most, however long the vendor would like', async () => {
      const shop = await openStall()
      const url = `${shop.vendor.url}/patient`
      const before = Date.now()
      const answer = await shop.pay(await shop.meet(url))
      const validBefore = Date.parse(answer.body.payment?.validBefore ?? '')
      expect(validBefore).toBeGreaterThan(before)
      expect(validBefore).toBeLessThanOrEqual(Date.now() + 120_000)
      expect((await shop.redeem(url, answer)).status).toBe(200)
    })
  })

  describe('a mandate', () => {
    test('that says no has nothing held, stored or signed', async () => {
      const shop = await openStall({ budget: 10, funds: 100_000_000n })
      const answer = await shop.pay(await shop.meet(`${shop.vendor.url}/dear`))
      expect([answer.status, answer.body.status]).toEqual([200, 'rejected'])
      expect(answer.body).toMatchObject({
        decision: 'rejected',
        evaluationDetails: { code: 'budget_exceeded' },
        payment: null,
        hold: null,
        settlement: { state: 'none' },
      })
      expect(await shop.stored()).toEqual([])
      expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 10 })
    })

    test('lets exactly ten of twenty pass that come at once', async () => {
      const shop = await openStall({ budget: 1 })
      const offer = shop.offer({ amount: '100000' })
      const answers = await Promise.all(Array.from({ length: 20 }, () => shop.pay(offer)))
      const approved = answers.filter(({ body }) => body.decision === 'approved')
      expect(approved).toHaveLength(10)
      expect(new Set(approved.map(({ body }) => body.payment?.nonce)).size).toBe(10)
      expect(await shop.budget()).toEqual({ spent: 1, held: 1, left: 0 })

      for (const { body } of approved) {
        await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
      }
      expect((await shop.moved()).map(({ value }) => value)).toEqual(Array(10).fill(100_000n))
      for (const { body } of approved) await shop.becomes(body.transactionId, 'settled')
      expect(await shop.budget()).toEqual({ spent: 1, held: 0, left: 0 })
    })

    test('has its organization told', async () => {
      const shop = await openStall({ budget: 0.1 })
      const receiver = await startReceiver()
      onTestFinished(receiver.close)
      await shop.acme.patch('/organization', { webhookUrl: receiver.url })
      const offer = shop.offer({ amount: '100000' })
      await shop.pay(offer)
      await shop.pay(offer)
      const told = () => receiver.received.map(({ body }) => JSON.parse(body).event).sort()
      await waitUntil(() => told().length === 4)
      expect(told()).toEqual([
        'mandate.budget.exhausted',
        'mandate.budget.warning',
        'transaction.approved',
        'transaction.rejected',
      ])
    })
  })

  describe('the same Idempotency-Key', () => {
    test('gives the same payment, also at once: one hold, one header, one transfer', async () => {
      const shop = await openStall()
      const url = `${shop.vendor.url}/data`
      const met = await shop.meet(url)
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => shop.pay(met, 'purchase-1')),
      )
      answers.push(await shop.pay(met, 'purchase-1'))

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.payment?.headerValue)).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1)
      const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
      expect(replayed).toHaveLength(12)
      expect(await shop.budget()).toEqual({ spent: 0.01, held: 0.01, left: 0.99 })

      const [first] = answers
      if (!first) throw new Error('There is an answer.')
      const statuses = await Promise.all(
        [1, 2, 3].map(async () => (await shop.redeem(url, first)).status),
      )
      expect(statuses.sort()).toEqual([200, 402, 402])
      expect(await shop.moved()).toHaveLength(1)
    })

    test('is refused for another payment', async () => {
      const shop = await openStall()
      await shop.pay(shop.offer({ amount: '100000' }), 'purchase-1')
      const other = await shop.pay(shop.offer({ amount: '200000' }), 'purchase-1')
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
      expect(await shop.budget()).toEqual({ spent: 0.1, held: 0.1, left: 0.9 })
    })
  })

  describe('a wallet', () => {
    test('that holds too little pays nothing, counting what is promised already', async () => {
      const shop = await openStall({ funds: 150_000n })
      const offer = shop.offer({ amount: '100000' })
      expect((await shop.pay(offer)).body.decision).toBe('approved')
      const poor = await shop.pay(offer)
      expect([poor.status, poor.body.code]).toEqual([422, 'wallet_insufficient_funds'])
      expect(await shop.budget()).toEqual({ spent: 0.1, held: 0.1, left: 0.9 })
    })

    test('shows what it holds', async () => {
      const shop = await openStall({ funds: 2_500_000n })
      const { data } = (await shop.acme.get('/wallets')).body
      expect(data[0]?.balances).toMatchObject([{ symbol: 'USDC', balance: 2.5 }])
    })
  })
})

describeOnChain('a wallet', () => {
  // The chain is stopped, so it has one of its own.
  test('of which the chain cannot be asked pays nothing', async () => {
    const shop = await openShop()
    const offer = shop.offer({})
    await shop.chain.stop()
    const answer = await shop.pay(offer)
    expect([answer.status, answer.body.code]).toEqual([503, 'chain_unavailable'])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })
})

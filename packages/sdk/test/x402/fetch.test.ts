import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../../../server/test/support/tcp-proxy.ts'
import { describeOnChain } from '../../../server/test/support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../../server/test/support/x402/mall.ts'
import { Purser, paymentOf, SpendRejectedError } from '../../src/index.ts'
import { caught } from '../caught.ts'
import { openSdkShop } from './sdk-shop.ts'

describeOnChain('x402.fetch', () => {
  let mall: Mall
  let baseUrl: string
  beforeAll(async () => {
    mall = await startMall()
    baseUrl = await mall.app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => mall?.stop())

  const openShop = (terms?: Parameters<Mall['openShop']>[0]) => openSdkShop(mall, baseUrl, terms)

  test('pays, and returns the response of the vendor with its payment', async () => {
    const { purser, agentId, data, ...shop } = await openShop()
    const response = await purser.x402.fetch(data, undefined, { maxAmount: 0.05, agentId })

    expect(response.status).toBe(200)
    expect(response.url).toBe(data)
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(await response.json()).toEqual({ goods: '/data' })
    const [transfer] = await shop.moved()
    expect(transfer).toMatchObject({ to: shop.vendor.payTo, value: 10_000n })
    expect(paymentOf(response)).toMatchObject({
      status: 'paid',
      amount: 0.01,
      price: { atomic: '10000', symbol: 'USDC' },
      transactionId: expect.stringMatching(/^txn_/),
      settlement: { state: 'settled', verified: true, transaction: transfer?.transaction },
      idempotencyKey: expect.any(String),
    })
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('sends the method, the headers and the body', async () => {
    const { purser, agentId, ...shop } = await openShop()
    const body = JSON.stringify({ q: 'tides' })
    const headers = { 'content-type': 'application/json', 'x-trace': 'abc' }
    const url = new URL(`${shop.vendor.url}/echo#part`)
    const options = { maxAmount: 0.05, agentId }
    for (const it of [body, new TextEncoder().encode(body), new Blob([body])]) {
      const response = await purser.x402.fetch(url, { method: 'post', headers, body: it }, options)
      expect(await response.json()).toEqual({ q: 'tides' })
    }
    expect(shop.visits().at(-1)).toMatchObject({ method: 'POST', path: '/echo', headers })
    expect(await shop.moved()).toHaveLength(3)
  })

  test('returns the response of a vendor that asks for no money', async () => {
    const { purser, agentId, vendor, moved } = await openShop()
    const options = { maxAmount: 0.05, agentId }
    const free = await purser.x402.fetch(new Request(`${vendor.url}/free`), undefined, options)
    expect(await free.json()).toEqual({ goods: '/free' })
    expect(paymentOf(free)).toMatchObject({ status: 'no_payment_required', transactionId: null })
    const missing = await purser.x402.fetch(`${vendor.url}/nothing`, {}, options)
    expect(missing.status).toBe(404)
    expect(await moved()).toEqual([])
  })

  test('throws a rejection with the whole answer', async () => {
    const { purser, agentId, data, moved } = await openShop({ budget: 0.005 })
    const error = await caught(purser.x402.fetch(data, {}, { maxAmount: 1, agentId }))
    expect(error).toBeInstanceOf(SpendRejectedError)
    expect(error).toMatchObject({
      code: 'budget_exceeded',
      idempotencyKey: expect.any(String),
      decision: { status: 'rejected', transactionId: expect.stringMatching(/^txn_/) },
    })
    expect(await moved()).toEqual([])
  })

  test('pays once when the answer of the gateway is lost', async () => {
    const { acme, agentId, data, moved, paymentsSeen, budget } = await openShop()
    const proxy = await startTcpProxy(baseUrl)
    onTestFinished(proxy.close)
    const purser = new Purser({ apiKey: acme.apiKey, baseUrl: proxy.url })
    const lost = proxy.cutAnswerTo('/gateway/x402/pay')
    const response = await purser.x402.fetch(data, {}, { maxAmount: 0.05, agentId })
    expect(await response.json()).toEqual({ goods: '/data' })
    expect(lost.repeats).toBe(1)
    expect(await moved()).toHaveLength(1)
    expect(paymentsSeen()).toHaveLength(1)
    expect(await budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })
})

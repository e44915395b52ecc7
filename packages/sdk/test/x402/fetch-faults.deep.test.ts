import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../server/test/support/receiver.ts'
import { startTcpProxy } from '../../../server/test/support/tcp-proxy.ts'
import { describeOnChain } from '../../../server/test/support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../../server/test/support/x402/mall.ts'
import { Purser, paymentOf, ValidationError } from '../../src/index.ts'
import { caught } from '../caught.ts'
import { openSdkShop } from './sdk-shop.ts'

describeOnChain('x402.fetch with faults', () => {
  let mall: Mall
  let baseUrl: string
  beforeAll(async () => {
    mall = await startMall()
    baseUrl = await mall.app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => mall?.stop())

  const openShop = (terms?: Parameters<Mall['openShop']>[0]) => openSdkShop(mall, baseUrl, terms)

  test('does not pay a price above maxAmount', async () => {
    const { purser, agentId, data, moved } = await openShop()
    const error = await caught(purser.x402.fetch(data, {}, { maxAmount: 0.009999, agentId }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ code: 'x402_max_amount_exceeded', outcomeUnknown: false })
    expect(await moved()).toEqual([])
  })

  test('does not follow a redirect, and asks the gateway once', async () => {
    const { purser, agentId } = await openShop()
    const vendor = await startReceiver((response) =>
      response.writeHead(302, { location: 'http://other.example/data' }).end(),
    )
    onTestFinished(vendor.close)
    const error = await caught(purser.x402.fetch(vendor.url, {}, { maxAmount: 0.05, agentId }))
    expect(error).toMatchObject({
      code: 'upstream_redirect',
      outcomeUnknown: false,
      problem: { location: 'http://other.example/data' },
    })
    expect(vendor.received).toHaveLength(1)
  })

  test('pays once when the caller repeats a call whose outcome it does not know', async () => {
    const { acme, agentId, data, moved, budget } = await openShop()
    const proxy = await startTcpProxy(baseUrl)
    onTestFinished(proxy.close)
    const purser = new Purser({ apiKey: acme.apiKey, baseUrl: proxy.url, retries: 0 })
    proxy.cutAnswerTo('/gateway/x402/pay')
    const options = { maxAmount: 0.05, agentId }
    const error = await caught(purser.x402.fetch(data, {}, options))
    expect(error).toMatchObject({ code: 'network_error', outcomeUnknown: true })
    const { idempotencyKey } = error as { idempotencyKey: string }
    const again = await purser.x402.fetch(data, {}, { ...options, idempotencyKey, retries: 4 })
    expect(await again.json()).toEqual({ goods: '/data' })
    expect(paymentOf(again)?.idempotencyKey).toBe(idempotencyKey)
    expect(await moved()).toHaveLength(1)
    expect(await budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('ends at its own timeout, with the key of the payment', async () => {
    const { acme, agentId, data, moved } = await openShop()
    const proxy = await startTcpProxy(baseUrl)
    onTestFinished(proxy.close)
    const purser = new Purser({ apiKey: acme.apiKey, baseUrl: proxy.url })
    const resume = proxy.stallAnswerTo('/gateway/x402/pay')
    const options = { maxAmount: 0.05, agentId, idempotencyKey: 'order-1', retries: 50 }
    const error = await caught(purser.x402.fetch(data, {}, { ...options, timeoutMs: 200 }))
    resume()
    expect(error).toMatchObject({
      code: 'timeout',
      outcomeUnknown: true,
      idempotencyKey: 'order-1',
    })
    expect((await purser.x402.fetch(data, {}, options)).status).toBe(200)
    expect(await moved()).toHaveLength(1)
  })

  test('says that the outcome is unknown if the vendor takes the payment and fails', async () => {
    const { purser, agentId, vendor, paymentsSeen } = await openShop()
    const url = `${vendor.url}/broken`
    const options = { maxAmount: 0.05, agentId }
    const error = await caught(purser.x402.fetch(url, {}, options))
    expect(error).toMatchObject({
      name: 'X402Error',
      code: 'settlement_unknown',
      moneyMoved: 'maybe',
      outcomeUnknown: true,
      payment: { hold: { state: 'held' } },
    })
    const { idempotencyKey, response } = error as { idempotencyKey: string; response: Response }
    expect(response.status).toBe(500)
    const again = await caught(purser.x402.fetch(url, {}, { ...options, idempotencyKey }))
    expect(again).toMatchObject({ code: 'settlement_unknown' })
    expect(new Set(paymentsSeen()).size).toBe(1)
  })

  test('says that the money moved if the vendor was paid and failed', async () => {
    const { purser, agentId, data, moved } = await openShop()
    mall.facilitator.faults.settle = 'settle_then_refuse'
    onTestFinished(() => {
      mall.facilitator.faults.settle = 'none'
    })
    const error = await caught(purser.x402.fetch(data, {}, { maxAmount: 0.05, agentId }))
    expect(error).toMatchObject({ code: 'paid_not_delivered', moneyMoved: 'yes' })
    expect(error).toHaveProperty('response.status', 402)
    expect(await moved()).toHaveLength(1)
  })
})

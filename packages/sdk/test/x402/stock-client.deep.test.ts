import { findDefaultAsset } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../../../server/test/support/tcp-proxy.ts'
import { NETWORK } from '../../../server/test/support/x402/chain.ts'
import { describeOnChain } from '../../../server/test/support/x402/describe-on-chain.ts'
import {
  askV2,
  type HostileVendor,
  startHostileVendor,
} from '../../../server/test/support/x402/hostile-vendor.ts'
import { type Mall, startMall } from '../../../server/test/support/x402/mall.ts'
import { startV1Vendor } from '../../../server/test/support/x402/v1-vendor.ts'
import { Purser, SpendRejectedError } from '../../src/index.ts'
import {
  createPurserGuard,
  createPurserScheme,
  type PurserSchemeOptions,
} from '../../src/x402/index.ts'
import { caught } from '../caught.ts'

describeOnChain('the stock x402 client', () => {
  let mall: Mall
  let liar: HostileVendor
  let baseUrl: string
  beforeAll(async () => {
    mall = await startMall()
    liar = await startHostileVendor()
    baseUrl = await mall.app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await liar?.stop()
    await mall?.stop()
  })

  async function openShop(
    terms: Parameters<Mall['openShop']>[0] = {},
    options: Partial<PurserSchemeOptions> = {},
    gateway = baseUrl,
  ) {
    const shop = await mall.openShop({ x402Fetch: false, ...terms })
    const purser = new Purser({ apiKey: shop.acme.apiKey, baseUrl: gateway })
    const { agentId } = shop
    const fields = { agentId, maxAmount: 0.05, findDefaultAsset, ...options }
    const { scheme, fetch } = createPurserScheme(purser, fields)
    const client = new x402Client().register('eip155:*', scheme).registerV1('base-sepolia', scheme)
    return { ...shop, client, scheme, fetch: wrapFetchWithPayment(fetch, client), watched: fetch }
  }

  test('pays a vendor of version 2 with the scheme that has no key', async () => {
    const shop = await openShop()
    const response = await shop.fetch(`${shop.vendor.url}/data`)
    expect(await response.json()).toEqual({ goods: '/data' })
    expect(await shop.moved()).toMatchObject([{ to: shop.vendor.payTo, value: 10_000n }])
    const [transaction] = (await shop.acme.get(`/transactions?agentId=${shop.agentId}`)).body.data
    await shop.becomes(transaction?.transactionId ?? '', 'settled')
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('pays a vendor of version 1', async () => {
    const shop = await openShop()
    const vendor = await startV1Vendor({ facilitator: shop.facilitator })
    onTestFinished(vendor.stop)
    expect((await shop.fetch(`${vendor.url}/old`)).status).toBe(200)
    expect(await shop.moved()).toHaveLength(1)
  })

  test('sends a body again with the payment', async () => {
    const shop = await openShop()
    const response = await shop.fetch(`${shop.vendor.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer mine' },
      body: '{"q":"tides"}',
    })
    expect(await response.json()).toEqual({ q: 'tides' })
    expect(shop.visits().at(-1)?.headers.authorization).toBe('Bearer mine')
  })

  test('pays the offer that the client selects', async () => {
    const shop = await openShop()
    shop.client.registerPolicy((_version, offers) =>
      offers.filter(({ amount }) => amount === '50000'),
    )
    expect((await shop.fetch(`${shop.vendor.url}/several`)).status).toBe(200)
    expect(await shop.moved()).toMatchObject([{ value: 50_000n }])
  })

  test('works without the tokens of @x402/evm if the client leaves the limits to Purser', async () => {
    const shop = await openShop()
    const purser = new Purser({ apiKey: shop.acme.apiKey, baseUrl })
    const { fetch, scheme } = createPurserScheme(purser, { agentId: shop.agentId, maxAmount: 0.05 })
    const client = new x402Client().register('eip155:*', scheme).setSpendControls(false)
    const response = await wrapFetchWithPayment(fetch, client)(`${shop.vendor.url}/data`)
    expect(response.status).toBe(200)
    expect(await shop.moved()).toHaveLength(1)
  })

  test('passes on the reason of a rejection, and hands over the whole of it', async () => {
    const errors: unknown[] = []
    const shop = await openShop({ budget: 0.005 }, { onError: (error) => errors.push(error) })
    const error = await caught(shop.fetch(`${shop.vendor.url}/data`))
    expect((error as Error).message).toMatch(/^Failed to create payment payload: .*budget/i)
    expect(errors[0]).toBeInstanceOf(SpendRejectedError)
    expect(errors[0]).toMatchObject({ code: 'budget_exceeded' })
    expect(await shop.moved()).toEqual([])
  })

  test('does not pay more than maxAmount', async () => {
    const shop = await openShop({}, { maxAmount: 0.009 })
    const error = await caught(shop.fetch(`${shop.vendor.url}/data`))
    expect((error as Error).message).toMatch('maxAmount is 0.009')
    expect(await shop.stored()).toEqual([])
  })

  test('is judged by the address that sent the 402, whatever the 402 claims', async () => {
    const rules = [{ type: 'vendors', allow: ['allowed.example'] }]
    const shop = await openShop({ rules })
    const resource = 'https://allowed.example/data'
    const payTo = shop.vendor.payTo
    // The lie would be approved: the allowed host has this payee.
    const x402Payees = [{ network: NETWORK, address: payTo }]
    const added = await shop.acme.post('/vendors', { host: 'allowed.example', x402Payees })
    expect(added.status).toBe(200)
    const url = liar.behave('/lie', { unpaid: askV2({ amount: '10000', payTo, resource }) })
    const error = await caught(shop.fetch(url))
    expect((error as Error).message).toMatch('127.0.0.1')
    expect(liar.payments).toEqual([])
    const { data } = (await shop.acme.get(`/transactions?agentId=${shop.agentId}`)).body
    expect(data).toMatchObject([{ vendor: '127.0.0.1', decision: 'rejected' }])
    expect(await shop.stored()).toEqual([])
  })

  test('refuses a 402 that its fetch has not seen', async () => {
    const shop = await openShop()
    const plain = wrapFetchWithPayment(globalThis.fetch, shop.client)
    const error = await caught(plain(`${shop.vendor.url}/data`))
    expect((error as Error).message).toMatch('does not know which address sent this 402')
    expect(await shop.stored()).toEqual([])
  })

  test('gives the same payment for the same 402', async () => {
    const shop = await openShop()
    const seen = await shop.watched(`${shop.vendor.url}/data`)
    const header = seen.headers.get('payment-required') ?? ''
    const document = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    const first = await shop.client.createPaymentPayload(document)
    expect(await shop.client.createPaymentPayload(document)).toEqual(first)
    expect(await shop.stored()).toHaveLength(1)
  })

  test('signs once when the answer of the gateway is lost', async () => {
    const proxy = await startTcpProxy(baseUrl)
    onTestFinished(proxy.close)
    const shop = await openShop({}, {}, proxy.url)
    const lost = proxy.cutAnswerTo('/gateway/x402/pay')
    expect((await shop.fetch(`${shop.vendor.url}/data`)).status).toBe(200)
    expect(lost.repeats).toBe(1)
    expect(await shop.stored()).toHaveLength(1)
    expect(await shop.moved()).toHaveLength(1)
  })

  test('pays with its own wallet once the guard approves, and not if it rejects', async () => {
    const shop = await mall.openShop({ x402Fetch: false, budget: 0.015 })
    const { agentId, vendor } = shop
    const purser = new Purser({ apiKey: shop.acme.apiKey, baseUrl })
    const guard = createPurserGuard(purser, { agentId, category: 'data', findDefaultAsset })
    const signer = await mall.createPayer()
    const client = guard.attach(
      registerExactEvmScheme(new x402Client(), { signer, networks: [NETWORK] }),
    )
    const fetch = wrapFetchWithPayment(guard.fetch, client)
    const paid = async () =>
      (await mall.chain.transfers()).filter(({ from }) => from === signer.address)

    expect(await (await fetch(`${vendor.url}/data`)).json()).toEqual({ goods: '/data' })
    expect(await paid()).toMatchObject([{ to: vendor.payTo, value: 10_000n }])
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.005 })

    const error = await caught(fetch(`${vendor.url}/data`))
    expect((error as Error).message).toMatch('budget_exceeded')
    expect(await paid()).toHaveLength(1)
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.005 })
  })
})

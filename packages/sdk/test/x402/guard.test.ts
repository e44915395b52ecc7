import { findDefaultAsset } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../server/test/support/app.ts'
import { createAccount, NETWORK } from '../../../server/test/support/x402/chain.ts'
import {
  askV1,
  askV2,
  type HostileVendor,
  startHostileVendor,
} from '../../../server/test/support/x402/hostile-vendor.ts'
import { Purser } from '../../src/index.ts'
import { createPurserGuard, type PurserGuardOptions } from '../../src/x402/index.ts'
import { caught } from '../caught.ts'

const PAYEE = '0x00000000000000000000000000000000000c0ffe'
const ALLOWED = 'https://allowed.example/data'
const GOODS = { status: 200, body: 'goods' }
const price = (amount: unknown, resource?: string) => ({
  amount,
  payTo: PAYEE,
  ...(resource && { resource }),
})

describe('the guard', () => {
  let app: TestApp
  let vendor: HostileVendor
  let baseUrl: string
  let purser: Purser
  let agentId: string

  beforeAll(async () => {
    app = await createTestApp()
    vendor = await startHostileVendor()
    baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.stop()
    await vendor.stop()
  })
  beforeEach(async () => {
    const acme = await app.organization()
    purser = new Purser({ apiKey: acme.apiKey, baseUrl })
    agentId = (await purser.agents.create({ name: 'Buyer' })).id
  })

  async function allow(vendors: string[], budgetTotal = 1) {
    const rules = [{ type: 'vendors' as const, allow: vendors }]
    const { id } = await purser.mandates.create({ agentId, name: 'All', budgetTotal, rules })
    await purser.mandates.activate(id)
  }

  function createBuyer(options: Partial<PurserGuardOptions> = {}, signer = createAccount()) {
    const fields = { agentId, category: 'data', findDefaultAsset, ...options }
    const guard = createPurserGuard(purser, fields)
    const own = registerExactEvmScheme(new x402Client(), { signer, networks: [NETWORK] })
    const client = guard.attach(own)
    return { client, guard, fetch: wrapFetchWithPayment(guard.fetch, client) }
  }

  const transactions = () => purser.transactions.list({ agentId }).toArray({ limit: 10 })

  test('lets an approved payment pass, and books it before it is sent', async () => {
    await allow(['127.0.0.1'])
    const statuses: (string | undefined)[] = []
    const url = vendor.behave('/approved', { unpaid: askV2(price('10000')), paid: GOODS })
    const watched: typeof globalThis.fetch = async (input, init) => {
      if (new Request(input, init).headers.has('payment-signature')) {
        statuses.push((await transactions())[0]?.status)
      }
      return globalThis.fetch(input, init)
    }
    const response = await createBuyer({ fetch: watched, metadata: { job: '7' } }).fetch(url)
    expect(await response.text()).toBe('goods')
    expect(statuses).toEqual(['settled'])
    const [transaction] = await transactions()
    expect(transaction).toMatchObject({ amount: 0.01, vendor: '127.0.0.1', category: 'data' })
    expect(await purser.transactions.get(transaction?.transactionId ?? '')).toMatchObject({
      metadata: { job: '7', x402_network: NETWORK, x402_pay_to: PAYEE },
    })
  })

  test('pays a vendor of version 1', async () => {
    await allow(['127.0.0.1'])
    const url = vendor.behave('/v1', { unpaid: askV1(price('10000')), paid: GOODS })
    expect((await createBuyer().fetch(url)).status).toBe(200)
    expect(await transactions()).toMatchObject([{ amount: 0.01, status: 'settled' }])
  })

  test('stops a payment that the gateway rejects', async () => {
    await allow(['127.0.0.1'], 0.005)
    const decisions: string[] = []
    const url = vendor.behave('/rejected', { unpaid: askV2(price('10000')), paid: GOODS })
    const onDecision = ({ decision }: { decision: string }) => decisions.push(decision)
    const error = await caught(createBuyer({ onDecision }).fetch(url))
    expect((error as Error).message).toMatch(/aborted: .*\(budget_exceeded, txn_\w+\)/)
    expect(decisions).toEqual(['rejected'])
    expect(vendor.requests.filter(({ path }) => path === '/rejected')).toHaveLength(1)
  })

  test('judges the address that sent the 402, whatever the 402 claims', async () => {
    await allow(['allowed.example'])
    const url = vendor.behave('/lie', { unpaid: askV2(price('10000', ALLOWED)), paid: GOODS })
    const error = await caught(createBuyer().fetch(url))
    expect((error as Error).message).toMatch('vendor_not_allowed')
    expect(await transactions()).toMatchObject([{ vendor: '127.0.0.1', decision: 'rejected' }])
  })

  test('pays nothing if a vendor redirects to a host that the mandate allows', async () => {
    await allow(['127.0.0.1'])
    const target = vendor.behave('/target', { unpaid: askV2(price('10000')), paid: GOODS })
    const redirect = { status: 307, headers: { location: target } }
    const from = vendor.behave('/from', { unpaid: redirect, paid: GOODS })
    const before = vendor.payments.length
    const error = await caught(createBuyer().fetch(from.replace('127.0.0.1', 'localhost')))
    expect(error).toMatchObject({ code: 'x402_redirected' })
    expect(await transactions()).toEqual([])
    expect(vendor.payments).toHaveLength(before)
  })

  test('pays after a redirect within the origin', async () => {
    await allow(['127.0.0.1'])
    const target = vendor.behave('/moved', { unpaid: askV2(price('10000')), paid: GOODS })
    const redirect = { status: 307, headers: { location: target } }
    const from = vendor.behave('/old', { unpaid: redirect, paid: redirect })
    expect((await createBuyer().fetch(from)).status).toBe(200)
    expect(await transactions()).toMatchObject([{ vendor: '127.0.0.1', status: 'settled' }])
  })

  test('keeps the addresses of parallel requests apart, also with equal 402s', async () => {
    await allow(['127.0.0.1'])
    const unpaid = askV2(price('10000', ALLOWED))
    const urls = Array.from({ length: 6 }, (_, n) => {
      const url = vendor.behave(`/parallel-${n}`, { unpaid, paid: GOODS })
      return n % 2 === 0 ? url : url.replace('127.0.0.1', 'localhost')
    })
    const buyer = createBuyer()
    const results = await Promise.allSettled(urls.map((url) => buyer.fetch(url)))
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      urls.map((_, n) => n % 2 === 0),
    )
  })

  test('refuses a 402 that its fetch has not seen', async () => {
    await allow(['127.0.0.1'])
    const url = vendor.behave('/unseen', { unpaid: askV2(price('10000')), paid: GOODS })
    const { client } = createBuyer()
    const error = await caught(wrapFetchWithPayment(globalThis.fetch, client)(url))
    expect((error as Error).message).toMatch('does not know which address sent this 402')
    expect(await transactions()).toEqual([])
  })

  test('refuses a second signature for one 402', async () => {
    await allow(['127.0.0.1'])
    const url = vendor.behave('/twice', { unpaid: askV2(price('10000')), paid: GOODS })
    const { client, fetch } = createBuyer()
    client.onPaymentResponse(async () => ({ recovered: true }))
    const error = await caught(fetch(url))
    expect((error as Error).message).toMatch('judged this 402 before')
    expect(await transactions()).toHaveLength(1)
  })

  test('refuses a price that is no plain number, and an unknown token', async () => {
    await allow(['127.0.0.1'])
    const { client, fetch } = createBuyer()
    client.setSpendControls(false)
    const terms = [price('0xF4240'), price('0'), { ...price('1'), asset: PAYEE }]
    for (const [n, it] of terms.entries()) {
      const url = vendor.behave(`/odd-${n}`, { unpaid: askV2(it), paid: GOODS })
      const error = await caught(fetch(url))
      expect((error as Error).message).toMatch('unknown token or for no valid price')
    }
    expect(await transactions()).toEqual([])
  })

  test('refuses a scheme whose payment can exceed the price', async () => {
    await allow(['127.0.0.1'])
    const { client, fetch } = createBuyer()
    const createPaymentPayload = () => Promise.reject(new Error('The wallet was asked.'))
    client.register(NETWORK, { scheme: 'batch-settlement', createPaymentPayload })
    client.setSpendControls(false)
    const terms = { ...price('10000'), scheme: 'batch-settlement' }
    const error = await caught(fetch(vendor.behave('/batch', { unpaid: askV2(terms) })))
    expect((error as Error).message).toMatch('scheme `batch-settlement`')
    expect(await transactions()).toEqual([])
  })

  test('voids the hold if the wallet does not sign', async () => {
    await allow(['127.0.0.1'])
    const url = vendor.behave('/unsigned', { unpaid: askV2(price('10000')), paid: GOODS })
    const signTypedData = () => Promise.reject(new Error('The wallet is locked.'))
    const error = await caught(createBuyer({}, { ...createAccount(), signTypedData }).fetch(url))
    expect((error as Error).message).toMatch('The wallet is locked.')
    expect(await transactions()).toMatchObject([{ status: 'voided' }])
  })

  test('stops the payment if the gateway does not answer', async () => {
    const url = vendor.behave('/down', { unpaid: askV2(price('10000')), paid: GOODS })
    const away = new Purser({ apiKey: 'psk_test', baseUrl: 'http://127.0.0.1:1', retries: 0 })
    const guard = createPurserGuard(away, { agentId, category: 'data', findDefaultAsset })
    const own = registerExactEvmScheme(new x402Client(), { signer: createAccount() })
    const error = await caught(wrapFetchWithPayment(guard.fetch, guard.attach(own))(url))
    expect((error as Error).message).toMatch('The connection to http')
    expect(vendor.requests.filter(({ path }) => path === '/down')).toHaveLength(1)
  })
})

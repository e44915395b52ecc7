import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { pathsOn } from '../../support/paths.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { recordLog } from '../../support/recorded-log.ts'
import { budgetOf } from '../../support/spends.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop } from '../../support/x402/shop.ts'
import { aPayment, aWallet, pay } from './payments.ts'
import { NETWORK, someDocument, someOffer } from './some-offer.ts'

const HASH = `0x${'ab'.repeat(32)}`
const toHex = (value: number) => `0x${value.toString(16)}`

describe('the clock of a chain', () => {
  const { log, lines } = recordLog()
  /** Ours, in seconds. It stands still. */
  const ours = Math.floor(Date.now() / 1_000)
  /** How far the blocks are from our clock, in seconds; null: the node does not tell. */
  let latest = 0
  let pending: number | null = null
  let asked: string[] = []
  let app: TestApp
  let acme: Owner
  let node: Receiver

  beforeAll(async () => {
    node = await startReceiver((response, { body }) => {
      const { id, method, params = [] } = JSON.parse(body)
      asked.push(method === 'eth_getBlockByNumber' ? params[0] : method)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) }))
    })
    const paths = pathsOn([{ network: NETWORK, rpcUrl: node.url, finality: 'latest' }])
    app = await createTestApp(usualEngine(), { paths }, log)
    app.clock.now = ours * 1_000
    acme = await app.organization()
    await aWallet(acme)
  })
  beforeEach(() => {
    latest = 0
    pending = null
    asked = []
  })
  afterAll(async () => {
    await app?.stop()
    await node?.close()
  })

  function resultOf(method: string, [tag]: readonly unknown[]): unknown {
    if (method === 'eth_chainId') return toHex(84_532)
    if (method === 'eth_blockNumber') return toHex(7)
    // Every wallet holds ten dollars.
    if (method !== 'eth_getBlockByNumber')
      return `0x${toHex(10_000_000).slice(2).padStart(64, '0')}`
    const late = tag === 'pending' ? pending : latest
    if (late === null) return null
    return { number: toHex(7), hash: HASH, timestamp: toHex(ours + late), transactions: [] }
  }

  /** The times of a payment that is signed now, in seconds from our clock. */
  async function signedTimes(maxTimeoutSeconds = 300) {
    const { agentId } = await anActiveMandate(acme)
    const accepts = [someOffer({ maxTimeoutSeconds })]
    const { payment } = await pay(acme, agentId, { paymentRequired: someDocument({ accepts }) })
    assert(payment)
    const { payload } = JSON.parse(JSON.stringify(payment.payload))
    const { validAfter, validBefore } = payload.authorization
    return [Number(validAfter) - ours, Number(validBefore) - ours]
  }

  const USUAL = [-600, 120]

  test.each([0, -60, 60])('that is %d s from ours is not minded', async (seconds) => {
    latest = seconds
    expect(await signedTimes()).toEqual(USUAL)
    expect(asked).not.toContain('pending')
  })

  test('whose last block is old is read from the block to come', async () => {
    latest = -3_600
    pending = -1
    expect(await signedTimes()).toEqual(USUAL)
    expect(asked).toContain('pending')
  })

  test.each([-80, null])('that is late is reckoned from (next block: %s)', async (next) => {
    latest = -80
    pending = next
    expect(await signedTimes()).toEqual([-680, 40])
  })

  test('that is ahead leaves the payment to be reckoned from ours', async () => {
    latest = 80
    expect(await signedTimes()).toEqual(USUAL)
    expect(asked).not.toContain('pending')
  })

  test.each([
    [-105, [-705, 15]],
    [105, USUAL],
  ])('that is %d s from ours leaves just enough time', async (seconds, times) => {
    latest = seconds
    expect(await signedTimes()).toEqual(times)
  })

  test.each([
    [-106, 300],
    [106, 300],
    [-86_400, 300],
    [86_400, 300],
    [-61, 75],
    [61, 75],
  ])('that is %d s from ours is too far off for a payment of %d s', async (seconds, maxTimeout) => {
    latest = seconds
    const { agentId, id } = await anActiveMandate(acme)
    const accepts = [someOffer({ maxTimeoutSeconds: maxTimeout })]
    const body = aPayment(agentId, { paymentRequired: someDocument({ accepts }) })
    const key = { 'idempotency-key': `far-${seconds}` }
    const refused = await acme.post('/gateway/x402/pay', body, key)
    expect([refused.status, refused.body.code]).toEqual([503, 'chain_clock_apart'])
    for (const at of [ours, ours + seconds]) {
      expect(refused.body.detail).toContain(new Date(at * 1_000).toISOString())
    }
    expect((await acme.get(`/transactions?agentId=${agentId}`)).body.data).toEqual([])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])

    latest = 0
    expect((await acme.post('/gateway/x402/pay', body, key)).body.status).toBe('signed')
  })

  test('is warned of once', async () => {
    latest = 80
    await signedTimes()
    await signedTimes()
    const warned = lines.filter(({ event }) => event === 'x402.clocks_differ')
    expect(warned).toMatchObject([{ network: NETWORK }])
  })
})

describeOnChain('a chain that nobody used for hours', () => {
  test('is paid on', async () => {
    const shop = await openShop()
    const before = await shop.chain.now()
    await shop.chain.request('evm_increaseTime', 7_200)
    shop.app.clock.now = Date.now() + 7_200_000
    expect((await shop.pay(shop.offer({ maxTimeoutSeconds: 300 }))).body.status).toBe('signed')
    expect(await shop.chain.now()).toBe(before)
  })
})

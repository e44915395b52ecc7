import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { usualEngine } from '../../support/database.ts'
import { pathsOn } from '../../support/paths.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { aWallet, type WalletPage } from './payments.ts'

/*
 * The amounts themselves are read from a real chain in sign-on-chain.deep.test.ts. Here a node only says
 * which chain it is of, and is counted.
 */

const BASE_SEPOLIA = 84_532

let app: TestApp
let acme: Owner
let node: Receiver

beforeAll(async () => {
  node = await startReceiver((response, { body }) => {
    const { id, method } = JSON.parse(body)
    const chainId = `0x${BASE_SEPOLIA.toString(16)}`
    const error = { code: -32_000, message: 'not now' }
    const answer = method === 'eth_chainId' ? { result: chainId } : { error }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  const network = `eip155:${BASE_SEPOLIA}`
  const paths = pathsOn([{ network, rpcUrl: node.url, finality: 'latest' }])
  app = await createTestApp(usualEngine(), { paths })
  acme = await app.organization()
  for (let count = 0; count < 30; count++) await aWallet(acme)
})
afterAll(async () => {
  await app.stop()
  await node.close()
})

const calls = () => node.received.filter(({ body }) => body.includes('eth_call')).length

test('a list of wallets costs a chain one call, and lists at the same time share it', async () => {
  const before = calls()
  const lists = await Promise.all(Array.from({ length: 10 }, () => acme.get('/wallets?limit=30')))
  expect(lists.map(({ status }) => status)).toEqual(Array(10).fill(200))
  // One that came while the first was under way may have asked for the next.
  expect(calls() - before).toBeGreaterThanOrEqual(1)
  expect(calls() - before).toBeLessThanOrEqual(2)
})

test('a node that does not answer hides no wallet', async () => {
  const { text } = await acme.get('/wallets?limit=30')
  const page: WalletPage = JSON.parse(text)
  expect(page.data).toHaveLength(30)
  expect(page.data[0]?.balances).toMatchObject([{ symbol: 'USDC', balance: null }])
})

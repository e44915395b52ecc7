import { expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { claimCheckouts } from '../../src/paths/acp/storage/due-checkouts.ts'
import { closeStore } from '../../src/storage/backup/closed-store.ts'
import { finishRestore } from '../../src/storage/backup/finish-restore.ts'
import type { Answer, TestApp } from '../support/app.ts'
import { waitUntil } from '../support/wait-until.ts'
import { describeOnChain } from '../support/x402/describe-on-chain.ts'
import { openShop as openX402Shop } from '../support/x402/shop.ts'
import { HOST, openShop as openAcpShop } from './acp/shop.ts'

const HOUR_MS = 3_600_000

async function isNow(app: TestApp, store: 'open' | 'restored'): Promise<void> {
  await waitUntil(async () => (await app.app.inject({ url: '/readyz' })).json().store === store)
}

async function close(app: TestApp): Promise<void> {
  await app.database.db.transaction((tx) => closeStore(tx, 'restored', 'For a test.'))
  await isNow(app, 'restored')
}

async function open(app: TestApp): Promise<void> {
  await finishRestore(app.database.db, false)
  await isNow(app, 'open')
}

const codeOf = ({ status, body }: Answer) => [status, body['code']]

describeOnChain('a closed store', () => {
  test('signs no x402 payment, and asks no seller', async () => {
    const shop = await openX402Shop()
    await shop.acme.patch('/organization', { x402Fetch: true })
    await close(shop.app)
    const purchase = { url: `${shop.vendor.url}/data` }
    expect(codeOf(await shop.pay(purchase))).toEqual([503, 'store_restored'])
    expect(codeOf(await shop.pay(shop.offer({})))).toEqual([503, 'store_restored'])
    expect(shop.vendor.requests).toEqual([])
    await open(shop.app)
    expect((await shop.pay(purchase)).body.status).toBe('paid')
  })
})

test('a closed store begins no checkout, and leases none to its reconciler', async () => {
  const shop = await openAcpShop()
  const { app, agentId, merchant, psp } = shop
  const [begun, fresh] = [merchant.openCheckout(), merchant.openCheckout()]
  merchant.turnNext(begun, 'authentication')
  const { transactionId } = await shop.buy(begun)
  await close(app)
  const calls = () => merchant.requests.length + psp.requests.length
  const before = calls()
  const refused = await shop.ask({ agentId, vendor: HOST, checkoutSessionId: fresh })
  expect([codeOf(refused), calls()]).toEqual([[503, 'store_restored'], before])
  const { organizationId } = shop.acme
  const ids = [toUuid('txn', transactionId) ?? '']
  const lease = { now: Date.now() + HOUR_MS, until: Date.now() + 2 * HOUR_MS }
  const claim = () => claimCheckouts(app.database.db, organizationId, ids, lease)
  await expect(claim()).rejects.toMatchObject({ code: 'store_restored' })
  await open(app)
  expect(await claim()).toHaveLength(1)
})

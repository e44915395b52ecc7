import { expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { aKey } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { countLockWaits, holdLocks } from '../../support/row-lock.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShop, type Shop } from './shop.ts'

/** Stops somebody while the token is being made: after the hold, and before the completion. */
async function buyWhile(stop: (shop: Shop, keyId: string) => Promise<unknown>) {
  const shop = await openShop()
  const { key, client } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  let goOn = () => {}
  const until = new Promise<void>((resolve) => {
    goOn = resolve
  })
  shop.psp.failNext('issue', { until })
  const fields = { vendor: HOST, checkoutSessionId: shop.merchant.openCheckout() }
  const asked = shop.ask(fields, undefined, client)
  await waitUntil(() => shop.psp.requests.length > 0)
  expect(await shop.budget()).toEqual([45, 45, 55])
  await stop(shop, key.id)
  goOn()
  return { shop, answer: await asked }
}

const STOPS: readonly (readonly [string, (shop: Shop, keyId: string) => Promise<unknown>])[] = [
  ['organization_frozen', ({ acme }) => acme.patch('/organization', { frozen: true })],
  ['agent_paused', ({ acme, agentId }) => acme.patch(`/agents/${agentId}`, { status: 'paused' })],
  ['mandate_revoked', ({ acme, mandateId }) => acme.post(`/mandates/${mandateId}/revoke`)],
  ['api_key_revoked', ({ acme }, keyId) => acme.delete(`/api-keys/${keyId}`)],
]

test.each(STOPS)('%s between hold and completion: nothing is bought', async (code, stop) => {
  const { shop, answer } = await buyWhile(stop)
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.text)).toMatchObject({
    decision: 'approved',
    status: 'failed',
    failure: { code, retryable: false },
  })
  expect(shop.merchant.orders).toEqual([])
  expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
  expect((await shop.budget())[1]).toBe(0)
})

describeOnPostgres('stopped before a token is asked for', () => {
  test('there is none to be made, and the hold is given back at once', async () => {
    const shop = await openShop({
      app: await createTestApp('postgres'),
      issuer: 'delegate_payment',
    })
    const { db } = shop.app.database
    const freeze = await holdLocks(db, { text: 'update organizations set frozen = true' })
    const asked = shop.buy(shop.merchant.openCheckout())
    await waitUntil(async () => (await countLockWaits(db)) > 0)
    await freeze.release()
    expect(await asked).toMatchObject({
      decision: 'approved',
      status: 'failed',
      failure: { code: 'organization_frozen', retryable: false },
    })
    expect(shop.psp.requests).toEqual([])
    expect(await shop.budget()).toEqual([0, 0, 100])
    await shop.app.stop()
  })
})

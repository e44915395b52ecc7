import { describe, expect, test } from 'vitest'
import { aKey, anActiveMandate } from '../../support/builders.ts'
import { HOST, openShopsOnOneApp } from './shop.ts'

const openShop = openShopsOnOneApp()

describe('a session that is used up', () => {
  test('names the first checkout to whoever may see it, and to nobody else', async () => {
    const shop = await openShop()
    const { agentId: otherId } = await anActiveMandate(shop.acme)
    const own = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const other = await aKey(shop.app, shop.acme, { agentIds: [otherId] })
    const blind = await aKey(shop.app, shop.acme, { scopes: ['gateway:write'] })
    const session = shop.merchant.openCheckout()
    const { transactionId } = await shop.buy(session)
    const ask = (client: typeof own.client, agentId: string) =>
      shop.ask({ agentId, vendor: HOST, checkoutSessionId: session }, undefined, client)
    for (const client of [shop.acme, own.client]) {
      const { status, body } = await ask(client, shop.agentId)
      expect([status, body.code]).toEqual([409, 'acp_session_used'])
      expect(body.transactionId).toBe(transactionId)
      expect(body.detail).toContain(transactionId)
    }
    for (const [client, agentId] of [
      [other.client, otherId],
      [blind.client, shop.agentId],
    ] as const) {
      const { status, text } = await ask(client, agentId)
      expect([status, text.includes('acp_session_used')]).toEqual([409, true])
      expect(text).not.toContain('txn_')
    }
  })

  test('names it to a client of the protocol as well', async () => {
    const shop = await openShop()
    const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const session = shop.merchant.openCheckout()
    const { transactionId } = await shop.buy(session)
    const { status, body } = await shop.delegate(key.apiKey, { checkout_session_id: session })
    expect([status, body.code]).toEqual([409, 'acp_session_used'])
    expect(body.message).toContain(transactionId)
  })

  test('names it also where both checkouts begin at once', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
    const answers = await Promise.all([1, 2, 3].map(() => shop.ask(fields)))
    const bought = answers.find(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(2)
    for (const { body } of refused) expect(body.transactionId).toBe(bought?.body.transactionId)
  })
})

describe('a session id that is a step of a path', () => {
  test.each(['.', '..'])('(%s) is refused, and the merchant is not called', async (id) => {
    const shop = await openShop()
    const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: id }
    const { status, body } = await shop.ask(fields)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors).toMatchObject([{ path: '/checkoutSessionId' }])
    const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const delegated = await shop.delegate(key.apiKey, { checkout_session_id: id })
    expect([delegated.status, delegated.body.param]).toEqual([
      400,
      '$.allowance.checkout_session_id',
    ])
    expect(shop.merchant.requests).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { aKey, bodyOf } from '../../support/builders.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const HANDLER = { id: 'card_tokenized', psp: 'stripe' }

async function changeEntry({ acme }: Shop, acp: object) {
  const { data } = (await acme.get('/vendors')).body
  return bodyOf(await acme.patch(`/vendors/${data[0]?.id}`, { acp }))
}

/** What the official example of a session shows of the ways to pay. */
const NONE = { handlers: [] }

describe('a session without payment handlers', () => {
  test('is refused where the directory does not say how it is paid', async () => {
    const shop = await openShop()
    const checkoutSessionId = shop.merchant.openCheckout(NONE)
    const answer = await shop.ask({ agentId: shop.agentId, vendor: HOST, checkoutSessionId })
    expect([answer.status, answer.body.code]).toEqual([422, 'acp_unsupported_handler'])
    expect(answer.text).toContain('handler')
  })

  test('is paid with the handler of the directory, to its one merchant id', async () => {
    const shop = await openShop()
    const entry = await changeEntry(shop, { handler: HANDLER })
    expect(entry.acp).toMatchObject({ handler: HANDLER })
    const bought = await shop.buy(shop.merchant.openCheckout(NONE))
    expect(bought).toMatchObject({
      status: 'completed',
      checkout: { merchantId: shop.merchant.merchantId },
    })
    const completion = shop.merchant.requests.findLast(({ method }) => method === 'POST')
    expect(completion?.body.payment_data.handler_id).toBe(HANDLER.id)
    expect(shop.merchant.violations).toEqual([])
    const cheaper = shop.merchant.openCheckout(NONE)
    shop.merchant.changeAfterLook(cheaper, { deliveryMinor: 100 })
    expect((await shop.buy(cheaper)).status).toBe('completed')
  })

  test('is paid for a client of the protocol as well', async () => {
    const shop = await openShop()
    await changeEntry(shop, { handler: HANDLER })
    const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const allowance = { checkout_session_id: shop.merchant.openCheckout(NONE) }
    expect((await shop.delegate(key.apiKey, allowance)).status).toBe(201)
  })

  test('is refused where two merchant ids could be meant', async () => {
    const shop = await openShop()
    const merchantIds = [shop.merchant.merchantId, 'acct_other']
    await changeEntry(shop, { handler: HANDLER, merchantIds })
    const checkoutSessionId = shop.merchant.openCheckout(NONE)
    const answer = await shop.ask({ agentId: shop.agentId, vendor: HOST, checkoutSessionId })
    expect([answer.status, answer.body.code]).toEqual([422, 'acp_merchant_mismatch'])
  })
})

describe('the handler of the directory', () => {
  test('changes nothing where the session names a handler', async () => {
    const shop = await openShop()
    await changeEntry(shop, { handler: { id: 'another', psp: 'stripe' } })
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('completed')
    const refused = [
      shop.merchant.openCheckout({ psp: 'adyen' }),
      shop.merchant.openCheckout({ merchantId: 'acct_thief' }),
    ]
    for (const checkoutSessionId of refused) {
      const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId }
      expect((await shop.ask(fields)).status).toBe(422)
    }
  })

  test('is ended with null, and kept by other changes', async () => {
    const shop = await openShop()
    await changeEntry(shop, { handler: HANDLER })
    expect((await changeEntry(shop, { profileId: 'p' })).acp).toMatchObject({ handler: HANDLER })
    expect((await changeEntry(shop, { handler: null })).acp).toMatchObject({ handler: null })
  })
})

import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../support/builders.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

/** What somebody is told who asks for a checkout that cannot be. */
async function toldTo(shop: Shop, fields: object = {}): Promise<string> {
  const session = { vendor: HOST, checkoutSessionId: shop.merchant.openCheckout() }
  const { body } = await shop.ask({ agentId: shop.agentId, ...session, ...fields })
  return `${body.status} ${body.detail}`
}

async function changeEntry({ acme }: Shop, acp: object): Promise<void> {
  const { data } = (await acme.get('/vendors')).body
  bodyOf(await acme.patch(`/vendors/${data[0]?.id}`, { acp }))
}

describe('who makes a mistake is told what to do', () => {
  test('with a vendor that is missing, none, or not in the directory', async () => {
    const shop = await openShop()
    expect(await toldTo(shop, { vendor: undefined })).toContain('400 In the body, /vendor is requ')
    expect(await toldTo(shop, { vendor: 'my shop' })).toContain('/vendor must be the host of a')
    const unknown = await toldTo(shop, { vendor: 'nowhere.example' })
    expect(unknown).toContain(
      '422 The directory has no entry for nowhere.example with "acp" settings.',
    )
    expect(unknown).toContain('POST /vendors, or add "acp" to it with PATCH /vendors/:id')
  })

  test('with an instrument that is not there, or pays elsewhere', async () => {
    const shop = await openShop()
    expect(await toldTo(shop, { instrumentId: 'mine' })).toContain(
      '422 There is no such instrument',
    )
    const checkoutSessionId = shop.merchant.openCheckout({ psp: 'adyen' })
    expect(await toldTo(shop, { checkoutSessionId })).toContain('handlers whose psp is stripe')
    bodyOf(await shop.acme.patch('/organization', { acp: { instruments: [] } }))
    expect(await toldTo(shop)).toContain('422 There is no instrument that this agent may use.')
  })

  test('with an issuer that can make no token for this shop, before anything is held', async () => {
    const shop = await openShop()
    await changeEntry(shop, { profileId: null })
    const told = await toldTo(shop)
    expect(told).toContain(
      '422 Stripe creates a token only for a merchant whose business profile is set.',
    )
    expect(told).toContain('PATCH /vendors/:id {"acp": {"profileId": …}}. Nothing was decided.')
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect(bodyOf(await shop.acme.get('/transactions')).data).toEqual([])
  })

  test('with a session that is not there, not filled, or used up', async () => {
    const shop = await openShop()
    const unknown = await toldTo(shop, { checkoutSessionId: 'cs_nobody' })
    expect(unknown).toContain('Check checkoutSessionId, vendor')
    const open = shop.merchant.openCheckout({ status: 'not_ready_for_payment' })
    const unfilled = await toldTo(shop, { checkoutSessionId: open })
    expect(unfilled).toContain('Complete the session at the merchant')
    const over = shop.merchant.openCheckout({ status: 'canceled' })
    expect(await toldTo(shop, { checkoutSessionId: over })).toContain('Open a new session')
    const bought = shop.merchant.openCheckout()
    await shop.buy(bought)
    expect(await toldTo(shop, { checkoutSessionId: bought })).toContain('Open a new session')
  })

  test('in what the directory says of the shop', async () => {
    const shop = await openShop()
    await changeEntry(shop, { credential: 'a-wrong-credential' })
    const refused = await toldTo(shop)
    expect(refused).toContain('502 The merchant answered 401. Nothing was decided.')
    expect(refused).toContain('credential of its directory entry')
    await changeEntry(shop, { credential: shop.merchant.credential, version: '2026-01-30' })
    expect(await toldTo(shop)).toContain('Check apiBaseUrl and version of its directory entry')
    await changeEntry(shop, { version: '2026-04-17' })
    shop.merchant.failNext('look', '503')
    expect(await toldTo(shop)).toContain('Nothing was decided. Try again later.')
  })
})

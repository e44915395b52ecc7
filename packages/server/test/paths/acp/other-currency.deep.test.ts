import { describe, expect, test } from 'vitest'
import { aKey } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openShop } from './shop.ts'

const MINUTE_MS = 60_000

/** A purchase that the merchant shows as completed in euros, although it was judged in dollars. */
async function beginInEuros(turn: 'in_progress' | 'charge_only') {
  const shop = await openShop()
  const { merchant, psp } = shop
  const session = merchant.openCheckout()
  let goOn = () => {}
  const until = new Promise<void>((resolve) => {
    goOn = resolve
  })
  merchant.turnNext(session, turn)
  merchant.failNext('complete', { until, after: true })
  const asked = shop.buy(session)
  await waitUntil(() =>
    turn === 'in_progress'
      ? merchant.checkout(session).status === 'complete_in_progress'
      : psp.tokens.some(({ capturedMinor }) => capturedMinor > 0),
  )
  merchant.change(session, { status: 'completed', currency: 'eur' })
  goOn()
  return { shop, asked }
}

describe('a merchant that shows a purchase in another currency than was judged', () => {
  test('is not believed: the issuer says that nothing was charged', async () => {
    const { shop, asked } = await beginInEuros('in_progress')
    const { transactionId, ...told } = await asked
    const failure = { code: 'merchant_unavailable', retryable: true }
    expect(told).toMatchObject({ decision: 'approved', status: 'failed', failure, order: null })
    expect((await shop.transaction(transactionId)).flags).toEqual([])
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('has got what the issuer says was charged', async () => {
    const { shop, asked } = await beginInEuros('charge_only')
    expect((await asked).status).toBe('completed')
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('keeps the hold where the issuer cannot be asked, also after the token has ended', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const session = shop.merchant.openCheckout()
    const { status } = await shop.delegate(key.apiKey, { checkout_session_id: session })
    expect(status).toBe(201)
    shop.merchant.change(session, { status: 'completed', currency: 'eur' })
    const looks = () => shop.merchant.requests.length
    let minutes = 0
    // Its next turn comes only on a clock that goes on.
    await waitUntil(() => {
      minutes += 1
      shop.later(minutes * MINUTE_MS)
      return minutes > 40 && looks() > 5
    })
    expect(await shop.budget()).toEqual([45, 45, 55])
  })
})

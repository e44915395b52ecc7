import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'
import { openShop, type Shop } from './shop.ts'

const MINUTE_MS = 60_000

async function rowOf<Column extends string>(shop: Shop, column: Column): Promise<unknown> {
  const [row] = await shop.app.rows<Record<Column, unknown>>(
    `select ${column} from acp_checkouts order by created_at desc limit 1`,
  )
  return row?.[column]
}

describe('a checkout that the merchant is still working on', () => {
  test.each(['completed', 'declined'] as const)('ends as it ends there: %s', async (end) => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'in_progress')
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'state')) === 'unknown')
    expect(await shop.budget()).toEqual([45, 45, 55])
    shop.merchant.finish(session, end)
    const { status, failure } = await asked
    expect(status).toBe(end === 'completed' ? 'completed' : 'failed')
    expect(failure?.code).toBe(end === 'completed' ? undefined : 'payment_declined')
    expect(await shop.budget()).toEqual(end === 'completed' ? [45, 0, 55] : [0, 0, 100])
  })

  test('is found by whoever comes later', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'in_progress')
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'state')) === 'unknown')
    shop.merchant.finish(session, 'completed')
    shop.later(2 * MINUTE_MS)
    const { transactionId } = await asked
    await shop.becomes(transactionId, 'settled')
    expect(shop.merchant.orders).toHaveLength(1)
    expect(await rowOf(shop, 'sealed')).toBeNull()
  })
})

describe('with an issuer that cannot be asked', () => {
  test('a purchase is settled by what the merchant says', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    expect((await shop.buy(shop.merchant.openCheckout())).status).toBe('completed')
    expect(shop.psp.tokens).toMatchObject([{ maxMinor: 4_500, capturedMinor: 4_500 }])
    expect(shop.psp.violations).toEqual([])
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('a declined payment stays held until the token has ended', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'decline')
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'is_denied')) === true)
    shop.later(14 * MINUTE_MS)
    const { transactionId, status } = await asked
    expect(status).toBe('processing')
    expect(await shop.budget()).toEqual([45, 45, 55])
    shop.later(40 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('an order that shows up late is settled, and never given back', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'charge_only')
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'state')) === 'closing')
    shop.merchant.finish(session, 'completed')
    shop.later(14 * MINUTE_MS)
    const { transactionId } = await asked
    await shop.becomes(transactionId, 'settled')
    expect(await shop.budget()).toEqual([45, 0, 55])
  })
})

describe('an issuer that lets a merchant take more than was held', () => {
  test('is believed: what was taken is booked, and the transaction says so', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'escalation')
    const { transactionId } = await shop.buy(session)
    const order = { id: 'ord_1', checkout_session_id: session, permalink_url: 'https://a/1' }
    for (const token of shop.psp.tokens) token.capturedMinor = 6_000
    shop.merchant.change(session, { status: 'completed', order, deliveryMinor: 2_000 })
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, 'settled')
    expect(await shop.transaction(transactionId)).toMatchObject({
      settledAmount: 60,
      flags: ['over_capture', 'total_unproven'],
    })
    expect(await shop.budget()).toEqual([60, 0, 40])
  })
})

describe('a provider that is away', () => {
  test('keeps the hold until it says that nothing was charged', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'decline')
    let goOn = () => {}
    const until = new Promise<void>((resolve) => {
      goOn = resolve
    })
    shop.psp.failNext('revoke', { until })
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'state')) === 'closing')
    expect((await shop.budget())[1]).toBe(45)
    shop.psp.failNext('revoke', '503')
    goOn()
    const { transactionId } = await asked
    await shop.becomes(transactionId, 'voided')
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
  })

  test('keeps the hold however long it is away, also where the merchant says declined', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    // Charged, and then declined because the token is used.
    shop.merchant.turnNext(session, 'charge_only')
    shop.merchant.failNext('complete', 'then_503')
    for (const call of ['revoke', 'inspect'] as const) shop.psp.failNext(call, '503', 10_000)
    const asked = shop.buy(session)
    await waitUntil(async () => (await rowOf(shop, 'is_denied')) === true)
    shop.later(24 * 60 * MINUTE_MS)
    const checks = Number(await rowOf(shop, 'checks'))
    await waitUntil(async () => Number(await rowOf(shop, 'checks')) > checks)
    const { status, failure } = await asked
    // The issuer cannot be asked, so the end of the hold is unknown.
    expect([status, failure]).toEqual([
      'processing',
      { code: 'payment_declined', retryable: false },
    ])
    expect((await shop.budget())[1]).toBe(45)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refundOf } from '../../support/acp/order-news.ts'
import { audit } from '../../support/audit.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const MINUTE_MS = 60_000

/** A purchase of 45, and where its merchant tells of the order. */
async function openBought() {
  const shop = await openShop()
  const session = shop.merchant.openCheckout()
  const { transactionId } = await shop.buy(session)
  const tell = (adjustments: readonly object[], news: object = {}): Promise<number> =>
    shop.tell(session, { adjustments, ...news })
  return { shop, session, transactionId, tell }
}

/** What a refund comes to, by the last news of it that is not pending; repeats are no news. */
function givenBack(told: readonly { readonly status: string; readonly amount: number }[]): number {
  const isSame = (a: object) => (b: object) => JSON.stringify(a) === JSON.stringify(b)
  const news = told.filter((one, index) => told.findIndex(isSame(one)) === index)
  const last = news.findLast(({ status }) => status !== 'pending')
  return last?.status === 'completed' ? last.amount / 100 : 0
}

const refunded = async (shop: Shop, id: string) => (await shop.transaction(id)).refundedAmount

describe('a refund that a merchant tells of', () => {
  test('gives budget back once, however often it is told', async () => {
    const { shop, transactionId, tell } = await openBought()
    for (let times = 0; times < 3; times += 1) {
      expect(await tell([refundOf('adj_1', 1_000)])).toBe(200)
    }
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'partially_refunded',
      refundedAmount: 10,
    })
    expect(await shop.budget()).toEqual([35, 0, 65])
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('counts whichever snapshot comes first', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([refundOf('adj_1', 1_000), refundOf('adj_2', 500)])
    await tell([refundOf('adj_1', 1_000)])
    await tell([])
    expect(await refunded(shop, transactionId)).toBe(15)
    expect(await shop.budget()).toEqual([30, 0, 70])
  })

  test('is never more than was paid', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([refundOf('adj_1', 4_000), refundOf('adj_2', 4_000)])
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'refunded',
      refundedAmount: 45,
      flags: ['over_refund'],
    })
    expect(await shop.budget()).toEqual([0, 0, 100])
    await tell([refundOf('adj_1', 4_000), refundOf('adj_2', 4_000, { status: 'failed' })])
    expect(await shop.transaction(transactionId)).toMatchObject({ refundedAmount: 40, flags: [] })
  })

  test('stays failed when the same bytes of before are delivered again', async () => {
    const { shop, transactionId, tell } = await openBought()
    const made = [refundOf('adj_1', 1_000)]
    const failed = [refundOf('adj_1', 1_000, { status: 'failed' })]
    await tell(made)
    await tell(failed)
    for (const atMs of [Date.now(), Date.now() - MINUTE_MS]) {
      expect(await tell(made, { atMs })).toBe(200)
      expect(await refunded(shop, transactionId)).toBe(0)
    }
    // What is not the same may be news: the shop has tried it once more.
    await tell(made, { status: 'shipped' })
    expect(await refunded(shop, transactionId)).toBe(10)
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('counts by the first delivery of each, in whatever order they are repeated', async () => {
    const { shop, transactionId, tell } = await openBought()
    const statuses = ['pending', 'completed', 'failed'] as const
    const events = fc.array(
      fc.record({ status: fc.constantFrom(...statuses), amount: fc.constantFrom(100, 9_000) }),
      { minLength: 1, maxLength: 8 },
    )
    let runs = 0
    await fc.assert(
      fc.asyncProperty(events, async (told) => {
        runs += 1
        const id = `adj_${runs}`
        for (const [index, { status, amount }] of told.entries()) {
          await tell([refundOf(id, amount, { status })])
          const back = givenBack(told.slice(0, index + 1))
          const { refundedAmount, flags } = await shop.transaction(transactionId)
          expect(refundedAmount).toBe(Math.min(back, 45))
          expect(flags).toEqual(back > 45 ? ['over_refund'] : [])
        }
        await tell([refundOf(`adj_${runs}`, 1, { status: 'failed' })])
      }),
      { numRuns: 10 },
    )
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('is taken back when it fails later, and is nothing while it is pending', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([refundOf('adj_1', 1_000, { status: 'pending' })])
    expect(await refunded(shop, transactionId)).toBe(0)
    await tell([refundOf('adj_1', 1_000)])
    expect(await refunded(shop, transactionId)).toBe(10)
    await tell([refundOf('adj_1', 1_000, { status: 'failed' })])
    expect(await refunded(shop, transactionId)).toBe(0)
    expect(await shop.budget()).toEqual([45, 0, 55])
  })

  test('stays when old news of it comes late', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([refundOf('adj_1', 1_000)])
    await tell([refundOf('adj_1', 1_000, { status: 'pending' })])
    expect(await refunded(shop, transactionId)).toBe(10)
    expect(await shop.budget()).toEqual([35, 0, 65])
  })

  test('adds to what the organization has refunded by hand', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([refundOf('adj_1', 1_000)])
    await shop.acme.post(`/transactions/${transactionId}/refund`, { amount: 20 })
    expect(await refunded(shop, transactionId)).toBe(30)
    await tell([refundOf('adj_1', 1_000), refundOf('adj_2', 500)])
    expect(await refunded(shop, transactionId)).toBe(35)
    await tell([refundOf('adj_3', 4_000)])
    expect(await refunded(shop, transactionId)).toBe(45)
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('of store credit, in another currency or under dispute gives nothing back', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([
      refundOf('adj_1', 1_000, { type: 'credit' }),
      refundOf('adj_2', 1_000, { type: 'dispute' }),
      refundOf('adj_3', 1_000, { currency: 'eur' }),
    ])
    expect(await refunded(shop, transactionId)).toBe(0)
  })

  test('shows how the order stands', async () => {
    const { shop, transactionId, tell } = await openBought()
    await tell([], { status: 'shipped' })
    expect((await shop.transaction(transactionId)).external.order).toMatchObject({
      status: 'shipped',
    })
  })
})

describe('the address for orders', () => {
  test('takes nothing that the merchant has not signed just now', async () => {
    const { shop, transactionId, tell } = await openBought()
    const refund = [refundOf('adj_1', 1_000)]
    expect(await tell(refund, { secret: 'whsec_other' })).toBe(401)
    expect(await tell(refund, { atMs: Date.now() - 6 * MINUTE_MS })).toBe(401)
    expect(await tell(refund, { atMs: Date.now() + 6 * MINUTE_MS })).toBe(401)
    expect(await refunded(shop, transactionId)).toBe(0)
  })

  test('reveals nothing of sessions that are not known, and nothing of others', async () => {
    const { shop, session, transactionId } = await openBought()
    const order = { id: 'ord_9', checkout_session_id: 'cs_nobody', permalink_url: 'https://a/9' }
    expect(await shop.tell(session, { order })).toBe(200)
    expect(await shop.tell(session, { order: { id: 'ord_9' } })).toBe(400)
    const nowhere = `/ingest/acp/${'A'.repeat(43)}/orders`
    expect(await shop.tell(session, {}, nowhere)).toBe(404)
    expect((await shop.transaction(transactionId)).external.order?.id).not.toBe('ord_9')
  })

  test('makes the gateway look at a checkout of which nothing is known yet', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'escalation')
    const { transactionId } = await shop.buy(session)
    const order = { id: 'ord_1', checkout_session_id: session, permalink_url: 'https://a/1' }
    shop.merchant.change(session, { status: 'completed', order })
    await shop.tell(session, { order: { ...order, adjustments: [refundOf('a', 500)] } })
    await waitUntil(async () => (await refunded(shop, transactionId)) === 5)
    expect(await shop.budget()).toEqual([40, 0, 60])
  })
})

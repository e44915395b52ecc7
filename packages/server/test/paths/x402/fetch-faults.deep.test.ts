import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type FetchShop, type Mall, startMall } from '../../support/x402/mall.ts'
import { openShop } from '../../support/x402/shop.ts'

const SETTLED = { spent: 0.01, held: 0, left: 0.99 }
const HELD = { spent: 0.01, held: 0.01, left: 0.99 }
const UNTOUCHED = { spent: 0, held: 0, left: 1 }
const PROVEN = { state: 'settled', source: 'chain', verified: true, settledAmount: 0.01 }
const UNPROVEN = { verified: false, settledAmount: null }

describeOnChain('a purchase whose settlement goes wrong', () => {
  let mall: Mall
  beforeAll(async () => {
    // The vendor gives up early on a facilitator that hangs, so that it has not to be waited for.
    mall = await startMall({ facilitatorTimeoutMs: 2_500 })
  })
  afterEach(async () => {
    mall.facilitator.faults.settle = 'none'
    mall.facilitator.faults.verify = 'none'
    await mall.facilitator.release()
  })
  afterAll(() => mall?.stop())

  const buy = (shop: FetchShop, key?: string) => shop.pay({ url: `${shop.vendor.url}/data` }, key)

  /**
   * Buys in one shop after the other, until all were quick enough: the facilitator for the vendor,
   * and the node for the gateway, which waits two seconds for it.
   */
  async function buyInTime(vendorStatus: number) {
    for (let tries = 1; ; tries += 1) {
      const shop = await mall.openShop()
      const { status, body } = await buy(shop, 'purchase-1')
      const isInTime = body.status !== 'settlement_unknown'
      if (tries === 20 || (isInTime && body.resource?.status === vendorStatus)) {
        return { shop, status, body }
      }
    }
  }

  test.each([
    { fault: 'settle_then_hang', vendorStatus: 502 },
    { fault: 'settle_then_drop', vendorStatus: 402 },
    { fault: 'settle_then_refuse', vendorStatus: 402 },
  ] as const)(
    'is paid and not delivered with $fault, whatever the vendor believes',
    async (given) => {
      mall.facilitator.faults.settle = given.fault
      const { shop, status, body } = await buyInTime(given.vendorStatus)
      const moved = await shop.moved()
      expect(moved).toMatchObject([{ to: shop.vendor.payTo, value: 10_000n }])
      expect(status).toBe(200)
      expect(body).toMatchObject({
        status: 'paid_not_delivered',
        resource: { status: given.vendorStatus },
        settlement: { ...PROVEN, transaction: moved[0]?.transaction },
        hold: { state: 'settled' },
      })
      expect((await shop.transaction(body.transactionId)).status).toBe('settled')
      expect(await shop.budget()).toEqual(SETTLED)

      // It is known that the money is gone, so a repeat sends nothing.
      const again = await buy(shop, 'purchase-1')
      expect(again.body).toEqual(body)
      expect(shop.paymentsSeen()).toHaveLength(1)
      expect(await shop.moved()).toHaveLength(1)
      expect(await shop.budget()).toEqual(SETTLED)
    },
  )

  test('stays held when the vendor gives up, and is settled when the money moves after all', async () => {
    const shop = await mall.openShop()
    mall.facilitator.faults.settle = 'hang_then_settle'
    const { body } = await buy(shop)
    expect(body).toMatchObject({
      status: 'settlement_unknown',
      resource: { status: 502 },
      settlement: { ...UNPROVEN, state: 'unknown', transaction: null, source: null },
      hold: { state: 'held' },
    })
    expect(await shop.moved()).toEqual([])
    expect(await shop.budget()).toEqual(HELD)

    await mall.facilitator.release()
    const [transfer] = await shop.moved()
    expect(await shop.becomes(body.transactionId, 'settled')).toMatchObject({
      settledAmount: 0.01,
      external: { settlement: 'chain', transaction: transfer?.transaction },
    })
    expect(await shop.moved()).toHaveLength(1)
    expect(await shop.budget()).toEqual(SETTLED)
  })

  test.each([
    { fault: 'drop_socket', vendorStatus: 402 },
    { fault: 'refuse', vendorStatus: 402 },
    { fault: 'hang', vendorStatus: 502 },
  ] as const)(
    'stays held with $fault: a vendor that was refused may still try again',
    async (given) => {
      const shop = await mall.openShop()
      mall.facilitator.faults.settle = given.fault
      const { status, body } = await buy(shop)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        status: 'settlement_unknown',
        resource: { status: given.vendorStatus },
        settlement: { ...UNPROVEN, state: 'unknown', source: null },
        hold: { state: 'held' },
      })
      expect(await shop.moved()).toEqual([])
      expect(await shop.budget()).toEqual(HELD)

      await mall.facilitator.settleNow(shop.paymentsSeen()[0] ?? '')
      await shop.becomes(body.transactionId, 'settled')
      expect(await shop.moved()).toHaveLength(1)
      expect(await shop.budget()).toEqual(SETTLED)
    },
  )

  test('stays held when the facilitator invents a transaction, however often the chain is asked', async () => {
    const shop = await mall.openShop()
    mall.facilitator.faults.settle = 'pretend'
    const { body } = await buy(shop, 'purchase-1')
    expect(body).toMatchObject({
      status: 'delivered_unsettled',
      resource: { status: 200, body: { goods: '/data' } },
      settlement: {
        ...UNPROVEN,
        state: 'pending',
        transaction: `0x${'ab'.repeat(32)}`,
        source: 'vendor',
      },
      hold: { state: 'held' },
    })
    // The second question is asked only when the first is answered.
    await waitUntil(async () => ((await shop.stored())[0]?.checks ?? 0) >= 2)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    expect(await shop.moved()).toEqual([])
    expect(await shop.budget()).toEqual(HELD)

    // The goods are here, so the repeat pays nothing, and is answered with what the chain says by then.
    await mall.facilitator.settleNow(shop.paymentsSeen()[0] ?? '')
    const again = await buy(shop, 'purchase-1')
    expect(again.body).toMatchObject({
      status: 'paid',
      resource: { body: { goods: '/data' } },
      settlement: PROVEN,
    })
    expect(shop.paymentsSeen()).toHaveLength(1)
    expect(await shop.budget()).toEqual(SETTLED)
  })

  test.each(['refuse', 'drop_socket', 'hang'] as const)(
    'stays held when its check ends with %s',
    async (fault) => {
      const shop = await mall.openShop()
      mall.facilitator.faults.verify = fault
      const { status, body } = await buy(shop)
      expect([status, body.status]).toEqual([200, 'settlement_unknown'])
      expect(await shop.moved()).toEqual([])
      expect(await shop.budget()).toEqual(HELD)
    },
  )

  test('that the vendor failed to deliver is asked for again with the very same payment', async () => {
    const shop = await mall.openShop()
    const buy = () => shop.pay({ url: `${shop.vendor.url}/broken` }, 'purchase-1')
    const first = await buy()
    expect(first.body).toMatchObject({
      status: 'settlement_unknown',
      resource: { status: 500, body: { error: 'out of order' } },
      settlement: { state: 'unknown' },
      hold: { state: 'held' },
    })
    expect(await shop.budget()).toEqual(HELD)

    const second = await buy()
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toMatchObject({
      status: 'settlement_unknown',
      transactionId: first.body.transactionId,
      resource: { status: 500 },
    })
    const [header = '', ...others] = shop.paymentsSeen()
    expect(others).toEqual([header])
    expect(await shop.stored()).toHaveLength(1)
    expect(await shop.budget()).toEqual(HELD)

    expect(await mall.facilitator.settleNow(header)).toMatchObject({ success: true })
    await shop.becomes(first.body.transactionId, 'settled')
    const third = await buy()
    expect(third.body).toMatchObject({ status: 'paid_not_delivered', settlement: PROVEN })
    expect(shop.paymentsSeen()).toHaveLength(2)
    expect(await shop.moved()).toHaveLength(1)
    expect(await shop.budget()).toEqual(SETTLED)
  })

  test('is delivered by a repeat when the vendor has recovered, and paid once', async () => {
    const shop = await mall.openShop()
    mall.facilitator.faults.settle = 'refuse'
    const buy = () => shop.pay({ url: `${shop.vendor.url}/data` }, 'purchase-1')
    const first = await buy()
    expect(first.body.status).toBe('settlement_unknown')
    expect(await shop.budget()).toEqual(HELD)

    mall.facilitator.faults.settle = 'none'
    const second = await buy()
    expect(second.body).toMatchObject({
      status: 'paid',
      transactionId: first.body.transactionId,
      resource: { body: { goods: '/data' } },
      settlement: PROVEN,
    })
    expect(new Set(shop.paymentsSeen()).size).toBe(1)
    expect(await shop.moved()).toHaveLength(1)
    expect((await buy()).body).toEqual(second.body)
    expect(await shop.budget()).toEqual(SETTLED)
  })
})

describeOnChain('a purchase that nobody has cashed in time', () => {
  // The chain's clock is turned, so it has a chain of its own.
  test('is not sent again, and given back once the chain is past its end', async () => {
    const shop = await openShop()
    await shop.acme.patch('/organization', { x402Fetch: true })
    const buy = () => shop.pay({ url: `${shop.vendor.url}/broken` }, 'purchase-1')
    const { body } = await buy()
    expect(await shop.budget()).toEqual(HELD)

    const { validBefore } = (await shop.transaction(body.transactionId)).external ?? {}
    const end = Date.parse(validBefore ?? '')
    const visits = shop.vendor.requests.length
    shop.app.clock.now = end
    // By our clock it is over; by the chain's, which alone counts, it is not.
    expect((await buy()).body).toMatchObject({
      status: 'settlement_unknown',
      resource: null,
      hold: { state: 'held' },
    })
    expect(shop.vendor.requests).toHaveLength(visits)
    expect(await shop.budget()).toEqual(HELD)

    await shop.chain.mineAt(end / 1_000)
    expect((await buy()).body).toMatchObject({
      status: 'not_paid',
      resource: null,
      settlement: { state: 'none', source: 'chain', verified: true },
      hold: { state: 'released' },
    })
    expect((await shop.transaction(body.transactionId)).status).toBe('voided')
    expect(shop.vendor.requests).toHaveLength(visits)
    const [header = ''] = shop.vendor.requests.flatMap(
      ({ headers }) => headers['payment-signature'] ?? [],
    )
    expect(await shop.facilitator.settleNow(String(header))).toMatchObject({ success: false })
    expect(await shop.chain.transfers()).toEqual([])
    expect(await shop.budget()).toEqual(UNTOUCHED)
  })
})

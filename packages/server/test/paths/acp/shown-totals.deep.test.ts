import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entry } from '../../support/acp/checkout-session.ts'
import { audit } from '../../support/audit.ts'
import { HOUR_MS } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const MINUTE_MS = 60_000
/** The token ends 15 minutes after the decision, and ten minutes later it counts as over. */
const BEFORE_END_MS = 24 * MINUTE_MS
const PAST_END_MS = 26 * MINUTE_MS
/** What every session of these tests costs, and so what its token is worth. */
const CAP_MINOR = 4_500

const UNASKABLE = { issuer: 'delegate_payment', budget: 1_000 } as const

/** Buys a session of 45 whose order the merchant shows with another total. */
async function buyShown(shop: Shop, shownMinor: number, { isCharged = true } = {}) {
  const session = shop.merchant.openCheckout()
  if (!isCharged) shop.merchant.turnNext(session, 'escalation')
  const totals = [entry('total', shownMinor)]
  shop.merchant.changeAtCompletion(session, { totals })
  const bought = await shop.buy(session)
  return { session, totals, ...bought }
}

/** What a transaction takes from the budget now, in minor units. */
async function takenBy(shop: Shop, id: string): Promise<number> {
  const { heldAmount, settledAmount } = await shop.transaction(id)
  return Math.round((heldAmount + settledAmount) * 100)
}

/** Lets the gateway look at a checkout a few times more, while its clock goes on. */
async function letLook(shop: Shop, ms: number): Promise<void> {
  shop.later(ms)
  const text = 'select sum(checks)::int as checks from acp_checkouts where organization_id = $1'
  const { organizationId } = shop.acme
  const count = async () =>
    (await shop.app.rows<{ checks: number }>(text, [organizationId]))[0]?.checks ?? 0
  const before = await count()
  await waitUntil(async () => {
    if (shop.app.clock.now !== undefined) shop.app.clock.now += 1_000
    return (await count()) >= before + 2
  })
}

describe('with an issuer that cannot be asked, an order that the merchant shows for less', () => {
  test('keeps the rest held for as long as the token can be charged, then it is flagged', async () => {
    const shop = await openShop(UNASKABLE)
    const { transactionId, status } = await buyShown(shop, 1)
    expect(status).toBe('completed')
    expect(shop.psp.tokens).toMatchObject([{ capturedMinor: CAP_MINOR }])
    await letLook(shop, BEFORE_END_MS)
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'held',
      settledAmount: 0.01,
      heldAmount: 44.99,
      flags: [],
    })
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'settled')
    expect(await shop.transaction(transactionId)).toMatchObject({
      settledAmount: 0.01,
      heldAmount: 0,
      flags: ['rest_unproven'],
    })
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('for 0 proves nothing: the hold stays until a person ends it', async () => {
    const shop = await openShop(UNASKABLE)
    const { session, transactionId } = await buyShown(shop, 0)
    expect(await shop.budget()).toEqual([45, 45, 955])
    await letLook(shop, PAST_END_MS)
    // Not even a shop that then says that nothing was paid gives it back.
    shop.merchant.change(session, { status: 'canceled', order: undefined })
    await letLook(shop, 2 * HOUR_MS)
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'held',
      heldAmount: 45,
      flags: ['total_unproven'],
    })
    const proof = { proof: 'ch_of_the_statement' }
    const ended = await shop.acme.post(`/transactions/${transactionId}/settle`, proof)
    expect([ended.status, ended.body.status]).toEqual([200, 'settled'])
    expect(await shop.transaction(transactionId)).toMatchObject({
      settledAmount: 45,
      flags: ['total_unproven', 'ended_by_hand'],
    })
  })

  test('lets no further purchase through than the budget has room for', async () => {
    const shop = await openShop({ ...UNASKABLE, budget: 100 })
    const decisions: string[] = []
    for (const shownMinor of [0, 1, 0, 1]) {
      decisions.push((await buyShown(shop, shownMinor)).decision)
    }
    expect(decisions).toEqual(['approved', 'approved', 'rejected', 'rejected'])
    const charged = shop.psp.tokens.reduce((sum, { capturedMinor }) => sum + capturedMinor, 0)
    expect(charged).toBe(2 * CAP_MINOR)
    expect((await shop.budget())[0]).toBe(90)
  })

  test('never takes less than the token is worth before its end, whatever is shown', async () => {
    const shop = await openShop({ ...UNASKABLE, budget: 10_000 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: CAP_MINOR }), fc.integer({ min: 1, max: 9_000_000 })),
        async (shownMinor) => {
          shop.app.clock.now = undefined
          const { transactionId } = await buyShown(shop, shownMinor)
          expect(await takenBy(shop, transactionId)).toBe(CAP_MINOR)
          shop.later(PAST_END_MS)
          await shop.becomes(transactionId, 'settled')
          const booked = Math.min(shownMinor, CAP_MINOR)
          expect(await takenBy(shop, transactionId)).toBe(booked)
          expect((await shop.transaction(transactionId)).flags).toEqual([
            ...(shownMinor > CAP_MINOR ? ['total_unproven'] : []),
            ...(shownMinor < CAP_MINOR ? ['rest_unproven'] : []),
          ])
        },
      ),
      { numRuns: 8 },
    )
    expect(await audit(shop.app.database.db)).toEqual([])
  })
})

describe('an order that the merchant shows for more than its token is worth', () => {
  test('is booked up to the token, where the issuer cannot be asked', async () => {
    const shop = await openShop(UNASKABLE)
    const { transactionId, status } = await buyShown(shop, 2_000_000)
    expect(status).toBe('completed')
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'settled',
      settledAmount: 45,
      flags: ['total_unproven'],
    })
    expect(await shop.budget()).toEqual([45, 0, 955])
  })

  test('is booked as the issuer says that it was charged', async () => {
    const shop = await openShop({ budget: 1_000 })
    const { transactionId, status, order } = await buyShown(shop, 2_000_000)
    expect([status, typeof order?.id]).toEqual(['completed', 'string'])
    expect(await shop.transaction(transactionId)).toMatchObject({
      status: 'settled',
      settledAmount: 45,
      flags: ['total_unproven'],
    })
  })

  test('is given back where the issuer says that nothing was charged', async () => {
    const shop = await openShop({ budget: 1_000 })
    const { session, transactionId } = await buyShown(shop, CAP_MINOR, { isCharged: false })
    shop.merchant.change(session, { status: 'completed', totals: [entry('total', 2_000_000)] })
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    const { external, flags } = await shop.transaction(transactionId)
    expect(external.failure).toEqual({ code: 'total_unproven', retryable: false })
    expect(flags).toEqual(['total_unproven'])
    expect(await shop.budget()).toEqual([0, 0, 1_000])
  })

  test('is booked up to the token where the issuer says nothing until the token is over', async () => {
    const shop = await openShop({ budget: 1_000 })
    for (const call of ['revoke', 'inspect'] as const) shop.psp.failNext(call, '503', 10_000)
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'escalation')
    const { transactionId } = await shop.buy(session)
    shop.merchant.change(session, { status: 'completed', totals: [entry('total', 2_000_000)] })
    await letLook(shop, BEFORE_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 955])
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'settled')
    expect(await shop.transaction(transactionId)).toMatchObject({
      settledAmount: 45,
      flags: ['total_unproven'],
    })
  })
})

describe('an order that the merchant shows for 0, where the issuer can be asked', () => {
  test.each([true, false])('is what the issuer says; charged: %s', async (isCharged) => {
    const shop = await openShop({ budget: 1_000 })
    const { session, totals, transactionId } = await buyShown(shop, 0, { isCharged })
    if (!isCharged) shop.merchant.change(session, { status: 'completed', totals })
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, isCharged ? 'settled' : 'voided')
    expect(await shop.budget()).toEqual(isCharged ? [45, 0, 955] : [0, 0, 1_000])
    expect((await shop.transaction(transactionId)).flags).toEqual(['total_unproven'])
  })
})

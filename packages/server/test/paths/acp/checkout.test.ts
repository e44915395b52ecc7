import { describe, expect, test } from 'vitest'
import { entry, handlerOf } from '../../support/acp/checkout-session.ts'
import { aKey, anActiveMandate } from '../../support/builders.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const refusalOf = async (shop: Shop, checkoutSessionId: string, fields: object = {}) => {
  const { agentId } = shop
  const answer = await shop.ask({ agentId, vendor: HOST, checkoutSessionId, ...fields })
  return [answer.status, answer.body.code]
}

const toner = (unitMinor: number) => [{ itemId: 'toner', name: 'Toner', quantity: 1, unitMinor }]

/** That nothing of it is left anywhere. */
async function expectUntouched(shop: Shop): Promise<void> {
  expect(shop.psp.tokens).toEqual([])
  expect(shop.merchant.orders).toEqual([])
  expect(await shop.budget()).toEqual([0, 0, 100])
  expect((await shop.acme.get('/transactions')).body.data).toEqual([])
}

describe('a checkout', () => {
  test('is judged by what the merchant says, paid with a capped token, and settled', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const bought = await shop.buy(session)
    expect(bought).toMatchObject({
      decision: 'approved',
      status: 'completed',
      amount: 45,
      remainingBudget: 55,
      failure: null,
      checkout: {
        sessionId: session,
        vendor: HOST,
        merchantId: 'acct_merchant_1',
        currency: 'USD',
      },
      order: { status: 'confirmed' },
    })
    expect(shop.merchant.orders).toMatchObject([{ amountMinor: 4_500, checkoutId: session }])
    expect(shop.psp.tokens).toMatchObject([{ maxMinor: 4_500, capturedMinor: 4_500 }])
    expect([...shop.merchant.violations, ...shop.psp.violations]).toEqual([])
    expect(await shop.budget()).toEqual([45, 0, 55])
    const { status, settledAmount, external } = await shop.transaction(bought.transactionId)
    expect([status, settledAmount, external.order]).toEqual(['settled', 45, bought.order])
  })

  test('is rejected by the mandate without a token, and leaves the session as it was', async () => {
    const shop = await openShop({ budget: 40 })
    const session = shop.merchant.openCheckout()
    const rejected = await shop.buy(session)
    expect(rejected).toMatchObject({
      decision: 'rejected',
      status: 'failed',
      failure: { code: 'budget_exceeded', retryable: false },
      order: null,
    })
    expect(shop.psp.tokens).toEqual([])
    const { status, external } = await shop.transaction(rejected.transactionId)
    expect([status, external.checkout.totals]).toEqual(['rejected', rejected.checkout.totals])
    // A rejection uses nothing up.
    expect((await shop.buy(session)).decision).toBe('rejected')
  })

  test('needs an Idempotency-Key', async () => {
    const { acme, agentId, merchant } = await openShop()
    const body = { agentId, vendor: HOST, checkoutSessionId: merchant.openCheckout() }
    const answer = await acme.post('/gateway/acp/checkouts', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'idempotency_key_required'])
  })

  test('is made once per key, and the repeat is told what became of it', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
    const [first, second] = [await shop.ask(fields, 'once'), await shop.ask(fields, 'once')]
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(shop.merchant.orders).toHaveLength(1)
    const other = await shop.ask({ ...fields, reference: 'other' }, 'once')
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
  })

  test('that is only tried out records and holds nothing', async () => {
    const shop = await openShop()
    const tried = await shop.buy(shop.merchant.openCheckout(), { dryRun: true })
    expect(tried).toMatchObject({
      status: 'evaluated',
      decision: 'approved',
      transactionId: null,
      amount: 45,
      checkout: { currency: 'USD' },
    })
    await expectUntouched(shop)
  })

  test('with the number of a card anywhere in it is refused, and nothing of it is kept', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const number = '4242 4242 4242 4242'
    const told = [{ buyer: { note: number } }, { billingAddress: { name: 'A', cvc: '123' } }]
    for (const fields of told) {
      expect(await refusalOf(shop, session, fields)).toEqual([422, 'pan_not_allowed'])
    }
    await expectUntouched(shop)
  })

  test('has the category of the directory, and what the agent says beside it is kept', async () => {
    const shop = await openShop({ mandate: { rules: [{ type: 'categories', allow: ['office'] }] } })
    const told = { category: 'gambling', reference: 'order-7', metadata: { team: 'a' } }
    const { transactionId } = await shop.buy(shop.merchant.openCheckout(), told)
    const { body } = await shop.acme.get(`/transactions/${transactionId}`)
    expect(body).toMatchObject({ category: 'office', path: 'acp', metadata: { team: 'a' } })
  })

  test('is asked for by the agent whose key it is, and by no other', async () => {
    const shop = await openShop()
    const { client } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const session = { vendor: HOST, checkoutSessionId: shop.merchant.openCheckout() }
    expect((await shop.ask(session, undefined, client)).body.status).toBe('completed')
    const { agentId } = await anActiveMandate(shop.acme)
    const foreign = { ...session, agentId }
    const answer = await shop.ask(foreign, undefined, client)
    expect([answer.status, answer.body.code]).toEqual([404, 'agent_not_found'])
  })
})

describe('money', () => {
  test('that the agent lies about is no purchase, and changes nothing of what is paid', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const lies = [{ amount: 12 }, { maxAmount: 44.99 }, { currency: 'eur' }]
    for (const expected of lies) {
      const refused = await refusalOf(shop, session, { expect: expected })
      expect(refused).toEqual([409, 'acp_expectation_failed'])
    }
    await expectUntouched(shop)
    const truth = { amount: 45, maxAmount: 45, currency: 'usd' }
    expect((await shop.buy(session, { expect: truth })).status).toBe('completed')
  })

  test.each([
    ['JPY', 4_000, 500, 4_500],
    ['KWD', 4_000, 500, 4.5],
  ])(
    'in %s has the decimals of its currency',
    async (currency, unitMinor, deliveryMinor, amount) => {
      const shop = await openShop({ budget: 10_000, mandate: { currency } })
      const draft = { currency: currency.toLowerCase(), lines: toner(unitMinor), deliveryMinor }
      const bought = await shop.buy(shop.merchant.openCheckout(draft))
      expect(bought).toMatchObject({ status: 'completed', amount, checkout: { currency } })
      expect(shop.psp.tokens).toMatchObject([{ maxMinor: 4_500, capturedMinor: 4_500 }])
      expect((await shop.budget())[0]).toBe(amount)
    },
  )

  test('in another currency than the mandate is rejected', async () => {
    const shop = await openShop()
    const rejected = await shop.buy(shop.merchant.openCheckout({ currency: 'eur' }))
    expect(rejected.evaluationDetails.code).toBe('currency_mismatch')
  })

  test.each([
    ['two totals', [entry('total', 100), entry('total', 4_500)]],
    ['no total', [entry('subtotal', 4_500)]],
    ['nothing to pay', [entry('total', 0)]],
  ])('with %s cannot be paid', async (_what, totals) => {
    const shop = await openShop()
    const refused = await refusalOf(shop, shop.merchant.openCheckout({ totals }))
    expect(refused).toEqual([422, 'acp_invalid_session'])
    await expectUntouched(shop)
  })

  test('that rises between look and completion is not paid, and the session is free again', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { deliveryMinor: 2_000 })
    const failed = await shop.buy(session)
    expect(failed).toMatchObject({
      decision: 'approved',
      status: 'failed',
      failure: { code: 'amount_changed', retryable: true },
    })
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect((await shop.buy(session)).amount).toBe(60)
    expect(await shop.budget()).toEqual([60, 0, 40])
  })

  test('that rises at the completion itself is more than the token is worth', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAtCompletion(session, { deliveryMinor: 2_000 })
    const failed = await shop.buy(session)
    expect([failed.status, failed.failure?.code]).toEqual(['failed', 'payment_declined'])
    expect(shop.merchant.orders).toEqual([])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('that falls is settled as it fell, and the rest of the token is taken back', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAtCompletion(session, { deliveryMinor: 100 })
    const bought = await shop.buy(session)
    expect(bought.status).toBe('completed')
    expect(await shop.budget()).toEqual([41, 0, 59])
    expect(await shop.transaction(bought.transactionId)).toMatchObject({ settledAmount: 41 })
    const again = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(again, { deliveryMinor: 100 })
    expect((await shop.buy(again)).status).toBe('completed')
    expect(await shop.budget()).toEqual([82, 0, 18])
  })

  test('for other things than were judged is not paid, even if it is less', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { lines: toner(100) })
    expect((await shop.buy(session)).failure?.code).toBe('session_changed')
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test.each([
    ['in a different currency', { currency: 'kwd' }],
    ['to a different merchant', { merchantId: 'acct_thief' }],
    ['without its handler', { handlers: [] }],
  ])('that falls is not paid %s', async (_, change) => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { deliveryMinor: 100, ...change })
    expect((await shop.buy(session)).failure?.code).toBe('session_changed')
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })
})

describe('a session', () => {
  test('that pays somebody else than the directory allows is refused', async () => {
    const shop = await openShop()
    const refused = await refusalOf(shop, shop.merchant.openCheckout({ merchantId: 'acct_thief' }))
    expect(refused).toEqual([422, 'acp_merchant_mismatch'])
    await expectUntouched(shop)
  })

  test('that takes only credit of the seller, or card data, is refused', async () => {
    const shop = await openShop()
    const draft = shop.merchant.checkout(shop.merchant.openCheckout())
    const handler = handlerOf(draft)
    const unusable = [
      { ...handler, name: 'dev.acp.seller_backed.gift_card' },
      { ...handler, requires_pci_compliance: true },
      { ...handler, requires_delegate_payment: false },
      { ...handler, psp: 'adyen' },
    ]
    for (const other of unusable) {
      const session = shop.merchant.openCheckout({ handlers: [other] })
      expect(await refusalOf(shop, session)).toEqual([422, 'acp_unsupported_handler'])
    }
    const known = shop.merchant.openCheckout()
    const wished = await refusalOf(shop, known, { handlerId: 'another' })
    expect(wished).toEqual([422, 'acp_unsupported_handler'])
    await expectUntouched(shop)
  })

  test('is used up by a purchase, whoever asks', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    await shop.buy(session)
    expect(await refusalOf(shop, session)).toEqual([409, 'acp_session_used'])
    expect(shop.merchant.orders).toHaveLength(1)
  })

  test('that is not there, not ready or nearly over cannot be paid', async () => {
    const shop = await openShop()
    expect(await refusalOf(shop, 'cs_nobody')).toEqual([404, 'acp_session_not_found'])
    for (const status of ['not_ready_for_payment', 'completed', 'canceled', 'expired']) {
      const session = shop.merchant.openCheckout({ status })
      expect(await refusalOf(shop, session)).toEqual([409, 'acp_session_not_ready'])
    }
    const expiresAt = new Date(Date.now() + 30_000).toISOString()
    const nearlyOver = shop.merchant.openCheckout({ expiresAt })
    expect(await refusalOf(shop, nearlyOver)).toEqual([409, 'acp_session_not_ready'])
    await expectUntouched(shop)
  })

  test.each(['2026-01-30', '2026-01-16', '2025-09-29'])(
    'of version %s is paid too',
    async (version) => {
      const shop = await openShop({ version })
      const bought = await shop.buy(shop.merchant.openCheckout())
      expect(bought).toMatchObject({ status: 'completed', checkout: { version } })
      expect(await shop.budget()).toEqual([45, 0, 55])
    },
  )
})

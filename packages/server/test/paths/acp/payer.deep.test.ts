import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { aKey, anActiveMandate } from '../../support/builders.ts'
import { letLook } from './let-look.ts'
import { type CheckoutBody, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const PROOF = {
  authenticationResult: {
    outcome: 'authenticated',
    outcome_details: {
      three_ds_cryptogram: 'AAIBBYNoEwAAAAAAhgU4dAAAAAA=',
      electronic_commerce_indicator: '05',
      transaction_id: 'f38e6948-5388-41a6-bca4-b49723c19437',
      version: '2.2.0',
    },
  },
}
const MINUTE_MS = 60_000
/** More requests than a test sends. */
const ALWAYS = 10_000

/** A checkout whose payer has to prove something. */
async function openAsked(
  turn: 'authentication' | 'requires_3ds' | 'escalation' = 'authentication',
  options: Parameters<typeof openShop>[0] = {},
) {
  const shop = await openShop(options)
  const session = shop.merchant.openCheckout()
  shop.merchant.turnNext(session, turn)
  const asked = await shop.buy(session)
  return { shop, session, asked, transactionId: asked.transactionId }
}

/** A checkout whose token is good only after the payer has acted, so the merchant never saw it. */
async function openProviderAsks() {
  const shop = await openShop()
  const session = shop.merchant.openCheckout()
  shop.psp.askPayerNext()
  const asked = await shop.buy(session)
  return { shop, session, asked, transactionId: asked.transactionId }
}

/** The session is completed at the merchant without the gateway. */
function completeAt({ merchant }: Shop, session: string): void {
  const order = { id: 'ord_7', checkout_session_id: session, permalink_url: 'https://shop/7' }
  merchant.change(session, { status: 'completed', order })
}

const read = (text: string): CheckoutBody => JSON.parse(text)

async function goOn(shop: Shop, fields: object, key?: string): Promise<CheckoutBody> {
  const answer = await shop.ask({ ...fields }, key)
  expect(answer.status, answer.text).toBe(200)
  return read(answer.text)
}

describe('a payer who has to prove something', () => {
  test('is told what, and the hold stays meanwhile', async () => {
    const { shop, asked } = await openAsked()
    expect(asked).toMatchObject({
      decision: 'approved',
      status: 'requires_authentication',
      failure: null,
      authentication: { metadata: { directory_server: 'visa' } },
    })
    expect(await shop.budget()).toEqual([45, 45, 55])
  })

  test.each(['authentication', 'requires_3ds'] as const)(
    'hands the proof in, and the purchase is completed once (%s)',
    async (turn) => {
      const { shop, transactionId } = await openAsked(turn)
      const done = await goOn(shop, { transactionId, ...PROOF })
      expect(done).toMatchObject({ status: 'completed', amount: 45, authentication: null })
      const last = shop.merchant.requests.findLast(({ method }) => method === 'POST')
      expect(last?.body.authentication_result).toEqual(PROOF.authenticationResult)
      expect(shop.merchant.orders).toHaveLength(1)
      expect(shop.merchant.violations).toEqual([])
      expect(await shop.budget()).toEqual([45, 0, 55])
    },
  )

  test('is asked by the provider of the token, and the merchant hears of nothing until then', async () => {
    const { shop, asked, transactionId } = await openProviderAsks()
    expect(asked.status).toBe('requires_authentication')
    expect(asked.authentication.continueUrl).toBe('https://hooks.stripe.example/3ds')
    expect(shop.merchant.requests.some(({ method }) => method === 'POST')).toBe(false)
    shop.psp.payerActed(shop.psp.tokens[0]?.id ?? '')
    expect((await goOn(shop, { transactionId, ...PROOF })).status).toBe('completed')
  })

  test('gets the same answer to the same request, and another request with its key is refused', async () => {
    const { shop, transactionId } = await openAsked()
    const first = await shop.ask({ transactionId, ...PROOF }, 'proof')
    const again = await shop.ask({ transactionId, ...PROOF }, 'proof')
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const other = await shop.ask({ transactionId, cancel: true }, 'proof')
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    expect(shop.merchant.orders).toHaveLength(1)
  })

  test('gives up: the session is canceled, the token revoked, and the hold given back', async () => {
    const { shop, session, transactionId } = await openAsked()
    const given = await goOn(shop, { transactionId, cancel: true })
    const failure = { code: 'canceled', retryable: false }
    expect(given).toMatchObject({ status: 'failed', failure })
    expect(shop.merchant.checkout(session).status).toBe('canceled')
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true }])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('and completes the session at the merchant, which is found out', async () => {
    const { shop, session, transactionId } = await openAsked('escalation')
    completeAt(shop, session)
    shop.later(2 * MINUTE_MS)
    await shop.becomes(transactionId, 'settled')
    expect((await shop.transaction(transactionId)).external.order?.id).toBe('ord_7')
  })

  test('and completes the session before giving up has paid: nothing is canceled', async () => {
    const { shop, session, transactionId } = await openAsked()
    completeAt(shop, session)
    const given = await goOn(shop, { transactionId, cancel: true })
    expect(given).toMatchObject({ status: 'completed', failure: null, order: { id: 'ord_7' } })
    expect(shop.merchant.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(false)
    expect(await shop.budget()).toEqual([45, 0, 55])
  })
})

describe('a payer who never comes back', () => {
  test.each(['merchant', 'provider'] as const)(
    'is waited for, but no longer than ten minutes, where the %s asks',
    async (who) => {
      const { shop, transactionId } = await (who === 'merchant' ? openAsked() : openProviderAsks())
      await letLook(shop, 2 * MINUTE_MS)
      expect((await shop.transaction(transactionId)).external.status).toBe(
        'requires_authentication',
      )
      shop.later(11 * MINUTE_MS)
      await shop.becomes(transactionId, 'voided')
      const { external } = await shop.transaction(transactionId)
      const failure = { code: 'authentication_timeout', retryable: true }
      expect(external).toMatchObject({ status: 'failed', failure })
      expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
      expect(await shop.budget()).toEqual([0, 0, 100])
    },
  )

  test('pays for no session that is completed without the token', async () => {
    const { shop, session, transactionId } = await openProviderAsks()
    completeAt(shop, session)
    shop.later(11 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('has not said that nothing was paid, where neither merchant nor issuer can be asked', async () => {
    const { shop } = await openAsked('authentication', { issuer: 'delegate_payment' })
    for (const call of ['look', 'cancel'] as const) shop.merchant.failNext(call, '503', ALWAYS)
    await letLook(shop, 11 * MINUTE_MS)
    await letLook(shop, 26 * MINUTE_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })
})

describe('whoever goes on with a checkout', () => {
  test('acts for the agent that began it', async () => {
    const { shop, transactionId } = await openAsked()
    const { agentId } = await anActiveMandate(shop.acme)
    const { client } = await aKey(shop.app, shop.acme, { agentIds: [agentId] })
    for (const fields of [{ transactionId }, { transactionId: `txn_${'0'.repeat(32)}` }]) {
      const answer = await shop.ask({ ...fields, cancel: true }, undefined, client)
      expect([answer.status, answer.body.code]).toEqual([404, 'transaction_not_found'])
    }
    const unnamed = await shop.ask({ transactionId, agentId, cancel: true })
    expect(unnamed.status).toBe(404)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })

  test('finds it waiting, and says exactly one thing', async () => {
    const { shop, transactionId } = await openAsked()
    for (const fields of [{}, { ...PROOF, cancel: true }, { cancel: true, vendor: 'a.example' }]) {
      const answer = await shop.ask({ transactionId, ...fields })
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    }
    await goOn(shop, { transactionId, ...PROOF })
    const late = await shop.ask({ transactionId, cancel: true })
    expect([late.status, late.body.code]).toEqual([409, 'acp_checkout_state'])
  })
})

describe('buyer and address', () => {
  test('reach the merchant, are sealed meanwhile, and are gone afterwards', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'authentication')
    const buyer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
    const billingAddress = {
      name: 'Ada Lovelace',
      line_one: '1 Main St',
      city: 'London',
      state: 'LND',
      country: 'GB',
      postal_code: 'N1 9GU',
    }
    const { transactionId } = await shop.buy(session, { buyer, billingAddress })
    const stored = () =>
      shop.app.rows<{ sealed: Buffer | null }>(
        'select * from acp_checkouts where organization_id = $1',
        [shop.acme.organizationId],
      )
    const dump = async () => inspect(await stored(), { depth: 9 })
    const [row] = await stored()
    expect(row?.sealed).not.toBeNull()
    expect(await dump()).not.toMatch(/Ada|Main St|spt_1/)
    await goOn(shop, { transactionId, ...PROOF })
    const sent = shop.merchant.requests.findLast(({ method }) => method === 'POST')
    expect(sent?.body).toMatchObject({ buyer, payment_data: { billing_address: billingAddress } })
    expect(shop.merchant.violations).toEqual([])
    const [after] = await stored()
    expect(after?.sealed).toBeNull()
    const { text } = await shop.acme.get(`/transactions/${transactionId}`)
    expect(text).not.toMatch(/Ada|Main St|spt_/)
  })
})

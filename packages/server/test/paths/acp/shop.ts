import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { type Merchant, startMerchant } from '../../support/acp/merchant.ts'
import { type OrderNews, signedOrder } from '../../support/acp/order-news.ts'
import { type Psp, startPsp } from '../../support/acp/psp.ts'
import type { Answer, Client, Owner, TestApp } from '../../support/app.ts'
import { createTestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { shareApp } from '../../support/share-app.ts'
import { budgetOf } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { Asker } from '../path-example.ts'

type Fields = Readonly<Record<string, unknown>>

/** The host by which the directory knows the merchant. */
export const HOST = 'localhost'

/** What the answer to a checkout has besides a decision. */
export interface CheckoutBody {
  readonly decision: 'approved' | 'rejected'
  readonly transactionId: string
  readonly amount: number
  readonly remainingBudget: number
  readonly status: string
  readonly failure: { readonly code: string; readonly retryable: boolean } | null
  readonly checkout: {
    readonly currency: string
    readonly merchantId: string
    readonly totals: readonly { readonly type: string; readonly amount: number }[]
    readonly lineItems: readonly object[]
  }
  readonly order: { readonly id: string; readonly permalinkUrl: string | null } | null
  readonly authentication: { readonly metadata: object | null; readonly continueUrl: string | null }
  readonly evaluationDetails: { readonly code: string }
}

interface ShopOptions {
  readonly app?: TestApp
  readonly acme?: Owner
  readonly budget?: number
  readonly mandate?: Fields
  readonly version?: string
  readonly issuer?: 'stripe' | 'delegate_payment'
}

/** An agent with a mandate, a merchant that it can buy at, and the provider that makes the tokens. */
export interface Shop {
  readonly app: TestApp
  readonly acme: Owner
  readonly agentId: string
  readonly mandateId: string
  readonly merchant: Merchant
  readonly psp: Psp
  /** Every purchase has a key of its own unless it says so. */
  ask(fields: Fields, key?: string, client?: Client): Promise<Answer>
  /** Buys a session, which must be answered with a decision for the test to make sense. */
  buy(sessionId: string, fields?: Fields, key?: string): Promise<CheckoutBody>
  /** Spent, held, left. */
  budget(): Promise<readonly number[]>
  transaction(id: string): Promise<TransactionView>
  /** The merchant tells of an order, at the address that it was given. Gives the status of the answer. */
  tell(sessionId: string, news?: OrderNews, address?: string): Promise<number>
  /** A client of the protocol asks for a token. */
  delegate(apiKey: string, allowance: Fields, asked?: Asked): Promise<Delegated>
  /** So much time has passed for the gateway; until the end of the test. */
  later(ms: number): void
  /** Waits until the reconciler has brought a transaction there. Where the clock is turned, it goes on. */
  becomes(transactionId: string, status: string): Promise<void>
}

/** What a client of the protocol says besides the allowance. */
export interface Asked {
  readonly method?: Fields
  readonly headers?: Readonly<Record<string, string>>
}

export interface Delegated {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a token or an error, in the protocol's own shapes.
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly transactionId: string
}

export interface TransactionView {
  readonly status: string
  readonly settledAmount: number
  readonly refundedAmount: number
  readonly heldAmount: number
  readonly flags: readonly string[]
  readonly external: Pick<CheckoutBody, 'status' | 'failure' | 'checkout' | 'order'>
}

let count = 0

/**
 * Opens the shops of a file's tests on one app, each in its own organization. A finished test leaves
 * no checkout to the reconciler: its merchant is gone, and later tests turn the clock.
 */
export function openShopsOnOneApp(): typeof openShop {
  const app = shareApp()
  return async (options = {}) => {
    const shop = await openShop({ app: await app(), ...options })
    onTestFinished(async () => {
      await shop.app.rows(
        'update acp_checkouts set next_check_at = null where organization_id = $1',
        [shop.acme.organizationId],
      )
    })
    return shop
  }
}

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const app = options.app ?? (await createTestApp())
  const { merchant, psp } = await openStalls(options)
  // What is registered last runs first: the app stops before those whom it asks.
  onTestFinished(async () => {
    app.clock.now = undefined
    if (!options.app) await app.stop()
  })
  const acme = options.acme ?? (await app.organization())
  const { id: mandateId, agentId } = await anActiveMandate(acme, {
    budgetTotal: options.budget ?? 100,
    ...options.mandate,
  })
  const orderUrl = await register(acme, merchant, psp, options)

  const ask: Shop['ask'] = (fields, key, client = acme) => {
    count += 1
    const headers = { 'idempotency-key': key ?? `purchase-${count}` }
    return client.post('/gateway/acp/checkouts', fields, headers)
  }
  const transaction: Shop['transaction'] = async (id) => {
    const answer = await acme.get(`/transactions/${id}`)
    bodyOf(answer)
    return JSON.parse(answer.text)
  }
  return {
    app,
    acme,
    agentId,
    mandateId,
    merchant,
    psp,
    ask,
    async buy(checkoutSessionId, fields = {}, key) {
      const answer = await ask({ agentId, vendor: HOST, checkoutSessionId, ...fields }, key)
      expect(answer.status, answer.text).toBe(200)
      return JSON.parse(answer.text)
    },
    budget: () => budgetOf(acme, mandateId),
    transaction,
    async tell(sessionId, news = {}, address = orderUrl) {
      const order = signedOrder(merchant.webhookSecret, merchant.checkout(sessionId), news)
      const { body: payload, headers } = order
      const { statusCode } = await app.app.inject({
        method: 'POST',
        url: address,
        headers,
        payload,
      })
      return statusCode
    },
    delegate: (apiKey, allowance, asked) => delegate(app, merchant, apiKey, allowance, asked),
    later(ms) {
      app.clock.now = Date.now() + ms
    },
    becomes: (id, status) =>
      waitUntil(async () => {
        // What was postponed by a second would never be due on a clock that stands still.
        if (app.clock.now !== undefined) app.clock.now += 1_000
        return (await transaction(id)).status === status
      }),
  }
}

/** A merchant and a payment provider, until the test is over. */
export async function openStalls({ version }: Pick<ShopOptions, 'version'> = {}): Promise<{
  readonly merchant: Merchant
  readonly psp: Psp
}> {
  const psp = await startPsp()
  const merchant = await startMerchant({
    charge: psp.charge,
    ...(version !== undefined && { version }),
  })
  onTestFinished(async () => {
    await merchant.stop()
    await psp.stop()
  })
  return { merchant, psp }
}

/** Makes merchant and instrument known to the organization, and gives the address for orders. */
export async function register(
  acme: Asker,
  merchant: Merchant,
  psp: Psp,
  { issuer = 'stripe' }: Pick<ShopOptions, 'issuer'> = {},
): Promise<string> {
  const { paymentMethod, credential } = psp
  const instrument = { id: 'company-card', label: 'Company card', issuer, baseUrl: psp.url }
  const instruments = [{ ...instrument, paymentMethod, credential }]
  await acme.patch('/organization', { acp: { instruments } })
  const shop = {
    apiBaseUrl: merchant.url.replace('127.0.0.1', HOST),
    version: merchant.version,
    credential: merchant.credential,
    webhookSecret: merchant.webhookSecret,
    merchantIds: [merchant.merchantId],
    profileId: psp.profileId,
  }
  const { body: known } = await acme.get(`/vendors?host=${HOST}`)
  const [entry] = known.data
  const { status, body } = entry
    ? await acme.patch(`/vendors/${entry.id}`, { acp: { ...shop, rotateOrderToken: true } })
    : await acme.post('/vendors', { host: HOST, category: 'office', acp: shop })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.acp?.orderUrl ?? ''
}

async function delegate(
  app: TestApp,
  { merchantId: merchant_id }: Merchant,
  apiKey: string,
  allowance: Fields,
  { method = {}, headers = {} }: Asked = {},
): Promise<Delegated> {
  const response = await app.app.inject({
    method: 'POST',
    url: '/acp/agentic_commerce/delegate_payment',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'api-version': '2026-04-17',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...headers,
    },
    payload: JSON.stringify({
      payment_method: {
        type: 'card',
        card_number_type: 'network_token',
        number: 'company-card',
        display_card_funding_type: 'credit',
        metadata: {},
        ...method,
      },
      allowance: {
        reason: 'one_time',
        max_amount: 6_000,
        currency: 'usd',
        merchant_id,
        expires_at: '2100-01-01T00:00:00Z',
        ...allowance,
      },
      risk_signals: [],
      metadata: { source: 'platform' },
    }),
  })
  const { statusCode: status, body: text, headers: answered } = response
  const transactionId = String(answered['purser-decision-id'])
  return { status, body: JSON.parse(text), text, headers: answered, transactionId }
}

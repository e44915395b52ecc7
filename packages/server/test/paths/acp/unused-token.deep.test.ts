import { describe, expect, test } from 'vitest'
import { refuse, sent } from '../../support/acp/idempotency.ts'
import { refundOf } from '../../support/acp/order-news.ts'
import { audit } from '../../support/audit.ts'
import { aKey, bodyOf, HOUR_MS } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { letLook } from './let-look.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const MINUTE_MS = 60_000
const BEFORE_END_MS = 24 * MINUTE_MS
const PAST_END_MS = 26 * MINUTE_MS
/** More often than anybody asks. */
const ALWAYS = 10_000

/** A token of 45 that a client of the protocol has, and that it never uses. */
async function openUnused() {
  const shop = await openShop({ issuer: 'delegate_payment' })
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const session = shop.merchant.openCheckout()
  const headers = { 'idempotency-key': 'unused' }
  const ask = () => shop.delegate(key.apiKey, { checkout_session_id: session }, { headers })
  const { status, transactionId } = await ask()
  expect(status).toBe(201)
  return { shop, session, transactionId, ask }
}

const healthOf = async ({ acme }: Shop) =>
  JSON.parse((await acme.get(`/vendors?host=${HOST}`)).text).data[0].acp.health

describe('the hold of a token that was never used, where the issuer cannot be asked', () => {
  test.each([
    ['ready_for_payment', 'token_unused', true],
    ['not_ready_for_payment', 'token_unused', true],
    ['authentication_required', 'token_unused', true],
    ['canceled', 'session_canceled', false],
    ['expired', 'session_expired', false],
  ])('is given back once the token is over and %s is shown', async (status, code, retryable) => {
    const { shop, session, transactionId, ask } = await openUnused()
    shop.merchant.change(session, { status })
    await letLook(shop, BEFORE_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
    const { external } = await shop.transaction(transactionId)
    expect(external).toMatchObject({ status: 'failed', failure: { code, retryable } })
    const again = await ask()
    expect([again.status, again.body.code]).toEqual([400, 'duplicate_request'])
    expect(await healthOf(shop)).toEqual({ heldPastEnd: 0, oldestTokenEnd: null })
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('is given back once the shop says that the session is gone', async () => {
    const { shop, transactionId } = await openUnused()
    shop.merchant.failNext('look', { answer: refuse(404, 'not_found') }, ALWAYS)
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'voided')
    const { external } = await shop.transaction(transactionId)
    expect(external.failure?.code).toBe('session_gone')
  })

  test.each([
    ['says that it is under way', 'complete_in_progress'],
    ['says that a person has to go on with it', 'requires_escalation'],
    ['says what nobody has heard of', 'pending_approval'],
  ])('stays where the shop %s', async (_what, status) => {
    const { shop, session } = await openUnused()
    shop.merchant.change(session, { status })
    await letLook(shop, 2 * HOUR_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
    expect(await healthOf(shop)).toMatchObject({ heldPastEnd: 1 })
  })

  test.each([
    ['cannot be reached', '503' as const],
    ['answers nonsense', 'garbage' as const],
    ['has no such address', { answer: sent(404, { message: 'Cannot GET' }) }],
  ])('stays where the shop %s, is told in health, and a person ends it', async (_what, fault) => {
    const { shop, transactionId } = await openUnused()
    expect(await healthOf(shop)).toEqual({ heldPastEnd: 0, oldestTokenEnd: null })
    shop.merchant.failNext('look', fault, ALWAYS)
    await letLook(shop, 25 * HOUR_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
    const { oldestTokenEnd, heldPastEnd } = await healthOf(shop)
    expect([heldPastEnd, Date.parse(oldestTokenEnd) < Date.now() + 16 * MINUTE_MS]).toEqual([
      1,
      true,
    ])
    const reason = { reason: 'The statement of the provider has no charge.' }
    bodyOf(await shop.acme.post(`/transactions/${transactionId}/void`, reason))
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect(await healthOf(shop)).toMatchObject({ heldPastEnd: 0 })
  })

  test.each([
    ['cannot be reached', '503' as const],
    ['refuses the credential', { answer: refuse(401, 'unauthorized') }],
    ['has no such address', { answer: sent(404, { message: 'Cannot GET' }) }],
  ])('stays where the shop said canceled before the end, and then %s', async (_what, fault) => {
    const { shop, session } = await openUnused()
    shop.merchant.change(session, { status: 'canceled' })
    await letLook(shop, 2 * MINUTE_MS)
    shop.merchant.failNext('look', fault, ALWAYS)
    await letLook(shop, PAST_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
    expect(await healthOf(shop)).toMatchObject({ heldPastEnd: 1 })
  })

  test('is given back where the shop said canceled before the end, and gone after it', async () => {
    const { shop, session, transactionId } = await openUnused()
    shop.merchant.change(session, { status: 'canceled' })
    await letLook(shop, 2 * MINUTE_MS)
    shop.merchant.failNext('look', { answer: refuse(404, 'not_found') }, ALWAYS)
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'voided')
    const { external } = await shop.transaction(transactionId)
    expect(external.failure?.code).toBe('session_canceled')
  })

  test('stays where the shop tells of an order while it is being asked', async () => {
    const { shop, session } = await openUnused()
    let goOn = () => {}
    const until = new Promise<void>((resolve) => {
      goOn = resolve
    })
    shop.merchant.failNext('look', { until, after: true })
    const looks = shop.merchant.requests.length
    shop.later(PAST_END_MS)
    await waitUntil(() => shop.merchant.requests.length > looks)
    const order = { id: 'ord_1', checkout_session_id: session, permalink_url: 'https://a/1' }
    expect(await shop.tell(session, { order, atMs: Date.now() + PAST_END_MS })).toBe(200)
    goOn()
    await letLook(shop, 2 * HOUR_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })

  test('stays where the shop has told of an order', async () => {
    const { shop, session } = await openUnused()
    const order = { id: 'ord_1', checkout_session_id: session, permalink_url: 'https://a/1' }
    await shop.tell(session, { order: { ...order, adjustments: [refundOf('a', 500)] } })
    await letLook(shop, 2 * HOUR_MS)
    shop.merchant.change(session, { status: 'canceled' })
    await letLook(shop, 3 * HOUR_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })
})

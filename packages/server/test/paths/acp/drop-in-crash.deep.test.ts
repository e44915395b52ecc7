import { expect, onTestFinished, test } from 'vitest'
import { createTestAppOn } from '../../support/app.ts'
import { aKey } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'
import { pauseAfter } from '../../support/watched-database.ts'
import { openShop } from './shop.ts'

const MINUTE_MS = 60_000

/** A client whose gateway dies after so many points of the checkout are stored, before it answers. */
async function openCrashed(points: number, issuer: 'stripe' | 'delegate_payment') {
  const database = await createTestDatabase()
  let stored = 0
  const isPoint = (text: string) => /update acp_checkouts\s+set state/.test(text)
  const db = pauseAfter(database.db, isPoint, async () => {
    stored += 1
    if (stored === points) throw new Error('The process is gone.')
  })
  const app = await createTestAppOn(database, db)
  onTestFinished(app.stop)
  const shop = await openShop({ app, issuer })
  const { key } = await aKey(app, shop.acme, { agentIds: [shop.agentId] })
  const session = shop.merchant.openCheckout()
  const headers = { 'idempotency-key': 'once' }
  const ask = () => shop.delegate(key.apiKey, { checkout_session_id: session }, { headers })
  return { shop, ask }
}

test.each(['stripe', 'delegate_payment'] as const)(
  'a client of the protocol whose token was handed out before a crash gets that token (%s)',
  async (issuer) => {
    const { shop, ask } = await openCrashed(3, issuer)
    expect((await ask()).status).toBe(500)
    const again = await ask()
    expect([again.status, again.body.id]).toEqual([201, shop.psp.tokens[0]?.id])
    expect(shop.psp.tokens).toHaveLength(1)
  },
)

test.each(
  (['stripe', 'delegate_payment'] as const).flatMap((issuer) => [
    [1, issuer] as const,
    [2, issuer] as const,
  ]),
)(
  'a client of the protocol is told after a crash at point %i that it has no token (%s)',
  async (points, issuer) => {
    const { shop, ask } = await openCrashed(points, issuer)
    expect((await ask()).status).toBe(500)
    const early = await ask()
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight'])
    shop.later(2 * MINUTE_MS)
    const [row] = (await shop.acme.get('/transactions')).body.data
    await shop.becomes(row?.transactionId ?? '', 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
    const again = await ask()
    expect([again.status, again.body.code]).toEqual([400, 'duplicate_request'])
    expect(again.body.message).toContain('This request got no token')
    expect(again.text).not.toMatch(/spt_|vt_/)
  },
)

test('a client of the protocol whose token is used up is told so', async () => {
  const shop = await openShop({ issuer: 'delegate_payment' })
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const session = shop.merchant.openCheckout()
  const headers = { 'idempotency-key': 'once' }
  const ask = () => shop.delegate(key.apiKey, { checkout_session_id: session }, { headers })
  const { transactionId } = await ask()
  shop.merchant.change(session, { status: 'canceled' })
  shop.later(30 * MINUTE_MS)
  await shop.becomes(transactionId, 'voided')
  const again = await ask()
  expect([again.status, again.body.code]).toEqual([400, 'duplicate_request'])
  expect(again.body.message).toContain('was already answered')
})

import { expect, test } from 'vitest'
import { sealAll } from '../../support/audit-log.ts'
import { aKey } from '../../support/builders.ts'
import { openShop, type Shop } from './shop.ts'

const MINUTE_MS = 60_000

interface Row {
  readonly operation: string
  readonly subject_id: string
  readonly actor_kind: string
  readonly after: Readonly<Record<string, unknown>>
}

/** What the record of changes has of payment tokens, oldest first. */
const recordOf = (shop: Shop) =>
  shop.app.rows<Row>(`select operation, subject_id, actor_kind, after from changes
                      where subject_type = 'payment_token' order by number`)

test('the audit log has that a payment token was made, handed out and ended', async () => {
  const shop = await openShop()
  const { transactionId } = await shop.buy(shop.merchant.openCheckout())
  const rows = await recordOf(shop)
  const shown = { amount: 45, currency: 'USD', vendor: 'localhost', endsAt: expect.any(String) }
  expect(rows).toMatchObject([
    { operation: 'payment_token.created', after: { ...shown, status: 'made' } },
    { operation: 'payment_token.handed_out', after: { ...shown, to: 'merchant' } },
    { operation: 'payment_token.ended', after: { ...shown, status: 'used' } },
  ])
  for (const { subject_id, actor_kind } of rows) {
    expect([subject_id, actor_kind]).toEqual([transactionId, 'system'])
  }
  await sealAll(shop.app)
  const kinds = ['created', 'handed_out', 'ended'].map((what) => `change.payment_token.${what}`)
  for (const kind of kinds) {
    const { text, body } = await shop.acme.get(`/audit-log?kind=${kind}`)
    expect(body.data).toHaveLength(1)
    expect(text).toContain(transactionId)
    expect(text).not.toContain(shop.psp.tokens[0]?.id)
  }
  expect(JSON.stringify(rows)).not.toContain(shop.psp.tokens[0]?.id)
})

test('the audit log has a token that an agent was handed, and that was never used', async () => {
  const shop = await openShop()
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const allowance = { checkout_session_id: shop.merchant.openCheckout() }
  const { body, transactionId } = await shop.delegate(key.apiKey, allowance)
  shop.psp.expire(body.id)
  shop.later(2 * MINUTE_MS)
  await shop.becomes(transactionId, 'voided')
  expect(await recordOf(shop)).toMatchObject([
    { operation: 'payment_token.created' },
    { operation: 'payment_token.handed_out', after: { to: 'agent' } },
    { operation: 'payment_token.ended', after: { status: 'unused' } },
  ])
})

test('the audit log has a token that never left the gateway', async () => {
  const shop = await openShop({ issuer: 'delegate_payment' })
  const session = shop.merchant.openCheckout()
  shop.merchant.changeAfterLook(session, { deliveryMinor: 2_000 })
  await shop.buy(session)
  expect(await recordOf(shop)).toMatchObject([
    { operation: 'payment_token.created' },
    { operation: 'payment_token.ended', after: { status: 'unused' } },
  ])
})

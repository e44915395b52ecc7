import { expect, test } from 'vitest'
import { HOST, openShop } from '../paths/acp/shop.ts'
import { refundOf } from '../support/acp/order-news.ts'
import { anApprover, approvalIdIn, aSpender, decideOn, readApproval } from '../support/approvals.ts'
import { aKey, bodyOf } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

const MINUTE_MS = 60_000

/** Checkouts at merchants: completed, refused, given up, left alone, and those of other clients. */
export const acpFlow: Flow = (stage) => {
  test('a session is bought and refunded, and one beyond the budget is rejected', async () => {
    const { app } = stage()
    const shop = await openShop({ app, budget: 60 })
    const session = shop.merchant.openCheckout()
    const bought = await shop.buy(session, {}, 'purchase')
    expect(bought.status).toBe('completed')
    expect((await shop.buy(session, {}, 'purchase')).transactionId).toBe(bought.transactionId)
    expect((await shop.buy(shop.merchant.openCheckout())).decision).toBe('rejected')
    await shop.tell(session, { adjustments: [refundOf('adj_1', 1_000)] })
    expect(await shop.budget()).toEqual([35, 0, 25])
  })

  test('a declined payment gives hold and approval back, and the directory shows that none waits', async () => {
    const { app } = stage()
    const shop = await openShop({ app, mandate: { rules: [{ type: 'approval', above: 5 }] } })
    const approver = await anApprover(app, shop.acme)
    const spender = await aSpender(app, shop.acme, shop.agentId)
    const session = shop.merchant.openCheckout()
    const ask = (fields: object = {}) =>
      shop.ask({ vendor: HOST, checkoutSessionId: session, ...fields }, undefined, spender)
    const approvalId = approvalIdIn(JSON.parse((await ask()).text))
    bodyOf(await decideOn(approver, approvalId))
    shop.merchant.turnNext(session, 'decline')
    expect((await ask({ approvalId })).body.status).toBe('failed')
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'approved' })
    const { text } = await shop.acme.get('/vendors')
    const health = { heldPastEnd: 0, oldestTokenEnd: null }
    expect(JSON.parse(text)).toMatchObject({ data: [{ acp: { health } }] })
  })

  test('a payer gives up, and another one is waited for', async () => {
    const { app } = stage()
    const shop = await openShop({ app })
    const sessions = [shop.merchant.openCheckout(), shop.merchant.openCheckout()]
    for (const session of sessions) shop.merchant.turnNext(session, 'authentication')
    const [first = '', second = ''] = sessions
    const { transactionId } = await shop.buy(first)
    const answer = await shop.ask({ transactionId, cancel: true })
    expect(answer.body.status).toBe('failed')
    expect(await shop.budget()).toEqual([0, 0, 100])
    // Its secrets are there when everything that is sealed moves to another master key.
    expect((await shop.buy(second)).status).toBe('requires_authentication')
  })

  test('a checkout that nobody goes on with is taken to its end', async () => {
    const { app } = stage()
    const shop = await openShop({ app })
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'authentication')
    const { transactionId } = await shop.buy(session)
    shop.later(11 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
  })

  test('a client of the protocol gets a token, and its purchase is followed', async () => {
    const { app } = stage()
    const shop = await openShop({ app })
    const { key } = await aKey(app, shop.acme, { agentIds: [shop.agentId] })
    const session = shop.merchant.openCheckout()
    const asked = { checkout_session_id: session }
    const { status, body, transactionId } = await shop.delegate(key.apiKey, asked)
    expect([status, typeof body.id]).toEqual([201, 'string'])
    shop.later(MINUTE_MS)
    const text = 'select checks from acp_checkouts where session_id = $1'
    await waitUntil(async () => {
      const [row] = await app.rows<{ checks: number }>(text, [session])
      return (row?.checks ?? 0) > 0
    })
    shop.psp.expire(body.id)
    shop.later(5 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
  })
}

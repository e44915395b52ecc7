import { describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import {
  anApprover,
  approvalIdIn,
  aSpender,
  decideOn,
  readApproval,
} from '../../support/approvals.ts'
import { audit } from '../../support/audit.ts'
import { aKey, bodyOf, HOUR_MS } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShopsOnOneApp, type Shop } from './shop.ts'

const openShop = openShopsOnOneApp()

const ASKS = { rules: [{ type: 'approval', above: 5 }] }
const MINUTE_MS = 60_000
const NO_APPROVAL = 'apr_019a85617c5e7d409b5e6f1f0a3c2b11'

/** A shop at which the agent needs a person, who is another key than the one it buys with. */
async function openAskingShop() {
  const shop = await openShop({ mandate: ASKS })
  const spender = await aSpender(shop.app, shop.acme, shop.agentId)
  const approver = await anApprover(shop.app, shop.acme)
  const buy = async (checkoutSessionId: string, fields: object = {}) => {
    const answer = await shop.ask(
      { vendor: HOST, checkoutSessionId, ...fields },
      undefined,
      spender,
    )
    bodyOf(answer)
    return JSON.parse(answer.text)
  }
  return { shop, spender, approver, buy }
}

const asksNobody = ({ merchant, psp }: Shop): boolean =>
  merchant.orders.length === 0 && psp.tokens.length === 0

test('a session that a person approved is bought, once', async () => {
  const { shop, approver, buy } = await openAskingShop()
  const session = shop.merchant.openCheckout()
  const asked = await buy(session)
  expect(asked).toMatchObject({
    decision: 'rejected',
    status: 'failed',
    failure: { code: 'approval_required' },
  })
  expect(asksNobody(shop)).toBe(true)
  const approvalId = approvalIdIn(asked)
  expect(await readApproval(approver, approvalId)).toMatchObject({ path: 'acp', amount: 45 })
  expect((await buy(session, { approvalId })).failure.code).toBe('approval_required')
  bodyOf(await decideOn(approver, approvalId))

  const bought = await buy(session, { approvalId })
  expect(bought).toMatchObject({ decision: 'approved', status: 'completed' })
  expect(bought.evaluationDetails.approval).toMatchObject({ id: approvalId, status: 'used' })
  const another = await buy(shop.merchant.openCheckout(), { approvalId })
  expect(another).toMatchObject({ decision: 'rejected', failure: { code: 'approval_required' } })
  expect(approvalIdIn(another)).not.toBe(approvalId)
  expect(await shop.budget()).toEqual([45, 0, 55])
})

test('a session that a person rejected is not bought', async () => {
  const { shop, approver, buy } = await openAskingShop()
  const session = shop.merchant.openCheckout()
  const approvalId = approvalIdIn(await buy(session))
  bodyOf(await decideOn(approver, approvalId, 'reject'))
  expect((await buy(session, { approvalId })).failure.code).toBe('approval_rejected')
  expect(asksNobody(shop)).toBe(true)
})

test('the key that sent a checkout does not approve it, whichever way it was sent', async () => {
  const shop = await openShop({ mandate: ASKS })
  const approvalId = approvalIdIn(
    JSON.parse(
      (
        await shop.ask({
          ...{ agentId: shop.agentId, vendor: HOST },
          checkoutSessionId: shop.merchant.openCheckout(),
        })
      ).text,
    ),
  )
  const refused = await decideOn(shop.acme, approvalId)
  expect([refused.status, refused.body.code]).toEqual([403, 'approval_own_request'])

  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const session = shop.merchant.openCheckout()
  const { status } = await shop.delegate(key.apiKey, { checkout_session_id: session })
  expect(status).toBe(403)
  const [row] = await shop.app.rows<{ askedBy: string[] }>(
    'select asked_by as "askedBy" from approvals where id = $1',
    [toUuid('apr', approvalId)],
  )
  expect(row?.askedBy.slice(1)).toEqual([toUuid('key', key.id)])
})

test('a token that the protocol itself asks for is made once a person has approved it, once', async () => {
  const { shop, approver } = await openAskingShop()
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const delegate = () =>
    shop.delegate(key.apiKey, { checkout_session_id: shop.merchant.openCheckout() })
  const asked = await delegate()
  expect(asked).toMatchObject({ status: 403, body: { code: 'mandate_denied' } })
  const [approvalId = ''] = /apr_\w+/.exec(asked.body.message) ?? []
  expect(asked.body.message).toContain(`A person must approve it: ${approvalId}. Once approved, `)
  expect((await delegate()).body.message).toContain(approvalId)
  bodyOf(await decideOn(approver, approvalId))

  expect(await delegate()).toMatchObject({ status: 201 })
  expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
  const another = await delegate()
  expect(another.status).toBe(403)
  expect(another.body.message).not.toContain(approvalId)
  expect(await shop.budget()).toEqual([45, 45, 55])
})

describe('an approval whose checkout came to nothing', () => {
  /** An approval of 45 that a checkout uses up, which the merchant does not complete. */
  async function openUsed(turn: 'decline' | 'charge_only' | 'authentication') {
    const opened = await openAskingShop()
    const { shop, approver, buy } = opened
    const session = shop.merchant.openCheckout()
    const approvalId = approvalIdIn(await buy(session))
    bodyOf(await decideOn(approver, approvalId))
    const before = await readApproval(approver, approvalId)
    shop.merchant.turnNext(session, turn)
    return { ...opened, session, approvalId, before }
  }

  test('can be used once more, until its old end', async () => {
    const { shop, approver, buy, session, approvalId, before } = await openUsed('decline')
    const failed = await buy(session, { approvalId })
    expect([failed.status, failed.failure.code]).toEqual(['failed', 'payment_declined'])
    const { expiresAt, permit } = before
    const after = await readApproval(approver, approvalId)
    expect(after).toMatchObject({ status: 'approved', expiresAt, permit })
    const another = shop.merchant.openCheckout()
    expect(await buy(another, { approvalId })).toMatchObject({ status: 'completed' })
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
    const third = await buy(shop.merchant.openCheckout(), { approvalId })
    expect(third.decision).toBe('rejected')
    expect(await shop.budget()).toEqual([45, 0, 55])
    expect(await audit(shop.app.database.db)).toEqual([])
  })

  test('stays used while it is not known what became of the money', async () => {
    const { shop, approver, buy, session, approvalId } = await openUsed('charge_only')
    let goOn = () => {}
    const until = new Promise<void>((resolve) => {
      goOn = resolve
    })
    shop.psp.failNext('revoke', { until })
    const asked = buy(session, { approvalId })
    await waitUntil(async () => {
      const [row] = await shop.app.rows<{ state: string }>(
        'select state from acp_checkouts where organization_id = $1',
        [shop.acme.organizationId],
      )
      return row?.state === 'closing'
    })
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
    const again = await buy(shop.merchant.openCheckout(), { approvalId })
    expect(again.failure.code).toBe('approval_required')
    goOn()
    await asked
    expect(await shop.budget()).toEqual([45, 0, 55])
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
  })

  test('stays used where a person has voided the hold', async () => {
    const { shop, buy, session, approvalId } = await openUsed('authentication')
    const { transactionId } = await buy(session, { approvalId })
    for (const call of ['look', 'cancel'] as const) shop.merchant.failNext(call, '503', 10_000)
    for (const call of ['revoke', 'inspect'] as const) shop.psp.failNext(call, '503', 10_000)
    shop.later(25 * HOUR_MS)
    bodyOf(await shop.acme.post(`/transactions/${transactionId}/void`, { reason: 'No order.' }))
    expect(await shop.budget()).toEqual([0, 0, 100])
    const { rows } = shop.app
    const [row] = await rows<{ status: string }>('select status from approvals where id = $1', [
      toUuid('apr', approvalId),
    ])
    expect(row?.status).toBe('used')
  })

  test('is found again by a client of the protocol whose token was never used', async () => {
    const { shop, approver } = await openAskingShop()
    const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
    const delegate = () =>
      shop.delegate(key.apiKey, { checkout_session_id: shop.merchant.openCheckout() })
    const [approvalId = ''] = /apr_\w+/.exec((await delegate()).body.message) ?? []
    bodyOf(await decideOn(approver, approvalId))
    const first = await delegate()
    expect([first.status, (await delegate()).status]).toEqual([201, 403])
    shop.psp.expire(first.body.id)
    shop.later(2 * MINUTE_MS)
    await shop.becomes(first.transactionId, 'voided')
    expect((await delegate()).status).toBe(201)
    expect(await audit(shop.app.database.db)).toEqual([])
  })
})

test('what was approved for an agent over another path makes no token', async () => {
  const { shop, spender, approver } = await openAskingShop()
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const spend = { amount: 45, vendor: HOST, category: 'office' }
  const answer = await spender.post('/gateway/evaluate', spend)
  bodyOf(await decideOn(approver, approvalIdIn(JSON.parse(answer.text))))
  const checkout_session_id = shop.merchant.openCheckout()
  expect((await shop.delegate(key.apiKey, { checkout_session_id })).status).toBe(403)
})

test('an approval that is not there is told, and nothing is decided', async () => {
  const { shop, spender } = await openAskingShop()
  const checkoutSessionId = shop.merchant.openCheckout()
  const fields = { vendor: HOST, checkoutSessionId, approvalId: NO_APPROVAL }
  const answer = await shop.ask(fields, undefined, spender)
  expect([answer.status, answer.body.code]).toEqual([404, 'approval_not_found'])
  expect((await shop.acme.get('/transactions')).body.total).toBe(0)
})

test('a dry run presents no approval', async () => {
  const { shop, spender } = await openAskingShop()
  const checkoutSessionId = shop.merchant.openCheckout()
  const fields = { vendor: HOST, checkoutSessionId, dryRun: true, approvalId: NO_APPROVAL }
  const answer = await shop.ask(fields, undefined, spender)
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toMatchObject([{ path: '/approvalId', code: 'not_allowed' }])
})

import { expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import {
  anApprover,
  approvalIdIn,
  aSpender,
  decideOn,
  readApproval,
} from '../../support/approvals.ts'
import { aKey, bodyOf } from '../../support/builders.ts'
import { HOST, openShop, type Shop } from './shop.ts'

const ASKS = { rules: [{ type: 'approval', above: 5 }] }
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
  expect(asked.body.message).toContain(`A person was asked: ${approvalId}. Once it is approved, `)
  expect((await delegate()).body.message).toContain(approvalId)
  bodyOf(await decideOn(approver, approvalId))

  expect(await delegate()).toMatchObject({ status: 201 })
  expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
  const another = await delegate()
  expect(another.status).toBe(403)
  expect(another.body.message).not.toContain(approvalId)
  expect(await shop.budget()).toEqual([45, 45, 55])
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

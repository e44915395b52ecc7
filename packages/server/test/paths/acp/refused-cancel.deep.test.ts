import { describe, expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { toSession } from '../../support/acp/checkout-session.ts'
import { refuse, sent } from '../../support/acp/idempotency.ts'
import {
  anApprover,
  approvalIdIn,
  aSpender,
  decideOn,
  readApproval,
} from '../../support/approvals.ts'
import { bodyOf } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { letLook } from './let-look.ts'
import { HOST, openShop } from './shop.ts'

const PAST_END_MS = 26 * 60_000
/** More often than anybody asks. */
const ALWAYS = 10_000

/** A purchase of 45 with a person's approval. The shop works on it, and then shows no session any more. */
async function openUnknown() {
  const mandate = { rules: [{ type: 'approval', above: 5 }] }
  const shop = await openShop({ issuer: 'delegate_payment', mandate })
  const spender = await aSpender(shop.app, shop.acme, shop.agentId)
  const approver = await anApprover(shop.app, shop.acme)
  const session = shop.merchant.openCheckout()
  const buy = (fields: object = {}) =>
    shop.ask({ vendor: HOST, checkoutSessionId: session, ...fields }, undefined, spender)
  const approvalId = approvalIdIn(JSON.parse((await buy()).text))
  bodyOf(await decideOn(approver, approvalId))
  shop.merchant.turnNext(session, 'in_progress')
  // The request goes on looking until its time is over, or the gateway stops.
  buy({ approvalId }).catch(() => {})
  const text = 'select id, state from acp_checkouts'
  const find = async () => (await shop.app.rows<{ id: string; state: string }>(text))[0]
  await waitUntil(async () => (await find())?.state === 'unknown')
  shop.merchant.failNext('look', '503', ALWAYS)
  const transactionId = toPublicId('txn', (await find())?.id ?? '')
  return { shop, approver, approvalId, session, transactionId }
}

describe('a checkout that cannot be looked at, past the end of a token that cannot be asked for', () => {
  test.each([
    ['401', refuse(401, 'unauthorized')],
    ['403', refuse(403, 'forbidden')],
    ['400 with the word canceled', refuse(400, 'session_canceled')],
    ['422', sent(422, {})],
    ['429', refuse(429, 'rate_limited')],
  ])('stays held where the shop answers cancel with %s', async (_what, answer) => {
    const { shop, approver, approvalId, session } = await openUnknown()
    shop.merchant.failNext('cancel', { answer }, ALWAYS)
    shop.merchant.finish(session, 'completed')
    await letLook(shop, PAST_END_MS)
    expect(shop.merchant.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(true)
    expect(await shop.budget()).toEqual([45, 45, 55])
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'used' })
  })

  test('stays held where the shop answers cancel with an open session and a decline', async () => {
    const { shop, session } = await openUnknown()
    const errors = ['payment_declined']
    const open = { ...shop.merchant.checkout(session), status: 'ready_for_payment', errors }
    const answer = sent(200, toSession(open, shop.merchant.version))
    shop.merchant.failNext('cancel', { answer }, ALWAYS)
    await letLook(shop, PAST_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })

  test('stays held where the shop answers cancel with another session', async () => {
    const { shop, session } = await openUnknown()
    const other = { ...shop.merchant.checkout(session), id: 'another', status: 'canceled' }
    const answer = sent(200, toSession(other, shop.merchant.version))
    shop.merchant.failNext('cancel', { answer }, ALWAYS)
    await letLook(shop, PAST_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  })

  test('is given back where the shop answers cancel with the canceled session', async () => {
    const { shop, approver, approvalId, transactionId } = await openUnknown()
    shop.later(PAST_END_MS)
    await shop.becomes(transactionId, 'voided')
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect(await readApproval(approver, approvalId)).toMatchObject({ status: 'approved' })
  })
})

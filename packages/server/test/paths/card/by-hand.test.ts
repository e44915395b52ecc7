import { describe, expect, test } from 'vitest'
import { aKey, bodyOf, DAY_MS, HOUR_MS } from '../../support/builders.ts'
import { type CardDesk, isoAt, openCardDesk } from './desk.ts'

const on = { authorizationId: 'authorization-1' }
const money = (amount: number) => ({ ...on, amount, currency: 'USD' })
const REASON = { reason: 'The issuer closed our account, and its statement shows no charge.' }

const endByHand = (desk: CardDesk, id: string, body: object = REASON) =>
  desk.acme.post(`/transactions/${id}/void`, body)

async function heldFor(ms: number): Promise<{ desk: CardDesk; id: string }> {
  const desk = await openCardDesk()
  const { body } = await desk.ask()
  desk.app.clock.now = Date.now() + ms
  return { desk, id: body.transactionId }
}

describe('a refund of a card payment by hand', () => {
  test('is refused with what to do, and the next event of the issuer changes nothing of that', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask()
    await desk.tell('capture', { ...money(30), final: true })
    for (const given of [{}, { amount: 10 }, undefined]) {
      const refused = await desk.acme.post(`/transactions/${body.transactionId}/refund`, given)
      expect([refused.status, refused.body.code]).toEqual([409, 'transaction_state'])
      expect(refused.body.detail).toContain('issuer')
    }
    expect(await desk.budget()).toEqual([30, 0, 70])
    await desk.tell('refund', money(10))
    expect(await desk.budget()).toEqual([20, 0, 80])
    expect(await desk.transactions()).toMatchObject([{ refundedAmount: 10 }])
  })
})

describe('a card hold whose issuer is silent', () => {
  test('is ended with a reason, flagged, and the reason is kept with who gave it', async () => {
    const { desk, id } = await heldFor(25 * HOUR_MS)
    const ended = bodyOf(await endByHand(desk, id))
    const flags = expect.arrayContaining(['ended_by_hand'])
    expect(ended).toMatchObject({ status: 'voided', heldAmount: 0, flags })
    expect(await desk.budget()).toEqual([0, 0, 100])
    const [change] = await desk.app.rows<{ after: object; actorKind: string }>(
      `select after, actor_kind as "actorKind" from changes
       where organization_id = $1 and operation = 'transaction.voided'`,
      [desk.acme.organizationId],
    )
    expect(change).toMatchObject({ actorKind: 'key', after: { status: 'voided', ...REASON } })
    const again = await endByHand(desk, id)
    expect([again.status, again.body.code]).toEqual([409, 'transaction_state'])
  })

  test('is ended with all increments of its purchase', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask()
    await desk.ask({ ...on, type: 'incremental', amount: 20 })
    desk.app.clock.now = Date.now() + 25 * HOUR_MS
    bodyOf(await endByHand(desk, body.transactionId))
    expect(await desk.budget()).toEqual([0, 0, 100])
    expect(await desk.transactions()).toMatchObject([
      { status: 'voided', flags: expect.arrayContaining(['ended_by_hand']) },
      { status: 'voided', flags: expect.arrayContaining(['ended_by_hand']) },
    ])
  })

  test('is charged by whatever the issuer tells afterwards', async () => {
    const { desk, id } = await heldFor(2 * DAY_MS)
    bodyOf(await endByHand(desk, id))
    await desk.tell('capture', { ...money(30), occurredAt: isoAt(3) })
    expect(await desk.budget()).toEqual([30, 0, 70])
    const [settled] = await desk.transactions()
    expect(settled).toMatchObject({ status: 'settled', settledAmount: 30 })
    expect(settled?.flags).toEqual(expect.arrayContaining(['late_capture', 'ended_by_hand']))
  })

  test('holds again where the issuer says that it is still open', async () => {
    const { desk, id } = await heldFor(2 * DAY_MS)
    bodyOf(await endByHand(desk, id))
    await desk.tell('adjust', money(25))
    expect(await desk.budget()).toEqual([25, 25, 75])
    await desk.tell('reverse', on)
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('keeps what was captured of it', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask()
    await desk.tell('capture', money(12))
    desk.app.clock.now = Date.now() + 2 * DAY_MS
    expect(bodyOf(await endByHand(desk, body.transactionId))).toMatchObject({
      status: 'settled',
      settledAmount: 12,
      heldAmount: 0,
    })
    expect(await desk.budget()).toEqual([12, 0, 88])
  })
})

describe('a card hold', () => {
  test('is not ended by hand until the issuer was silent about it for a day', async () => {
    const { desk, id } = await heldFor(23 * HOUR_MS)
    const early = await endByHand(desk, id)
    expect([early.status, early.body.code]).toEqual([409, 'transaction_state'])
    expect(early.body.detail).toMatch(/from 20\d\d-.+ on/)
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('is not ended without a reason, with a proof, or by the key of an agent', async () => {
    const { desk, id } = await heldFor(2 * DAY_MS)
    const { client: bound } = await aKey(desk.app, desk.acme, {
      agentIds: [desk.agentId],
      scopes: ['transactions:write'],
    })
    const answers = [
      await desk.acme.post(`/transactions/${id}/void`, {}),
      await desk.acme.post(`/transactions/${id}/settle`, { proof: 'statement of May' }),
      await bound.post(`/transactions/${id}/void`, REASON),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'transaction_state'],
      [409, 'transaction_state'],
      [403, 'agent_bound_key'],
    ])
    expect(await desk.budget()).toEqual([30, 30, 70])
  })
})

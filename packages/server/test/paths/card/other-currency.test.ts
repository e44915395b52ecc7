import { describe, expect, test } from 'vitest'
import { anAgent, bodyOf, DAY_MS } from '../../support/builders.ts'
import { type CardDesk, isoAt, openDesksOnOneApp } from './desk.ts'

const openCardDesk = openDesksOnOneApp()

const on = { authorizationId: 'authorization-1' }
const euros = { ...on, amount: 27, currency: 'EUR', externalTransactionId: 'capture-1' }
const dollars = { ...on, amount: 29.5, currency: 'USD', externalTransactionId: 'capture-1' }

async function captured(fields: object = {}): Promise<{ desk: CardDesk; id: string }> {
  const desk = await openCardDesk()
  const { body } = await desk.ask()
  expect((await desk.tell('capture', { ...euros, ...fields })).status).toBe(200)
  return { desk, id: body.transactionId }
}

const settle = (desk: CardDesk, id: string, body: object) =>
  desk.acme.post(`/transactions/${id}/settle`, body)

describe('a capture in another currency than that of its authorization', () => {
  test('is kept with its own amount and flagged, and the hold stays', async () => {
    const { desk } = await captured({ final: true })
    await desk.tell('close', on)
    expect(await desk.budget()).toEqual([30, 30, 70])
    const [hold] = await desk.transactions()
    expect(hold).toMatchObject({
      status: 'held',
      settledAmount: 0,
      flags: ['other_currency', 'merchant_unrecognised'],
      external: {
        otherCurrency: [{ id: 'capture-1', what: 'capture', amount: 27, currency: 'EUR' }],
      },
    })
  })

  test('counts once the issuer says what it came to, in either order', async () => {
    const { desk } = await captured({ final: true })
    await desk.tell('capture', { ...dollars, final: true })
    expect(await desk.budget()).toEqual([29.5, 0, 70.5])
    const other = await openCardDesk()
    await other.ask()
    await other.tell('capture', { ...dollars, final: true })
    await other.tell('capture', euros)
    expect(await other.budget()).toEqual([29.5, 0, 70.5])
    for (const { transactions } of [desk, other]) {
      expect(await transactions()).toMatchObject([{ flags: ['merchant_unrecognised'] }])
    }
    const noted = (otherCurrency: unknown) => [{ external: { otherCurrency } }]
    expect(await desk.transactions()).toMatchObject(noted([{ id: 'capture-1', amount: 27 }]))
    expect(await other.transactions()).not.toMatchObject(noted(expect.anything()))
  })

  test('counts as a person says, until the issuer says otherwise', async () => {
    const { desk, id } = await captured({ final: true })
    for (const [body, path] of [
      [{ proof: 'capture-2', amount: 29 }, '/proof'],
      [{ proof: 'capture-1' }, '/amount'],
    ] as const) {
      const refused = await settle(desk, id, body)
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, path])
    }
    const settled = await settle(desk, id, { proof: 'capture-1', amount: 29 })
    expect(bodyOf(settled)).toMatchObject({
      status: 'settled',
      settledAmount: 29,
      flags: expect.arrayContaining(['ended_by_hand']),
    })
    expect(await desk.budget()).toEqual([29, 0, 71])
    await desk.tell('capture', { ...dollars, final: true })
    expect(await desk.budget()).toEqual([29.5, 0, 70.5])
  })

  test.each([
    ['expire', {}],
    ['reverse', {}],
    ['capture', { amount: 30, currency: 'USD', externalTransactionId: 'capture-0', final: true }],
  ])('that comes after the hold has ended with %s is booked by a person', async (type, fields) => {
    const desk = await openCardDesk()
    const { body } = await desk.ask()
    await desk.tell(type, { ...on, ...fields })
    const [before = 0] = await desk.budget()
    await desk.tell('capture', euros)
    expect(await desk.budget()).toEqual([before, 0, 100 - before])
    const settled = await settle(desk, body.transactionId, { proof: 'capture-1', amount: 29 })
    expect(bodyOf(settled)).toMatchObject({ status: 'settled', settledAmount: before + 29 })
    expect(await desk.budget()).toEqual([before + 29, 0, 71 - before])
    const again = await settle(desk, body.transactionId, { proof: 'capture-1', amount: 29 })
    expect([again.status, again.body.code]).toEqual([409, 'transaction_state'])
    expect(again.body).toMatchObject({ transactionStatus: 'settled' })
  })

  test('is not voided by hand, nor by time', async () => {
    const { desk, id } = await captured()
    desk.app.clock.now = Date.now() + 40 * DAY_MS
    const reason = 'Nobody captured anything.'
    const refused = await desk.acme.post(`/transactions/${id}/void`, { reason })
    expect([refused.status, refused.body.code]).toEqual([409, 'transaction_state'])
    expect(refused.body.detail).toContain('27 EUR')
    await desk.tell('expire', { ...on, occurredAt: isoAt(100) })
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('that comes before its request is known for what it is', async () => {
    const desk = await openCardDesk()
    await desk.tell('capture', { ...euros, card: { externalId: 'tok_1' } })
    await desk.ask(on)
    await desk.tell('adjust', { ...on, amount: 30, currency: 'USD' })
    expect(await desk.budget()).toEqual([30, 30, 70])
    await desk.tell('capture', { ...dollars, final: true })
    expect(await desk.budget()).toEqual([29.5, 0, 70.5])
  })

  test('leaves increments and refunds of other currencies alone', async () => {
    const { desk } = await captured()
    expect((await desk.ask({ ...on, type: 'incremental', amount: 5 })).body.decision).toBe(
      'approved',
    )
    expect((await desk.tell('refund', { ...on, amount: 5, currency: 'EUR' })).status).toBe(200)
    expect((await desk.tell('reverse', { ...on, amount: 5, currency: 'EUR' })).status).toBe(200)
    expect(await desk.budget()).toEqual([35, 35, 65])
  })
})

describe('money that nobody asked for, in another currency than dollars', () => {
  const forced = { card: { externalId: 'tok_1' }, amount: 27, currency: 'EUR' }
  /** A capture that the issuer reports twice. */
  async function forcedOn(mandate: object): Promise<CardDesk> {
    const desk = await openCardDesk({ mandate: { ...mandate } })
    for (let times = 0; times < 2; times++) {
      await desk.tell('capture', { ...forced, externalTransactionId: 'forced' })
    }
    return desk
  }
  const flaggedOn = ({ app, acme }: CardDesk) =>
    app.rows<{ told: object }>(
      `select outcome as told from webhook_events
       where organization_id = $1 and kind = 'card.flagged'`,
      [acme.organizationId],
    )

  test('is recorded outside of a budget in dollars, and flagged once', async () => {
    const desk = await forcedOn({})
    const [recorded, ...others] = await desk.transactions()
    expect(recorded).toMatchObject({ code: 'recorded', currency: 'EUR', settledAmount: 27 })
    expect(recorded).toMatchObject({ mandateId: null })
    expect(recorded?.flags).toEqual(expect.arrayContaining(['ungoverned', 'other_currency']))
    expect(others).toEqual([])
    expect(await desk.budget()).toEqual([0, 0, 100])
    const figures = { what: 'other_currency', amount: 27, currency: 'EUR' }
    expect(await flaggedOn(desk)).toMatchObject([{ told: figures }])
  })

  test('counts in a budget of its currency, and is not flagged for it', async () => {
    const desk = await forcedOn({ currency: 'EUR' })
    const [recorded] = await desk.transactions()
    expect(recorded).toMatchObject({ code: 'recorded', mandateId: desk.mandateId })
    expect(recorded?.flags).not.toContain('other_currency')
    expect(await desk.budget()).toEqual([27, 0, 73])
    expect(await flaggedOn(desk)).toEqual([])
  })

  test('is not flagged for its currency where the agent never had a mandate', async () => {
    const desk = await openCardDesk()
    const { acme, connectionId } = desk
    const { id: agentId } = await anAgent(acme)
    bodyOf(await acme.post('/cards', { connectionId, externalId: 'tok_2', agentId }))
    await desk.tell('capture', { ...forced, card: { externalId: 'tok_2' } })
    const { data } = bodyOf(await acme.get(`/transactions?agentId=${agentId}`))
    expect(data).toMatchObject([{ code: 'recorded', currency: 'EUR', mandateId: null }])
    expect(data).not.toMatchObject([{ flags: expect.arrayContaining(['other_currency']) }])
    expect(await flaggedOn(desk)).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { SAMPLES } from '../../../src/core/events/sample-event.ts'
import { bodyOf } from '../../support/builders.ts'
import { aConnection, type CardDesk, openCardDesk } from './desk.ts'
import { knock } from './door.ts'

const card = { externalId: 'tok_1' }

async function healthOf({ acme, connectionId }: CardDesk) {
  const { data } = bodyOf(await acme.get('/card-connections'))
  const found = data.find(({ id }) => id === connectionId)
  return (found as unknown as { health: Record<string, unknown> }).health
}

/** What the feed and the audit log have of it. */
const told = ({ app, acme }: CardDesk) =>
  app.rows<{ outcome: Record<string, unknown>; isUntold: boolean }>(
    `select outcome, is_untold as "isUntold" from webhook_events
     where organization_id = $1 and kind = 'card.flagged' order by number`,
    [acme.organizationId],
  )

/** A desk whose connection passes its own schema. */
async function openShown(): Promise<CardDesk> {
  const desk = await openCardDesk()
  await desk.app.rows('update card_connections set deadline_ms = 5000')
  return desk
}

describe('what a person should look at', () => {
  test('is a refund that belongs to no authorization: in health, and as an event, once', async () => {
    const desk = await openShown()
    const refund = { card, amount: 9, currency: 'USD', externalTransactionId: 'refund-1' }
    await desk.tell('refund', refund)
    await desk.tell('refund', refund)
    const flag = { externalTransactionId: 'refund-1', amount: 9, currency: 'USD' }
    expect(await healthOf(desk)).toMatchObject({
      unlinkedRefunds24h: 1,
      flagged: [{ what: 'unlinked_refund', agentId: desk.agentId, ...flag }],
    })
    const { connectionId } = desk
    const rows = await told(desk)
    expect(rows).toMatchObject([
      { outcome: { what: 'unlinked_refund', connectionId, ...flag }, isUntold: true },
    ])
    const fieldsOf = (data: object) => Object.keys(data).sort()
    expect(fieldsOf(rows[0]?.outcome ?? {})).toEqual(fieldsOf(SAMPLES['card.flagged']))
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('is money in another currency than that of its authorization, or of the mandate', async () => {
    const desk = await openShown()
    await desk.app.rows('update card_connections set deadline_ms = 600000')
    await desk.ask()
    await desk.app.rows('update card_connections set deadline_ms = 5000')
    const euros = { amount: 27, currency: 'EUR' }
    await desk.tell('capture', { ...euros, authorizationId: 'authorization-1' })
    await desk.tell('capture', { ...euros, card, externalTransactionId: 'forced' })
    expect(await healthOf(desk)).toMatchObject({
      otherCurrency24h: 2,
      flagged: [
        { what: 'other_currency', externalTransactionId: 'forced', ...euros },
        { what: 'other_currency', authorizationId: 'authorization-1', ...euros },
      ],
    })
    const [, forced] = await desk.transactions()
    expect(forced).toMatchObject({ code: 'recorded', amount: 27, currency: 'EUR', mandateId: null })
    expect(forced?.flags).toEqual(expect.arrayContaining(['ungoverned', 'other_currency']))
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('is an event that cannot be read, and the organization is told where it chose that', async () => {
    const desk = await openShown()
    const { app, acme } = desk
    await acme.patch('/organization', { webhookEvents: ['card.flagged'] })
    const made = await aConnection(app, acme, { provider: 'stripe', deadlineMs: 5_000 })
    const to = { app, provider: 'stripe', token: made.token, door: 'events' } as const
    const broken = { id: 'evt_1', type: 'issuing_transaction.created', created: 1, data: {} }
    for (const body of [broken, broken, { ...broken, id: 'evt_2' }]) {
      expect((await knock({ ...to, body })).status).toBe(200)
    }
    const { data } = bodyOf(await acme.get('/card-connections?provider=stripe'))
    expect(data[0]).toMatchObject({
      health: {
        unreadableEvents24h: 2,
        flagged: [{ what: 'unreadable_event' }, { what: 'unreadable_event' }],
      },
    })
    expect((await told(desk)).map(({ isUntold }) => isUntold)).toEqual([false, false])
    const { data: events } = bodyOf(await acme.get('/events?limit=10'))
    expect(JSON.stringify(events)).toContain('card.flagged')
  })
})

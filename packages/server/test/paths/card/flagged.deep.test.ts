import { describe, expect, test } from 'vitest'
import { SAMPLES } from '../../../src/core/events/sample-event.ts'
import type { FlaggedKind } from '../../../src/paths/card/registry/flagged.ts'
import {
  FLAGGED_MAX,
  hasRoomForFlag,
  storeFlagged,
} from '../../../src/paths/card/storage/flagged.ts'
import { bodyOf } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
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

/** As many of one kind as are kept, and one more. */
async function flagMany({ app, acme, connection }: CardDesk, what: FlaggedKind): Promise<void> {
  const told = {
    authorizationId: null,
    externalTransactionId: null,
    cardId: null,
    agentId: null,
    amount: null,
    currency: null,
    message: 'An event of the issuer.',
  }
  await app.database.db.transaction(async (tx) => {
    for (let count = 0; count <= FLAGGED_MAX; count++) {
      const flagged = { what, name: `${count}`, at: Date.now() + count, told }
      await storeFlagged(tx, acme.organizationId, connection.id, flagged)
    }
  })
}

describe('what a person should look at', () => {
  test('stays in health, however many events cannot be read', async () => {
    const desk = await openShown()
    await desk.tell('capture', { card, amount: 27, currency: 'EUR' })
    await flagMany(desk, 'unreadable_event')
    expect(await healthOf(desk)).toMatchObject({
      otherCurrency24h: 1,
      unreadableEvents24h: FLAGGED_MAX,
    })
  })

  test('takes no room from events that cannot be read', async () => {
    const desk = await openShown()
    const hasRoom = () =>
      desk.app.database.db.transaction((tx) =>
        hasRoomForFlag(tx, { ...desk.connection, organizationId: desk.acme.organizationId }, 0),
      )
    await flagMany(desk, 'unlinked_refund')
    expect(await hasRoom()).toBe(true)
    await flagMany(desk, 'unreadable_event')
    expect(await hasRoom()).toBe(false)
  })

  test('is flagged by the worker where a process died before it had booked the money', async () => {
    const desk = await openShown()
    await desk.tell('capture', {
      card,
      amount: 27,
      currency: 'EUR',
      externalTransactionId: 'forced',
    })
    // What such a process leaves: the money is recorded, and nothing else.
    await desk.app.rows('delete from card_flagged')
    await desk.app.rows('update card_authorizations set is_booked = false, look_at = now()')
    const flag = { what: 'other_currency', externalTransactionId: 'forced', amount: 27 }
    await waitUntil(async () => (await healthOf(desk))['otherCurrency24h'] === 1)
    const { agentId } = desk
    expect(await healthOf(desk)).toMatchObject({
      flagged: [{ ...flag, currency: 'EUR', authorizationId: null, agentId }],
    })
  })

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

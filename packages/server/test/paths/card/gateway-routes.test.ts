import { describe, expect, test } from 'vitest'
import { aKey, setPlan } from '../../support/builders.ts'
import { isoAt, openDesksOnOneApp } from './desk.ts'

const openCardDesk = openDesksOnOneApp()

const capture = { card: { externalId: 'tok_1' }, amount: 5, currency: 'USD' }

describe('the generic endpoints', () => {
  test('take no key that is bound to agents: it could post its own refund', async () => {
    const desk = await openCardDesk()
    const { client } = await aKey(desk.app, desk.acme, { agentIds: [desk.agentId] })
    for (const url of ['/gateway/card/authorize', '/gateway/card/events']) {
      const { status, body } = await client.post(url, {})
      expect([status, body.code], url).toEqual([403, 'agent_bound_key'])
    }
  })

  test('take no key without the scope cards:write', async () => {
    const desk = await openCardDesk()
    const { client } = await aKey(desk.app, desk.acme, { scopes: ['gateway:write', 'cards:read'] })
    for (const url of ['/gateway/card/authorize', '/gateway/card/events']) {
      expect((await client.post(url, {})).body.code, url).toBe('insufficient_scope')
    }
  })

  test('know only generic connections of their own organization', async () => {
    const desk = await openCardDesk()
    const other = await openCardDesk({ app: desk.app })
    const stripe = await openCardDesk({
      app: desk.app,
      acme: desk.acme,
      connection: { provider: 'stripe' },
    })
    for (const { connectionId } of [other, stripe]) {
      const asked = await desk.ask({ connectionId })
      const told = await desk.tell('capture', { connectionId, ...capture })
      const codes = [asked, told].map(({ status, body }) => [status, body.code])
      expect(codes).toEqual([
        [404, 'card_connection_not_found'],
        [404, 'card_connection_not_found'],
      ])
    }
  })

  test('refuse the number of a card, but no number of a merchant', async () => {
    const desk = await openCardDesk()
    const number = '4242424242424242'
    const asked = await desk.ask({ card: { externalId: number } })
    expect([asked.status, asked.body.code]).toEqual([422, 'pan_not_allowed'])
    const merchant = { name: 'EXAMPLE SAAS', id: number, mcc: '5734', country: 'US' }
    expect((await desk.ask({ merchant, requestId: number })).body.decision).toBe('approved')
  })

  test('say what does not go together', async () => {
    const desk = await openCardDesk()
    const { status, body } = await desk.ask({ amount: undefined })
    expect([status, body.errors[0]?.path]).toEqual([400, '/amount'])
    expect((await desk.tell('reverse')).status).toBe(400)
  })

  test('put nobody off, however many requests there are', async () => {
    const desk = await openCardDesk({ budget: 10_000 })
    await setPlan(desk.app, desk.acme, 'free')
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        desk.tell('card_status', {
          eventId: `status-${index}`,
          card: { externalId: 'tok_1' },
          status: 'active',
          occurredAt: isoAt(index),
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

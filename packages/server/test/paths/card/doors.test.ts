import { beforeEach, describe, expect, test } from 'vitest'
import { bodyOf } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type CardDesk, openDesksOnOneApp, SECRETS } from './desk.ts'
import { type Knock, knock, LITHIC_CARD, STRIPE_CARD, sample } from './door.ts'

const openCardDesk = openDesksOnOneApp()

const STRIPE = {
  connection: { provider: 'stripe' },
  card: { externalId: STRIPE_CARD },
} as const
const LITHIC = {
  connection: { provider: 'lithic' },
  card: { externalId: LITHIC_CARD },
} as const

const askStripe = ({ app, token }: CardDesk, more: Partial<Knock> = {}) =>
  knock({
    app,
    provider: 'stripe',
    token,
    door: 'authorization',
    body: sample('stripe/01_request_initial'),
    ...more,
  })
const tellStripe = (desk: CardDesk, name: string, more: Partial<Knock> = {}) =>
  askStripe(desk, { door: 'events', body: sample(`stripe/${name}`), ...more })
const askLithic = ({ app, token }: CardDesk, name: string, more: Partial<Knock> = {}) =>
  knock({ app, provider: 'lithic', token, door: 'asa', body: recent(`lithic/${name}`), ...more })
const tellLithic = (desk: CardDesk, name: string) => askLithic(desk, name, { door: 'events' })

/** When the story of Lithic's samples begins: what it sends is about as old as its signature. */
let began = Date.now()
beforeEach(() => {
  began = Date.now() - 60_000
})

/** A sample with its times moved. */
function recent(name: string): Knock['body'] {
  const moved = (time: string) =>
    new Date(Date.parse(time) - Date.UTC(2026, 0, 1) + began).toISOString()
  return JSON.parse(JSON.stringify(sample(name)).replaceAll(/2026-01-\d\dT[\d:]+Z/g, moved))
}

describe('Stripe', () => {
  test('asks, and is answered in its own form', async () => {
    const desk = await openCardDesk(STRIPE)
    const answer = await askStripe(desk)
    const [transaction] = await desk.transactions()
    expect(answer).toMatchObject({
      status: 200,
      body: {
        approved: true,
        metadata: {
          purser_decision: 'approved',
          purser_authorization: transaction?.transactionId,
        },
      },
      headers: { 'stripe-version': expect.any(String) },
    })
    expect(await desk.budget()).toEqual([49, 49, 51])
  })

  test('gets the same bytes when it asks again', async () => {
    const desk = await openCardDesk(STRIPE)
    const [first, again] = [await askStripe(desk), await askStripe(desk)]
    expect(again.text).toBe(first.text)
    expect(await desk.budget()).toEqual([49, 49, 51])
  })

  test('asks for more, and confirms it', async () => {
    const desk = await openCardDesk(STRIPE)
    await askStripe(desk)
    await tellStripe(desk, '02_created_approved')
    await askStripe(desk, { body: sample('stripe/03_request_increment') })
    expect(await desk.budget()).toEqual([64, 64, 36])
    await tellStripe(desk, '04_updated_increment_approved')
    expect(await desk.budget()).toEqual([64, 64, 36])
    expect(await desk.transactions()).toMatchObject([{ heldAmount: 49 }, { heldAmount: 15 }])
  })

  test('tells the life of an authorization: reversed in part, captured, refunded', async () => {
    const desk = await openCardDesk(STRIPE)
    await askStripe(desk)
    await tellStripe(desk, '02_created_approved')
    await tellStripe(desk, '05_updated_partial_reversal')
    expect(await desk.budget()).toEqual([40, 40, 60])
    await tellStripe(desk, '10_txn_capture_partial')
    expect(await desk.budget()).toEqual([40, 20, 60])
    await tellStripe(desk, '14_txn_refund_linked')
    expect(await desk.budget()).toEqual([30, 20, 70])
  })

  test('approved without us when we were silent: booked, and flagged', async () => {
    const desk = await openCardDesk(STRIPE)
    await tellStripe(desk, '21_created_timeout_approved')
    expect(await desk.transactions()).toMatchObject([
      {
        code: 'recorded',
        status: 'held',
        heldAmount: 49,
        flags: ['ungoverned', 'merchant_unrecognised'],
      },
    ])
  })

  test('decided without us: shows in the health of the connection, once however often told', async () => {
    const connection = { provider: 'stripe', deadlineMs: 1_000 } as const
    const desk = await openCardDesk({ ...STRIPE, connection })
    await tellStripe(desk, '21_created_timeout_approved')
    await tellStripe(desk, '21_created_timeout_approved')
    const connections = async () => bodyOf(await desk.acme.get('/card-connections')).data
    await waitUntil(async () => JSON.stringify(await connections()).includes('"ungoverned24h":1'))
    expect(await connections()).toMatchObject([{ health: { timeouts24h: 1, ungoverned24h: 1 } }])
  })

  test('captures by force: booked, and flagged', async () => {
    const desk = await openCardDesk(STRIPE)
    await tellStripe(desk, '13_txn_force_capture')
    await tellStripe(desk, '15_txn_refund_unlinked')
    expect(await desk.budget()).toEqual([12, 0, 88])
  })

  test('is declined for a card of another organization', async () => {
    const desk = await openCardDesk(STRIPE)
    const other = await openCardDesk({
      app: desk.app,
      connection: { provider: 'stripe' },
      card: { externalId: 'ic_of_mine' },
    })
    expect((await askStripe(other)).body).toMatchObject({
      approved: false,
      metadata: { purser_reason: 'card_unknown' },
    })
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('is declined in the other mode, and its events of that mode are ignored', async () => {
    const desk = await openCardDesk(STRIPE)
    const live = { ...sample('stripe/01_request_initial'), livemode: true }
    expect((await askStripe(desk, { body: live })).body).toMatchObject({ approved: false })
    const told = { ...sample('stripe/13_txn_force_capture'), livemode: true }
    expect((await askStripe(desk, { door: 'events', body: told })).status).toBe(200)
    expect(await desk.transactions()).toEqual([])
  })

  test('is declined when what it signed cannot be read', async () => {
    const desk = await openCardDesk(STRIPE)
    const half = sample('stripe/01_request_initial')
    for (const body of ['{', 'null', '[]', '{}', JSON.stringify({ ...half, data: 7 })]) {
      const answer = await askStripe(desk, { body })
      expect(answer, body).toMatchObject({ status: 200, body: { approved: false } })
      expect((await askStripe(desk, { door: 'events', body })).status, body).toBe(200)
    }
  })

  test('gets nothing decided for what is no request', async () => {
    const desk = await openCardDesk(STRIPE)
    const answer = await askStripe(desk, { body: sample('stripe/02_created_approved') })
    expect(answer).toMatchObject({ status: 200, text: '{}' })
  })
})

describe('Lithic', () => {
  test('asks, and is answered in its own form', async () => {
    const desk = await openCardDesk(LITHIC)
    const answer = await askLithic(desk, '01_asa_authorization')
    expect(answer.body).toEqual({
      result: 'APPROVED',
      token: 'fabd829d-7f7b-4432-a8f2-07ea4889aaac',
    })
    expect(await desk.budget()).toEqual([49, 49, 51])
  })

  test('tells the life of a transaction', async () => {
    const desk = await openCardDesk(LITHIC)
    await askLithic(desk, '01_asa_authorization', { atMs: began })
    await tellLithic(desk, '09_tx_pending')
    expect(await desk.budget()).toEqual([49, 49, 51])
    await tellLithic(desk, '10_tx_settled')
    expect(await desk.budget()).toEqual([49, 0, 51])
    await tellLithic(desk, '15_tx_force_post')
    expect(await desk.budget()).toEqual([61, 0, 39])
  })

  test('asks for more of a purchase whose beginning it still names', async () => {
    const desk = await openCardDesk(LITHIC)
    await askLithic(desk, '01_asa_authorization', { atMs: began })
    await tellLithic(desk, '09_tx_pending')
    const created = new Date(began).toISOString()
    await askLithic(desk, '02_asa_increment', {
      body: { ...sample('lithic/02_asa_increment'), created },
    })
    // What was written before it comes late, and cannot include it.
    const updated = new Date(began + 2_000).toISOString()
    const late = { ...sample('lithic/09_tx_pending'), created, updated }
    await askLithic(desk, '09_tx_pending', { door: 'events', body: late })
    expect(await desk.budget()).toEqual([64, 64, 36])
  })

  test('is told that a card is paused which it says is paused', async () => {
    const desk = await openCardDesk(LITHIC)
    expect((await askLithic(desk, '08_asa_paused_card')).body.result).toBe('CARD_PAUSED')
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('is told why not', async () => {
    const desk = await openCardDesk({ ...LITHIC, budget: 10 })
    expect((await askLithic(desk, '01_asa_authorization')).body.result).toBe('INSUFFICIENT_FUNDS')
    expect((await askLithic(desk, '06_asa_credit_authorization')).body.result).toBe('APPROVED')
  })
})

describe('whoever cannot prove where it comes from', () => {
  test('is refused: without the secret, with that of the other door, at another time', async () => {
    const desk = await openCardDesk(STRIPE)
    const wrong: readonly [string, Partial<Knock>][] = [
      ['another secret', { secret: 'whsec_guessed' }],
      ['the secret of events', { secret: SECRETS.events }],
      ['too old', { atMs: Date.now() - 400_000 }],
      ['from the future', { atMs: Date.now() + 400_000 }],
      ['no signature', { headers: { 'content-type': 'application/json' } }],
    ]
    for (const [why, more] of wrong) {
      const answer = await askStripe(desk, more)
      expect([answer.status, answer.text], why).toEqual([401, '{"error":"unauthenticated"}'])
    }
    const told = await tellStripe(desk, '13_txn_force_capture', { secret: SECRETS.authorization })
    expect(told.status).toBe(401)
    expect(await desk.transactions()).toEqual([])
  })

  test('finds nobody behind an unknown token, or behind that of another issuer', async () => {
    const desk = await openCardDesk(STRIPE)
    const token = 'A'.repeat(43)
    expect((await askStripe(desk, { token })).status).toBe(404)
    expect((await askStripe(desk, { token: 'short' })).status).toBe(404)
    expect((await askLithic(desk, '01_asa_authorization')).status).toBe(404)
  })

  test('never sees the token in an answer', async () => {
    const desk = await openCardDesk(STRIPE)
    const answers = [
      await askStripe(desk, { secret: 'whsec_guessed' }),
      await askStripe(desk, { body: '{' }),
      await askStripe(desk, { door: 'asa' }),
    ]
    for (const { text } of answers) expect(text).not.toContain(desk.token)
  })

  test('cannot send more than a quarter of a megabyte', async () => {
    const desk = await openCardDesk(STRIPE)
    const body = JSON.stringify({ padding: 'x'.repeat(300_000) })
    expect((await askStripe(desk, { body })).status).toBe(413)
  })
})

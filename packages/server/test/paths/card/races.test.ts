import { expect, test } from 'vitest'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { countLockWaits, holdLocks } from '../../support/row-lock.ts'
import { aSpend } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type CardDesk, openCardDesk } from './desk.ts'
import { knock, STRIPE_CARD, sample } from './door.ts'

const STRIPE = { connection: { provider: 'stripe' }, card: { externalId: STRIPE_CARD } } as const

const askStripe = ({ app, token }: CardDesk) =>
  knock({
    app,
    provider: 'stripe',
    token,
    door: 'authorization',
    body: sample('stripe/01_request_initial'),
  })

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

describeOnPostgres('at the same time', () => {
  test('twenty repeats of a question are one reservation and one answer', async () => {
    const desk = await openCardDesk(STRIPE)
    const answers = await times(20, () => askStripe(desk))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.approved).toBe(true)
    expect(await desk.budget()).toEqual([49, 49, 51])
    expect(await desk.transactions()).toHaveLength(1)
  })

  test('ten requests of 30 on a budget of 100 leave room for three', async () => {
    const desk = await openCardDesk()
    const answers = await times(10, () => desk.ask())
    expect(answers.filter(({ body }) => body.decision === 'approved')).toHaveLength(3)
    expect(await desk.budget()).toEqual([90, 90, 10])
  })

  test('a card and an evaluation that want the last 60: one gets it', async () => {
    const desk = await openCardDesk({ budget: 60 })
    const { acme, agentId } = desk
    const [card, direct] = await Promise.all([
      desk.ask({ amount: 60 }),
      acme.post('/gateway/evaluate', aSpend(agentId, { amount: 60 })),
    ])
    expect([card.body.decision, direct.body.decision].sort()).toEqual(['approved', 'rejected'])
    expect((await desk.budget())[0]).toBe(60)
  })

  test('all events of an authorization, each three times, end as one after the other would', async () => {
    const desk = await openCardDesk()
    await desk.ask({ authorizationId: 'one' })
    const told = { authorizationId: 'one', amount: 6, currency: 'USD' }
    await times(12, (index) => {
      const id = `capture-${index % 4}`
      return desk.tell('capture', { ...told, eventId: id, externalTransactionId: id })
    })
    expect(await desk.budget()).toEqual([30, 6, 70])
    expect(await audit(desk.app.database.db)).toEqual([])
  })

  test('events and more requests of an authorization end in what both come to', async () => {
    const desk = await openCardDesk({ budget: 1_000 })
    await desk.ask({ authorizationId: 'one' })
    await times(10, (index) =>
      index % 2 === 0
        ? desk.ask({ authorizationId: 'one', type: 'incremental', amount: 10 })
        : desk.tell('capture', { authorizationId: 'one', amount: 10, currency: 'USD' }),
    )
    // What was decided while events were booked is looked at once more.
    await expect.poll(() => desk.budget(), { timeout: 60_000 }).toEqual([80, 30, 920])
    expect(await audit(desk.app.database.db)).toEqual([])
  })

  test('a dispute that is told with the capture it names gives its money back', async () => {
    const desk = await openCardDesk({ budget: 1_000 })
    await times(10, async (index) => {
      const id = `one-${index}`
      await desk.ask({ authorizationId: id })
      const money = { externalTransactionId: `capture-${index}`, currency: 'USD' }
      await Promise.all([
        desk.tell('capture', { ...money, authorizationId: id, amount: 30 }),
        desk.tell('dispute_reinstated', { ...money, amount: 5 }),
      ])
    })
    expect(await desk.budget()).toEqual([250, 0, 750])
    expect(await audit(desk.app.database.db)).toEqual([])
  })

  test('a capture that is told with its authorization and without it is booked once', async () => {
    const desk = await openCardDesk()
    const { app, acme, connection } = desk
    await desk.ask()
    const { db } = app.database
    const data = JSON.stringify({ at: Date.UTC(2026, 10, 2), amount: '30000000' })
    const storing = await holdLocks(db, {
      text: `insert into card_facts (organization_id, connection_id, authorization_id, kind, id, data)
             values ($1, $2, 'authorization-1', 'capture', 'capture-1', $3)`,
      values: [acme.organizationId, connection.id, data],
    })
    let isAnswered = false
    const told = desk
      .tell('capture', {
        card: { externalId: 'tok_1' },
        externalTransactionId: 'capture-1',
        amount: 30,
        currency: 'USD',
      })
      .finally(() => {
        isAnswered = true
      })
    await waitUntil(async () => isAnswered || (await countLockWaits(db)) > 0)
    await storing.release()
    expect((await told).status).toBe(200)
    const text = `select authorization_id as "of" from card_facts where kind = 'capture'`
    expect(await app.rows(text)).toEqual([{ of: 'authorization-1' }])
    expect(await desk.transactions()).toHaveLength(1)
  })
})

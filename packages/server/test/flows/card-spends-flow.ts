import { expect, test } from 'vitest'
import { type CardDesk, openCardDesk } from '../paths/card/desk.ts'
import { bodyOf, HOUR_MS } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

const on = { authorizationId: 'authorization-1' }
const money = (amount: number) => ({ ...on, amount, currency: 'USD' })

/** When a worker looks at the authorization next. */
async function nextLook({ app, connection }: CardDesk): Promise<number> {
  const text = 'select look_at as "lookAt" from card_authorizations where connection_id = $1'
  const [row] = await app.rows<{ lookAt: number | null }>(text, [connection.id])
  return row?.lookAt ?? 0
}

/** Spends by card: what an issuer asks, and what it tells afterwards. */
export const cardSpendsFlow: Flow = (stage) => {
  test('a purchase is approved, raised, captured and refunded', async () => {
    const desk = await openCardDesk({ app: stage().app })
    expect((await desk.ask()).body.decision).toBe('approved')
    expect((await desk.ask({ ...on, type: 'incremental', amount: 10 })).body.amount).toBe(10)
    await desk.tell('dispute_reinstated', {
      externalTransactionId: 'capture-1',
      amount: 5,
      currency: 'USD',
    })
    await desk.tell('capture', { ...money(40), externalTransactionId: 'capture-1', final: true })
    await desk.tell('refund', money(10))
    await waitUntil(async () => (await desk.budget())[0] === 25)
  })

  test('purchases that arrive together are decided together', async () => {
    const desk = await openCardDesk({ app: stage().app })
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.ask({ amount: 20 })))
    const approved = answers.filter(({ body }) => body.decision === 'approved')
    expect(approved).toHaveLength(5)
    expect(await desk.budget()).toEqual([100, 100, 0])
  })

  test('a purchase in one message is captured with its approval, or not at all', async () => {
    const desk = await openCardDesk({ app: stage().app })
    await desk.ask({ type: 'single_message' })
    expect((await desk.ask({ type: 'single_message', amount: 90 })).body.decision).toBe('rejected')
    await waitUntil(async () => (await desk.budget())[1] === 0)
    expect(await desk.budget()).toEqual([30, 0, 70])
  })

  test('money that moved unasked is recorded', async () => {
    const desk = await openCardDesk({ app: stage().app })
    const card = { externalId: 'tok_1' }
    await desk.tell('capture', { card, amount: 12, currency: 'USD' })
    expect(await desk.transactions()).toMatchObject([{ code: 'recorded', settledAmount: 12 }])
  })

  test('a capture in another currency waits for what it came to, and is flagged', async () => {
    const desk = await openCardDesk({ app: stage().app })
    const euros = { ...on, amount: 27, currency: 'EUR', externalTransactionId: 'capture-1' }
    await desk.tell('capture', { ...euros, card: { externalId: 'tok_1' } })
    await desk.ask(on)
    await desk.tell('capture', { ...euros, externalTransactionId: 'capture-2' })
    await desk.tell('capture', { ...money(10), externalTransactionId: 'capture-1' })
    const held = (await desk.transactions()).find(({ status }) => status === 'held')
    const said = { amount: 15, proof: 'capture-2' }
    bodyOf(await desk.acme.post(`/transactions/${held?.transactionId}/settle`, said))
    expect(await desk.budget()).toEqual([30, 5, 70])
    await desk.app.rows('update card_connections set deadline_ms = 5000')
    const { data } = bodyOf(await desk.acme.get('/card-connections'))
    expect(JSON.stringify(data)).toContain('other_currency')
  })

  test('a hold whose time is over waits for its issuer to speak, or for a person', async () => {
    const { app } = stage()
    const desk = await openCardDesk({ app })
    await desk.ask()
    const now = Date.now() + 25 * HOUR_MS
    app.clock.now = now
    // Whoever only claims it looks again much sooner.
    await waitUntil(async () => (await nextLook(desk)) > now + HOUR_MS / 2)
    expect(await desk.budget()).toEqual([30, 30, 70])
    const [hold] = await desk.transactions()
    const reason = 'The issuer closed our account.'
    bodyOf(await desk.acme.post(`/transactions/${hold?.transactionId}/void`, { reason }))
    app.clock.now = undefined
    expect(await desk.budget()).toEqual([0, 0, 100])
  })
}

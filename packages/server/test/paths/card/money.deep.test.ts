import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openCardDesk } from './desk.ts'
import { knock, STRIPE_CARD, sample } from './door.ts'

/** The sample in another currency, all over. */
function sampleIn(currency: string, name: string): string {
  return JSON.stringify(sample(name)).replaceAll('"usd"', `"${currency.toLowerCase()}"`)
}

test.each([
  ['JPY', 4_900],
  ['HUF', 49],
  ['KWD', 4.9],
])('4900 of the smallest unit of %s are %d', async (currency, amount) => {
  const desk = await openCardDesk({
    budget: 10_000,
    mandate: { currency },
    connection: { provider: 'stripe' },
    card: { externalId: STRIPE_CARD },
  })
  const { app, token } = desk
  const common = { app, provider: 'stripe', token } as const
  const asked = sampleIn(currency, 'stripe/01_request_initial')
  const answer = await knock({ ...common, door: 'authorization', body: asked })
  expect(answer.body.approved).toBe(true)
  expect(await desk.transactions()).toMatchObject([{ amount, currency, heldAmount: amount }])
  const told = sampleIn(currency, 'stripe/08_txn_capture_full')
  await knock({ ...common, door: 'events', body: told })
  expect(await desk.transactions()).toMatchObject([{ settledAmount: amount }])
})

test('webhooks tell of decisions, of what became of them, and of money that moved unasked', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const desk = await openCardDesk()
  await desk.acme.patch('/organization', {
    webhookUrl: receiver.url,
    webhookEvents: ['transaction.approved', 'transaction.rejected', 'transaction.settled'],
  })
  await desk.ask()
  await desk.ask({ amount: 90 })
  const on = { authorizationId: 'authorization-1' }
  await desk.tell('capture', { ...on, amount: 30, currency: 'USD', final: true })
  await desk.tell('capture', { card: { externalId: 'tok_1' }, amount: 5, currency: 'USD' })
  await waitUntil(() => receiver.received.length === 5)
  const told = receiver.received.map(({ body }) => JSON.parse(body))
  expect(told.map(({ event, data }) => [event, data.amount]).sort()).toEqual([
    ['transaction.approved', 30],
    ['transaction.approved', 5],
    ['transaction.rejected', 90],
    ['transaction.settled', 30],
    ['transaction.settled', 5],
  ])
})

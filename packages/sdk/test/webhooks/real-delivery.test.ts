import {
  fastifyWebhook,
  verifyWebhook,
  type WebhookEvent,
  webhookHandler,
} from '@purser/sdk/webhooks'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { anActiveMandate, bodyOf } from '../../../server/test/support/builders.ts'
import { type Receiver, startReceiver } from '../../../server/test/support/receiver.ts'
import { evaluate } from '../../../server/test/support/spends.ts'
import { waitUntil } from '../../../server/test/support/wait-until.ts'
import {
  afterAttempts,
  aTestEvent,
  requestTo,
  settled,
  subscribe,
} from '../../../server/test/support/webhooks.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

async function rotate(owner: Owner, gracePeriodSeconds?: number): Promise<string> {
  const body = gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds }
  return bodyOf(await owner.post('/organization/webhook-secret/rotate', body)).webhookSecret
}

async function aReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

describe('a delivery of a real gateway', () => {
  test('verifies, is typed by its event, and has the id of the feed', async () => {
    const acme = await app.organization()
    const receiver = await aReceiver()
    await subscribe(acme, receiver.url)
    const secret = await rotate(acme)
    const { agentId } = await anActiveMandate(acme)
    const answer = await evaluate(acme, agentId, { amount: 12.5 })
    const { body, headers } = await requestTo(receiver, 1)
    const event = await verifyWebhook(body, headers, secret)
    if (event.event !== 'transaction.approved') throw new Error(`This is ${event.event}.`)
    expect(event.data).toMatchObject({ transactionId: answer.transactionId, amount: 12.5 })
    const feed = bodyOf(await acme.get('/events?limit=1'))
    expect(feed.data[0]?.id).toBe(event.id)
    const byBody = await verifyWebhook(body, headers, secret, { bodyOnly: true })
    expect(byBody).toMatchObject({ event: 'transaction.approved', data: event.data })
  })

  test('verifies with both secrets during a rotation, and afterwards with the new one', async () => {
    const acme = await app.organization()
    const receiver = await aReceiver()
    await subscribe(acme, receiver.url)
    const old = await rotate(acme)
    const current = await rotate(acme, 3_600)
    await aTestEvent(acme)
    const during = await requestTo(receiver, 1)
    for (const secret of [old, current, [current, old]]) {
      await expect(verifyWebhook(during.body, during.headers, secret)).resolves.toBeTruthy()
    }
    const later = await rotate(acme)
    await aTestEvent(acme)
    const after = await requestTo(receiver, 2)
    await expect(verifyWebhook(after.body, after.headers, [later, current])).resolves.toBeTruthy()
    await expect(verifyWebhook(after.body, after.headers, [current, old])).rejects.toMatchObject({
      code: 'signature_mismatch',
    })
  })

  test('is retried with the same id after onEvent threw, and then succeeds', async () => {
    const acme = await app.organization()
    const secret = await rotate(acme)
    const seen: WebhookEvent[] = []
    const server = Fastify()
    onTestFinished(() => server.close())
    await server.register(fastifyWebhook, {
      prefix: '/hook',
      secret,
      onError: () => {},
      onEvent(event) {
        seen.push(event)
        if (seen.length === 1) throw new Error('The database is down.')
      },
    })
    await subscribe(acme, `${await server.listen({ port: 0, host: '127.0.0.1' })}/hook`)
    const { id, eventId } = await aTestEvent(acme)
    expect(await afterAttempts(acme, id, 1)).toMatchObject({
      status: 'pending',
      attemptLog: [{ outcome: 'failed', response: { status: 500 } }],
    })
    bodyOf(await acme.post(`/webhooks/deliveries/${id}/redeliver`))
    await waitUntil(() => seen.length === 2)
    expect(await settled(acme, id)).toMatchObject({ status: 'succeeded' })
    expect(seen.map((event) => event.id)).toEqual([eventId, eventId])
  })
})

test('every kind of event that a gateway sends verifies through a handler', async () => {
  const acme = await app.organization()
  const receiver = await aReceiver()
  await subscribe(acme, receiver.url)
  const secret = await rotate(acme)
  const kinds = [
    'transaction.rejected',
    'approval.decided',
    'card.flagged',
    'sign_in.locked',
  ] as const
  for (const kind of kinds) await aTestEvent(acme, kind)
  await waitUntil(() => receiver.received.length >= kinds.length)
  const names: string[] = []
  const handle = webhookHandler({ secret, onEvent: ({ event }) => names.push(event) })
  for (const { body, headers } of receiver.received) {
    const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const sent = pairs.filter(([name]) => name.includes('-') && name !== 'content-length')
    const request = new Request('http://localhost/hook', { method: 'POST', body, headers: sent })
    expect((await handle(request)).status).toBe(204)
  }
  expect(names.sort()).toEqual([...kinds].sort())
})

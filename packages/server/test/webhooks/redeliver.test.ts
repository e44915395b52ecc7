import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  afterARound,
  afterAttempts,
  aSubscriber,
  aTestEvent,
  deliveriesOf,
  deliveryOf,
  fillLane,
  headerOf,
  requestTo,
  settled,
  subscribe,
  turnToNextAttempt,
} from '../support/webhooks.ts'

const NO_DELIVERY = 'dlv_019a85617c5e7d409b5e6f1f0a3c2b11'
const NOON = Date.parse('2026-11-15T12:00Z')

let app: TestApp
let receiver: Receiver
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  app.clock.now = NOON
  receiver = await startReceiver()
  acme = await aSubscriber(app, receiver)
})
afterEach(async () => {
  app.clock.now = undefined
  await receiver.close()
})

const redeliver = async (id: string) =>
  bodyOf(await acme.post(`/webhooks/deliveries/${id}/redeliver`))

/** A delivery that has failed once. Its next attempt is in about five seconds of a clock that stands. */
async function aFailingDelivery(): Promise<string> {
  receiver.behave(answerWith(500))
  const { id } = await aTestEvent(acme)
  await afterAttempts(acme, id, 1)
  return id
}

/** A delivery of which every retry has failed. */
async function aFailedDelivery(): Promise<string> {
  const id = await aFailingDelivery()
  for (const attempts of [2, 3, 4, 5]) {
    await turnToNextAttempt(app, acme, id)
    await afterAttempts(acme, id, attempts)
  }
  return id
}

describe('redelivering', () => {
  test('sends the same body and webhook-id, signed anew, to the current URL', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const first = await requestTo(receiver, 1)
    const [delivery] = await deliveriesOf(acme)
    await settled(acme, delivery?.id ?? '')

    const other = await startReceiver()
    await subscribe(acme, other.url)
    const { webhookSecret } = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    app.clock.now = NOON + 3_600_000
    await redeliver(delivery?.id ?? '')
    const second = await requestTo(other, 1)
    expect(second.body).toBe(first.body)
    expect(headerOf(second, 'webhook-id')).toBe(headerOf(first, 'webhook-id'))
    expect(headerOf(second, 'webhook-timestamp')).toBe(String((NOON + 3_600_000) / 1_000))
    const digest = createHmac('sha256', webhookSecret).update(second.body).digest('hex')
    expect(headerOf(second, 'x-service-signature')).toBe(digest)

    const { status, attemptLog } = await afterAttempts(acme, delivery?.id ?? '', 2)
    expect(status).toBe('succeeded')
    expect(attemptLog).toMatchObject([
      { number: 1, trigger: 'automatic', request: { url: receiver.url } },
      { number: 2, trigger: 'manual', request: { url: other.url, body: first.body } },
    ])
    expect(receiver.received).toHaveLength(1)
    await other.close()
  })

  test('answers with the delivery as it stands', async () => {
    const { id } = await aTestEvent(acme)
    const { attemptLog: _, ...delivery } = await settled(acme, id)
    expect(await redeliver(id)).toEqual(delivery)
  })

  test('that succeeds makes a failed delivery a succeeded one', async () => {
    const id = await aFailedDelivery()
    expect((await deliveryOf(acme, id)).status).toBe('failed')
    receiver.behave(answerWith(200))
    await redeliver(id)
    expect(await afterAttempts(acme, id, 6)).toMatchObject({
      status: 'succeeded',
      lastStatusCode: 200,
      lastError: null,
    })
  })

  test('that fails is tried once and leaves a failed delivery failed', async () => {
    const id = await aFailedDelivery()
    await redeliver(id)
    expect(await afterAttempts(acme, id, 6)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      attemptLog: { 5: { trigger: 'manual', outcome: 'failed', nextAttemptAt: null } },
    })
    app.clock.now = (app.clock.now ?? 0) + 86_400_000
    const probed = await startReceiver()
    await afterARound(await aSubscriber(app, probed))
    expect(receiver.received).toHaveLength(6)
    await probed.close()
  })

  test('that fails does not touch the plan of a pending delivery', async () => {
    const id = await aFailingDelivery()
    const { nextAttemptAt } = await deliveryOf(acme, id)
    await redeliver(id)
    const after = await afterAttempts(acme, id, 2)
    expect(after).toMatchObject({ status: 'pending', nextAttemptAt })
    for (const attempts of [3, 4, 5, 6]) {
      await turnToNextAttempt(app, acme, id)
      await afterAttempts(acme, id, attempts)
    }
    const { status, attemptLog } = await deliveryOf(acme, id)
    expect(status).toBe('failed')
    expect(attemptLog.filter(({ trigger }) => trigger === 'automatic')).toHaveLength(5)
  })

  test('that succeeds ends the plan of a pending delivery', async () => {
    const id = await aFailingDelivery()
    const { nextAttemptAt } = await deliveryOf(acme, id)
    receiver.behave(answerWith(200))
    await redeliver(id)
    const after = await afterAttempts(acme, id, 2)
    expect(after.status).toBe('succeeded')
    app.clock.now = Date.parse(nextAttemptAt ?? '') + 60_000
    const probed = await startReceiver()
    await afterARound(await aSubscriber(app, probed))
    expect(receiver.received).toHaveLength(2)
    expect((await deliveryOf(acme, id)).status).toBe('succeeded')
    await probed.close()
  })

  test('that succeeds leaves no next attempt to be shown', async () => {
    const id = await aFailingDelivery()
    receiver.behave(answerWith(200))
    await redeliver(id)
    const { status, nextAttemptAt } = await afterAttempts(acme, id, 2)
    expect({ status, nextAttemptAt }).toEqual({ status: 'succeeded', nextAttemptAt: null })
  })

  test('that succeeds while the last retry is under way is not undone by its failure', async () => {
    const id = await aFailingDelivery()
    for (const attempts of [2, 3, 4]) {
      await turnToNextAttempt(app, acme, id)
      await afterAttempts(acme, id, attempts)
    }
    // A share that has seen only failures has room for one; these make it wider again.
    receiver.behave(answerWith(200))
    for (let n = 0; n < 3; n++) await settled(acme, (await aTestEvent(acme)).id)
    // The last retry is answered when the test says so.
    let answerLast = (): void => {}
    receiver.behave((response) => {
      answerLast = () => response.writeHead(500).end()
    })
    await turnToNextAttempt(app, acme, id)
    await requestTo(receiver, 8)
    receiver.behave(answerWith(200))
    await redeliver(id)
    expect((await afterAttempts(acme, id, 5)).status).toBe('succeeded')
    answerLast()
    expect((await afterAttempts(acme, id, 6)).status).toBe('succeeded')
  })

  test('works for what was not tried yet, and both are sent', async () => {
    await fillLane(acme, receiver)
    const { id, eventId } = await aTestEvent(acme)
    receiver.behave(answerWith(500))
    await redeliver(id)
    await waitUntil(async () => (await deliveryOf(acme, id)).attempts === 2)
    const { attemptLog, status } = await deliveryOf(acme, id)
    expect(attemptLog.map(({ trigger }) => trigger).sort()).toEqual(['automatic', 'manual'])
    expect(status).toBe('pending')
    const sent = receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId)
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  })

  test('is done once for one Idempotency-Key', async () => {
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    const key = { 'idempotency-key': 'again' }
    for (let n = 0; n < 3; n++) {
      bodyOf(await acme.post(`/webhooks/deliveries/${id}/redeliver`, undefined, key))
    }
    await afterAttempts(acme, id, 2)
    await aTestEvent(acme)
    await requestTo(receiver, 3)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])[2]).not.toBe(
      receiver.received[1]?.headers['webhook-id'],
    )
  })
})

describe('redelivering is refused', () => {
  test('without a webhook URL', async () => {
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    await subscribe(acme, null)
    const { status, body } = await acme.post(`/webhooks/deliveries/${id}/redeliver`)
    expect([status, body.code]).toEqual([409, 'webhook_not_configured'])
  })

  test("for another organization's delivery exactly as for none", async () => {
    const { id } = await aTestEvent(acme)
    const globex = await aSubscriber(app, receiver)
    for (const other of [id, NO_DELIVERY]) {
      const { status, body } = await globex.post(`/webhooks/deliveries/${other}/redeliver`)
      expect([status, body.code]).toEqual([404, 'delivery_not_found'])
    }
    expect((await acme.post('/webhooks/deliveries/evt_1/redeliver')).status).toBe(400)
  })

  test('for a key that may only read, and without one', async () => {
    const { id } = await aTestEvent(acme)
    const path = `/webhooks/deliveries/${id}/redeliver`
    const { client } = await aKey(app, acme, { scopes: ['webhooks:read', 'organization:write'] })
    expect((await client.post(path)).status).toBe(403)
    expect((await app.client('nobody').post(path)).status).toBe(401)
  })
})

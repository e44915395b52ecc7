import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { answerWith, type Received, type Receiver, startReceiver } from '../../support/receiver.ts'
import { evaluate } from '../../support/spends.ts'
import {
  afterAttempts,
  aSubscriber,
  aTestEvent,
  deliveriesOf,
  headerOf,
  requestTo,
  turnToNextAttempt,
} from '../../support/webhooks.ts'

const ROTATE = '/organization/webhook-secret/rotate'

let app: TestApp
let acme: Owner
let receiver: Receiver

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  acme = await aSubscriber(app, receiver)
})
afterEach(async () => {
  app.clock.now = undefined
  await receiver.close()
})

const rotate = async (body?: object) => bodyOf(await acme.post(ROTATE, body))

const hexOf = (secret: string, { body }: Received) =>
  createHmac('sha256', secret).update(body).digest('hex')

/** How many signatures the request has for Standard Webhooks. */
const signaturesOf = (request: Received) => headerOf(request, 'webhook-signature').split(' ').length

/** What a receiver with the stock library says of the request. */
function isTaken(secret: string, request: Received): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(request, name)]))
  try {
    new Webhook(secret).verify(request.body, headers)
    return true
  } catch {
    return false
  }
}

describe('rotating the webhook secret', () => {
  test('shows the new secret once, and its beginning from then on', async () => {
    const before = bodyOf(await acme.get('/organization'))
    const answer = await acme.post(ROTATE)
    const { webhookSecret } = bodyOf(answer)
    expect(answer.body).toMatchObject({
      webhookSecretHint: webhookSecret.slice(0, 10),
      previousSecretValidUntil: null,
    })
    const after = await acme.get('/organization')
    expect(after.body.webhookSecretHint).toBe(webhookSecret.slice(0, 10))
    expect(after.body).not.toEqual(before)
    expect(after.text).not.toContain(webhookSecret)
    expect(bodyOf(await acme.post(ROTATE)).webhookSecret).not.toBe(webhookSecret)
  })

  test('shows until when the previous secret signs too, and no longer', async () => {
    const shown = async () =>
      bodyOf(await acme.get('/organization')).webhookPreviousSecretValidUntil
    expect(await shown()).toBeNull()
    const { previousSecretValidUntil } = await rotate({ gracePeriodSeconds: 60 })
    expect(previousSecretValidUntil).not.toBeNull()
    expect(await shown()).toBe(previousSecretValidUntil)
    const renamed = bodyOf(await acme.patch('/organization', { name: 'Acme Ltd' }))
    expect(renamed.webhookPreviousSecretValidUntil).toBe(previousSecretValidUntil)
    app.clock.now = Date.parse(previousSecretValidUntil ?? '') - 1
    expect(await shown()).toBe(previousSecretValidUntil)
    app.clock.now += 1
    expect(await shown()).toBeNull()
    app.clock.now = undefined
    await rotate()
    expect(await shown()).toBeNull()
  })

  test('keeps the secret sealed: no table holds it as it is shown', async () => {
    const { webhookSecret } = await rotate({ gracePeriodSeconds: 60 })
    await rotate({ gracePeriodSeconds: 60 })
    const [row] = await app.rows<{ text: string }>(
      'select row_to_json(o)::text as text from organizations o where id = $1',
      [acme.organizationId],
    )
    const bytes = Buffer.from(webhookSecret).toString('hex')
    expect(row?.text).not.toContain(webhookSecret.slice(10))
    expect(row?.text).not.toContain(bytes.slice(20))
  })

  test('gives a repeat with the same Idempotency-Key the same secret', async () => {
    const key = { 'idempotency-key': 'rotate once' }
    const first = bodyOf(await acme.post(ROTATE, undefined, key))
    const second = await acme.post(ROTATE, undefined, key)
    expect(second.body).toEqual(first)
    expect(second.headers['idempotent-replayed']).toBe('true')
    await aTestEvent(acme)
    const request = await requestTo(receiver, 1)
    expect(headerOf(request, 'x-service-signature')).toBe(hexOf(first.webhookSecret, request))
  })

  test.each([
    [{ gracePeriodSeconds: -1 }, '/gracePeriodSeconds'],
    [{ gracePeriodSeconds: 86_401 }, '/gracePeriodSeconds'],
    [{ gracePeriodSeconds: 1.5 }, '/gracePeriodSeconds'],
    [{ gracePeriodSeconds: '60' }, '/gracePeriodSeconds'],
    [{ webhookSecret: 'whsec_mine' }, '/webhookSecret'],
  ])('refuses %j and names the field', async (body, path) => {
    const answer = await acme.post(ROTATE, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors.map((error) => error.path)).toContain(path)
  })

  test('is for keys with organization:write that are not bound to agents', async () => {
    const reader = await aKey(app, acme, { scopes: ['organization:read', 'webhooks:write'] })
    const writer = await aKey(app, acme, { scopes: ['organization:write'] })
    const bound = await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })
    expect((await reader.client.post(ROTATE)).status).toBe(403)
    expect((await bound.client.post(ROTATE)).status).toBe(403)
    expect((await app.client('nothing').post(ROTATE)).status).toBe(401)
    expect((await writer.client.post(ROTATE)).status).toBe(200)
  })

  test("does not touch another organization's secret", async () => {
    const globex = await app.organization('Globex')
    const before = bodyOf(await globex.get('/organization'))
    await rotate()
    expect(bodyOf(await globex.get('/organization'))).toEqual(before)
  })
})

describe('a rotated secret', () => {
  test('signs at once, in both headers, and the one before does not any more', async () => {
    const old = await rotate()
    const { webhookSecret } = await rotate()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const request = await requestTo(receiver, 1)
    expect(headerOf(request, 'x-service-signature')).toBe(hexOf(webhookSecret, request))
    expect(isTaken(webhookSecret, request)).toBe(true)
    expect(isTaken(old.webhookSecret, request)).toBe(false)
  })

  test('also signs the retry of an event that was first sent under the old one', async () => {
    const old = await rotate()
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    const { webhookSecret } = await rotate()
    await turnToNextAttempt(app, acme, id)
    const [first, second] = [await requestTo(receiver, 1), await requestTo(receiver, 2)]
    expect(second.body).toBe(first.body)
    expect(headerOf(first, 'x-service-signature')).toBe(hexOf(old.webhookSecret, first))
    expect(headerOf(second, 'x-service-signature')).toBe(hexOf(webhookSecret, second))
    expect(isTaken(old.webhookSecret, first)).toBe(true)
    expect(isTaken(old.webhookSecret, second)).toBe(false)
    expect(isTaken(webhookSecret, second)).toBe(true)
  })

  test('signs beside the old one during the grace period, to its last millisecond', async () => {
    const start = Date.now()
    app.clock.now = start
    const old = await rotate()
    const { webhookSecret, previousSecretValidUntil } = await rotate({ gracePeriodSeconds: 60 })
    expect(previousSecretValidUntil).toBe(new Date(start + 60_000).toISOString())

    for (const [number, at] of [0, 59_999, 60_000].entries()) {
      app.clock.now = start + at
      await aTestEvent(acme)
      const request = await requestTo(receiver, number + 1)
      const isWithin = at < 60_000
      expect(isTaken(webhookSecret, request)).toBe(true)
      expect(isTaken(old.webhookSecret, request)).toBe(isWithin)
      expect(signaturesOf(request)).toBe(isWithin ? 2 : 1)
      // There is room for one signature, and it is the new one from the first moment.
      expect(headerOf(request, 'x-service-signature')).toBe(hexOf(webhookSecret, request))
    }
  })

  test('ends the grace period of the one before the last', async () => {
    const oldest = await rotate()
    await rotate({ gracePeriodSeconds: 3_600 })
    const { webhookSecret } = await rotate()
    await aTestEvent(acme)
    const request = await requestTo(receiver, 1)
    expect([isTaken(webhookSecret, request), isTaken(oldest.webhookSecret, request)]).toEqual([
      true,
      false,
    ])
    expect(await deliveriesOf(acme)).toHaveLength(1)
  })
})

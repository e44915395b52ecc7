import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
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
  requestTo,
  subscribe,
  turnToNextAttempt,
} from '../support/webhooks.ts'

let app: TestApp
let receiver: Receiver
let acme: Owner

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

const urlOf = async (owner: Owner) => bodyOf(await owner.get('/organization')).webhookUrl

describe('a webhook URL', () => {
  test.each([
    ['a private network', 'https://10.0.0.1/hook'],
    ['another private network', 'https://192.168.1.1/hook'],
    ['a carrier network', 'https://100.64.0.1/hook'],
    ['the metadata service of clouds', 'http://169.254.169.254/latest/meta-data/'],
    ['the metadata service, as a number', 'https://2852039166/'],
    ['the metadata service in IPv6 clothes', 'https://[::ffff:169.254.169.254]/'],
    ['no address at all', 'https://0.0.0.0/hook'],
    ['a multicast group', 'https://224.0.0.1/hook'],
    ['a unique local address', 'https://[fd00::1]/hook'],
    ['a link-local address', 'https://[fe80::1]/hook'],
    ['NAT64', 'https://[64:ff9b::a00:1]/hook'],
    ['a public address without TLS', 'http://1.1.1.1/hook'],
    ['a database port', 'https://1.1.1.1:5432/hook'],
    ['a user name', 'https://user@1.1.1.1/hook'],
    ['a fragment', 'https://1.1.1.1/hook#part'],
    ['another scheme', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', '1.1.1.1/hook'],
    ['a backslash', 'https://1.1.1.1\\@10.0.0.1/'],
    ['nothing', ''],
  ])('with %s is refused and changes nothing', async (_, webhookUrl) => {
    const { status, body } = await acme.patch('/organization', { webhookUrl, name: 'Changed' })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map(({ path }) => path)).toEqual(['/webhookUrl'])
    expect(bodyOf(await acme.get('/organization'))).toMatchObject({
      name: 'Acme',
      webhookUrl: receiver.url,
    })
  })

  test.each([
    ['hooks.example.com/purser', 'url_refused', 'must begin with https://'],
    ['https://1.1.1.1:https/', 'url_refused', 'must have a port from 1 to 65535'],
    ['https://user@1.1.1.1/', 'url_refused', 'must not contain a user name or password'],
    ['https://10.0.0.1/', 'address_refused', 'leads to 10.0.0.1'],
  ])('%s is refused with what is wrong with it', async (webhookUrl, code, words) => {
    const { body } = await acme.patch('/organization', { webhookUrl })
    expect(body.errors).toEqual([
      { path: '/webhookUrl', code, message: expect.stringContaining(words) },
    ])
  })

  test('is kept as it was given, and shown to nobody else', async () => {
    const url = 'https://1.1.1.1:8443/a/b?token=x%20y&z'
    await subscribe(acme, url)
    expect(await urlOf(acme)).toBe(url)
    expect(await urlOf(await app.organization('Globex'))).toBe(null)
  })

  test('is not looked at when other fields are changed', async () => {
    await app.rows(
      'update organizations set webhook_url = $2, webhook_url_id = null where id = $1',
      [acme.organizationId, 'https://10.0.0.1/was-allowed-once'],
    )
    expect(bodyOf(await acme.patch('/organization', { name: 'New name' }))).toMatchObject({
      name: 'New name',
      webhookUrl: 'https://10.0.0.1/was-allowed-once',
    })
  })

  test('that leads where nothing may be called any more is not called, and counts as failed', async () => {
    await app.rows(
      'update organizations set webhook_url = $2, webhook_url_id = null where id = $1',
      [acme.organizationId, 'https://10.0.0.1/was-allowed-once'],
    )
    const { id } = await aTestEvent(acme)
    expect(await afterAttempts(acme, id, 1)).toMatchObject({
      attemptLog: [{ outcome: 'failed', error: { class: 'address_refused' }, response: null }],
    })
  })

  test('is for keys with organization:write', async () => {
    const { client } = await aKey(app, acme, { scopes: ['webhooks:write', 'organization:read'] })
    expect((await client.patch('/organization', { webhookUrl: null })).status).toBe(403)
    expect(await urlOf(acme)).toBe(receiver.url)
  })

  test('that is saved takes the next event, and the retries of older ones', async () => {
    const other = await startReceiver()
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    await subscribe(acme, other.url)
    const { eventId } = await aTestEvent(acme)
    expect((await requestTo(other, 1)).headers['webhook-id']).toBe(eventId)
    await turnToNextAttempt(app, acme, id)
    await requestTo(other, 2)
    const { attemptLog } = await afterAttempts(acme, id, 2)
    expect(attemptLog.map(({ request }) => request.url)).toEqual([receiver.url, other.url])
    expect(receiver.received).toHaveLength(1)
    await other.close()
  })
})

describeOnPostgres('a webhook URL that may not be called any more', () => {
  let before: TestApp
  let after: TestApp

  // What its name leads to has changed, or, as here, what the operator allows.
  beforeAll(async () => {
    before = await createTestApp('postgres')
    after = await joinTestApp(before, { outbound: { allowLoopback: false, allowedNetworks: [] } })
  })
  afterAll(async () => {
    await after.stop()
    await before.stop()
  })

  test('is still answered to a repeat of the request that saved it, and refused to a new one', async () => {
    const owner = await before.organization()
    const webhookUrl = 'http://127.0.0.1:4000/hook'
    const key = { 'idempotency-key': 'save the URL' }
    const saved = await owner.patch('/organization', { webhookUrl }, key)
    const client = after.client(owner.apiKey)
    const repeated = await client.patch('/organization', { webhookUrl }, key)
    expect([repeated.status, repeated.text]).toEqual([200, saved.text])
    const other = { 'idempotency-key': 'save it again' }
    expect((await client.patch('/organization', { webhookUrl }, other)).status).toBe(400)
  })
})

describe('removing the webhook URL', () => {
  test('stops new events from being delivered; they are in the feed all the same', async () => {
    const { agentId } = await anActiveMandate(acme)
    await subscribe(acme, null)
    expect(await urlOf(acme)).toBe(null)
    const { transactionId } = await evaluate(acme, agentId)
    expect(await deliveriesOf(acme)).toEqual([])
    expect(bodyOf(await acme.get('/events')).data).toMatchObject([{ data: { transactionId } }])
  })

  /** A delivery that has failed once and waits for its retry. */
  async function aRetriedDelivery(): Promise<string> {
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    return id
  }

  const isCanceled = async (id: string) => (await deliveryOf(acme, id)).status === 'canceled'

  test('cancels what waits for a retry, and does not wait for its time', async () => {
    // The clock stands still: nothing becomes due.
    app.clock.now = Date.now()
    const id = await aRetriedDelivery()
    await subscribe(acme, null)
    await waitUntil(() => isCanceled(id))
    expect(await deliveryOf(acme, id)).toMatchObject({ attempts: 1, nextAttemptAt: null })
  })

  test('cancels what was not tried yet, and keeps it in the log', async () => {
    const started = await fillLane(acme, receiver)
    const untried = [(await aTestEvent(acme)).id, (await aTestEvent(acme)).id]
    await subscribe(acme, null)
    const canceled = (await deliveriesOf(acme, '?status=canceled')).map(({ id }) => id)
    expect(canceled).toEqual([...started, ...untried].toReversed())
    expect(await deliveryOf(acme, untried[0] ?? '')).toMatchObject({ attempts: 0, attemptLog: [] })
    expect(receiver.received).toHaveLength(started.length)
  })

  test('does not cancel what is under way and succeeds after all', async () => {
    let answer = (): void => {}
    receiver.behave((response) => {
      answer = () => response.end()
    })
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 1)
    await subscribe(acme, null)
    answer()
    await waitUntil(async () => (await deliveryOf(acme, id)).status === 'succeeded')
    expect(await deliveryOf(acme, id)).toMatchObject({ attempts: 1, lastStatusCode: 200 })
  })

  test('sends nothing any more, also when what was planned becomes due', async () => {
    const probed = await startReceiver()
    const probe = await aSubscriber(app, probed)
    const id = await aRetriedDelivery()
    await subscribe(acme, null)
    app.clock.now = Date.now() + 86_400_000
    await afterARound(probe)
    await waitUntil(() => isCanceled(id))
    expect(receiver.received).toHaveLength(1)
    const waiting = 'select 1 from webhook_queue where organization_id = $1'
    expect(await app.rows(waiting, [acme.organizationId])).toEqual([])
    await probed.close()
  })

  test('is not undone for canceled deliveries by saving a URL again', async () => {
    const id = await aRetriedDelivery()
    await subscribe(acme, null)
    app.clock.now = Date.now() + 86_400_000
    app.wakeDispatcher()
    await waitUntil(() => isCanceled(id))
    await subscribe(acme, receiver.url)
    const { id: next } = await aTestEvent(acme)
    await afterAttempts(acme, next, 1)
    expect(receiver.received).toHaveLength(2)
    expect(await isCanceled(id)).toBe(true)
  })
})

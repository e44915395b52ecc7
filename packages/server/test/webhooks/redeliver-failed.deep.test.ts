import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { describeOnPostgres, usualEngine } from '../support/database.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { aSubscriber, aTestEvent, deliveriesOf, settled, subscribe } from '../support/webhooks.ts'

const TASK = '/webhooks/deliveries/failed'
const NO_TASK = {
  ...{ id: 'failed', status: 'none', total: 0, sent: 0, failed: 0 },
  ...{ from: null, to: null, startedAt: null, endedAt: null },
}
/** A delivery fails with its first attempt. */
const WITHOUT_RETRIES = { webhooks: { retryDelaysMs: [] } }

let app: TestApp
let receiver: Receiver
let acme: Owner

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_RETRIES)
})
afterAll(() => app.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  acme = await aSubscriber(app, receiver)
})
afterEach(() => receiver.close())

const read = async () => bodyOf(await acme.get(TASK))
const begin = (body?: object) => acme.post(`${TASK}/redeliver`, body)

/** The ids of deliveries that have failed, oldest first. */
async function failedDeliveries(count: number): Promise<string[]> {
  receiver.behave(answerWith(500))
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { id } = await aTestEvent(acme)
    expect(await settled(acme, id)).toMatchObject({ status: 'failed' })
    ids.push(id)
  }
  return ids
}

async function ended() {
  await waitUntil(async () => (await read()).status !== 'running')
  return read()
}

describe('the redelivery of all failed events', () => {
  test('is a task that sends each of them once, and shows its progress', async () => {
    expect(await read()).toEqual(NO_TASK)
    const ids = await failedDeliveries(13)
    receiver.behave(answerWith(200))
    await settled(acme, (await aTestEvent(acme)).id)
    const sentBefore = receiver.received.length
    const { status, body } = await begin()
    expect([status, body]).toMatchObject([
      202,
      { id: 'failed', status: 'running', total: 13, sent: 0, failed: 0, from: null, endedAt: null },
    ])
    expect(await ended()).toMatchObject({ status: 'done', total: 13, sent: 13, failed: 0 })
    expect(await read()).toMatchObject({ endedAt: expect.any(String) })
    expect(await deliveriesOf(acme, '?status=failed')).toEqual([])
    const sent = receiver.received.slice(sentBefore).map(({ headers }) => headers['webhook-id'])
    expect(sent.toSorted()).toEqual(ids.map((id) => id.replace('dlv', 'evt')))
  })

  test('counts those that fail again, and leaves them failed', async () => {
    const [first] = await failedDeliveries(3)
    receiver.behave((response, { headers }) => {
      response.statusCode = headers['webhook-id'] === first?.replace('dlv', 'evt') ? 500 : 200
      response.end()
    })
    expect((await begin({})).status).toBe(202)
    expect(await ended()).toMatchObject({ status: 'done', total: 3, sent: 2, failed: 1 })
    expect(await deliveriesOf(acme, '?status=failed')).toMatchObject([{ id: first, attempts: 2 }])
  })

  test('is limited to a range of times', async () => {
    await failedDeliveries(3)
    const [newest, middle, oldest] = await deliveriesOf(acme)
    receiver.behave(answerWith(200))
    const range = { from: middle?.createdAt, to: newest?.createdAt }
    const { body } = await begin(range)
    expect(body).toMatchObject({ ...range, total: 1 })
    await ended()
    const left = await deliveriesOf(acme, '?status=failed')
    expect(left.map(({ id }) => id)).toEqual([newest?.id, oldest?.id])
    const none = bodyOf({ ...(await begin({ to: '2020-01-01' })), status: 200 })
    expect(none).toMatchObject({ status: 'done', total: 0 })
  })

  test('runs once at a time, and can be stopped and started again', async () => {
    await failedDeliveries(12)
    const release = holdAnswers(receiver)
    const before = receiver.received.length
    expect((await begin()).status).toBe(202)
    await waitUntil(() => receiver.received.length > before)
    const second = await begin()
    expect([second.status, second.body.code]).toEqual([409, 'redelivery_running'])
    const stopped = await begin({ stop: true })
    expect([stopped.status, stopped.body]).toMatchObject([202, { status: 'stopped', sent: 0 }])
    release(500)
    await waitUntil(async () => {
      const left = 'select 1 from webhook_queue where organization_id = $1'
      return (await app.rows(left, [acme.organizationId])).length === 0
    })
    expect((await begin({ stop: true })).body).toMatchObject({ status: 'stopped' })
    receiver.behave(answerWith(200))
    expect((await begin()).body).toMatchObject({ status: 'running', total: 12 })
    expect(await ended()).toMatchObject({ status: 'done', sent: 12 })
  })

  test('stops if the webhook is removed, and does not start without one', async () => {
    await failedDeliveries(2)
    receiver.behave(() => {})
    expect((await begin()).status).toBe(202)
    await subscribe(acme, null)
    expect(await ended()).toMatchObject({ status: 'stopped', total: 2, sent: 0 })
    const { status, body } = await begin()
    expect([status, body.code]).toEqual([409, 'webhook_not_configured'])
  })

  test('belongs to its organization', async () => {
    await failedDeliveries(1)
    const globex = await aSubscriber(app, receiver)
    expect((await globex.post(`${TASK}/redeliver`)).body).toMatchObject({ total: 0 })
    expect(await read()).toEqual(NO_TASK)
    expect(await deliveriesOf(acme, '?status=failed')).toHaveLength(1)
  })

  test.each([
    { from: 'yesterday' },
    { from: '2026-11-02', to: '2026-11-01' },
    { stop: false },
    { stop: true, from: '2026-11-02' },
    { limit: 1 },
  ])('refuses %j', async (body) => {
    const answer = await begin(body)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
  })

  test('has fields that a single delivery does not have', async () => {
    const [id] = await failedDeliveries(1)
    const single = `/webhooks/deliveries/${id}/redeliver`
    const { status, body } = await acme.post(single, { from: '2026-11-02' })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect((await acme.post(single, {})).status).toBe(200)
  })
})

describeOnPostgres('a redelivery whose gateway ends', () => {
  test('is continued by the next one', async () => {
    const site = await createTestApp('postgres', WITHOUT_RETRIES)
    const first = await joinTestApp(site, WITHOUT_RETRIES)
    receiver.behave(answerWith(500))
    const owner = await aSubscriber(site, receiver)
    for (let n = 0; n < 12; n++) await settled(owner, (await aTestEvent(owner)).id)
    const release = holdAnswers(receiver)
    const before = receiver.received.length
    await first.client(owner.apiKey).post(`${TASK}/redeliver`)
    await waitUntil(() => receiver.received.length > before)
    const stopping = first.stop()
    release(200)
    await stopping
    receiver.behave(answerWith(200))
    const next = await joinTestApp(site, WITHOUT_RETRIES)
    await waitUntil(async () => bodyOf(await owner.get(TASK)).status === 'done')
    expect(bodyOf(await owner.get(TASK))).toMatchObject({ total: 12, sent: 12, failed: 0 })
    await next.stop()
    await site.stop()
  })
})

/** Lets the receiver answer nothing, until the returned function is called. */
function holdAnswers(hook: Receiver): (status: number) => void {
  const held: ServerResponse[] = []
  hook.behave((response) => void held.push(response))
  return (status) => {
    hook.behave(answerWith(status))
    for (const response of held) response.writeHead(status).end()
  }
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../../src/core/events/event.ts'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { answerWith, type Receiver, startReceiver } from '../../support/receiver.ts'
import { evaluate } from '../../support/spends.ts'
import {
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
} from '../../support/webhooks.ts'

const NO_DELIVERY = 'dlv_019a85617c5e7d409b5e6f1f0a3c2b11'

let app: TestApp
let receiver: Receiver

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
// A receiver for each test: what others still have to be sent again goes to theirs.
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/** Far ahead, so that the retries of these do not become due while the tests run. */
const START = Date.parse('2098-11-15T12:00Z')
const KINDS = [
  'transaction.approved',
  'transaction.rejected',
  'mandate.budget.warning',
  'transaction.approved',
] as const

const idsOf = (deliveries: readonly { readonly id: string }[]) => deliveries.map(({ id }) => id)

describe('the list of deliveries', () => {
  let acme: Owner
  /** Oldest first: succeeded, failed, canceled, pending. */
  let ids: readonly string[]

  beforeAll(async () => {
    const busy = await startReceiver(answerWith(500))
    acme = await aSubscriber(app, busy)
    const made: string[] = []
    for (const [second, kind] of KINDS.entries()) {
      app.clock.now = START + second * 1_000
      busy.behave(answerWith(second === 0 ? 200 : 500))
      const { id } = await aTestEvent(acme, kind)
      await afterAttempts(acme, id, 1)
      made.push(id)
    }
    ids = made
    await setStatus(ids[1], 'failed')
    await setStatus(ids[2], 'canceled')
    app.clock.now = undefined
    await busy.close()
  })

  async function setStatus(id: string | undefined, status: string): Promise<void> {
    const uuid = toUuid('dlv', id ?? '')
    await app.rows('update webhook_deliveries set status = $2 where id = $1', [uuid, status])
    await app.rows('delete from webhook_queue where id = $1', [uuid])
  }

  test('is empty for an organization without any', async () => {
    const globex = await app.organization('Globex')
    expect(bodyOf(await globex.get('/webhooks/deliveries'))).toEqual({
      data: [],
      total: 0,
      totalIsExact: true,
      limit: 50,
      offset: 0,
      hasMore: false,
      nextCursor: null,
    })
  })

  test('shows the newest first, with how each of them stands', async () => {
    const deliveries = await deliveriesOf(acme)
    expect(idsOf(deliveries)).toEqual(ids.toReversed())
    expect(deliveries.at(-1)).toMatchObject({
      event: 'transaction.approved',
      transactionId: null,
      test: true,
      status: 'succeeded',
      attempts: 1,
      maxAttempts: 5,
      lastStatusCode: 200,
      lastError: null,
      nextAttemptAt: null,
      createdAt: new Date(START).toISOString(),
    })
    expect(deliveries[0]).toMatchObject({
      status: 'pending',
      attempts: 1,
      lastStatusCode: 500,
      lastError: 'The receiver answered 500.',
    })
    expect(Date.parse(deliveries[0]?.nextAttemptAt ?? '')).toBeGreaterThan(START + 3_000)
  })

  test.each([
    ['status=succeeded', [0]],
    ['status=failed', [1]],
    ['status=canceled', [2]],
    ['status=pending', [3]],
    ['event=transaction.approved', [3, 0]],
    ['event=transaction.rejected', [1]],
    ['event=mandate.budget.warning', [2]],
    ['event=mandate.budget.exhausted', []],
    ['event=transaction.approved&status=pending', [3]],
    ['from=2098-11-15T12:00:01Z', [3, 2, 1]],
    ['to=2098-11-15T12:00:01Z', [0]],
    ['from=2098-11-15T12:00:01Z&to=2098-11-15T12:00:02.001Z', [2, 1]],
    ['from=2098-11-15T14:00:01%2B02:00', [3, 2, 1]],
    ['test=true', [3, 2, 1, 0]],
    ['test=true&status=failed', [1]],
    ['test=false', []],
    [`transactionId=${NO_DELIVERY.replace('dlv', 'txn')}`, []],
    [`eventId=${NO_DELIVERY.replace('dlv', 'evt')}`, []],
  ])('is filtered by %s', async (query, expected) => {
    const { data, total } = bodyOf(await acme.get(`/webhooks/deliveries?${query}`))
    expect(idsOf(data)).toEqual(expected.map((place) => ids[place]))
    expect(total).toBe(expected.length)
  })

  test('is paged by cursor, every row once', async () => {
    const seen: string[] = []
    let query = '?limit=1'
    for (let page = 0; page < 4; page++) {
      const body = bodyOf(await acme.get(`/webhooks/deliveries${query}`))
      expect([body.total, body.hasMore, body.nextCursor === null]).toEqual([
        4,
        page < 3,
        page === 3,
      ])
      seen.push(...idsOf(body.data))
      query = `?limit=1&cursor=${body.nextCursor}`
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test('is paged by offset, also over the end', async () => {
    const page = async (offset: number) =>
      bodyOf(await acme.get(`/webhooks/deliveries?limit=2&offset=${offset}`))
    expect(idsOf((await page(1)).data)).toEqual([ids[2], ids[1]])
    expect(await page(3)).toMatchObject({ total: 4, offset: 3, hasMore: false })
    expect((await page(9)).data).toEqual([])
  })

  test.each([
    'status=done',
    'event=mandate.created',
    'from=yesterday',
    'limit=0',
    'limit=201',
    'offset=-1',
    'cursor=short',
    'kind=transaction.approved',
    'test=yes',
    'eventId=dlv_1',
    'transactionId=1',
  ])('refuses %s', async (query) => {
    const { status, body } = await acme.get(`/webhooks/deliveries?${query}`)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  test('shows nothing of another organization', async () => {
    const globex = await aSubscriber(app, receiver)
    expect(await deliveriesOf(globex)).toEqual([])
    for (const id of [ids[0], NO_DELIVERY]) {
      const { status, body } = await globex.get(`/webhooks/deliveries/${id}`)
      expect([status, body.code]).toEqual([404, 'delivery_not_found'])
    }
  })

  test('is for keys with webhooks:read that are not bound to agents', async () => {
    const reader = await aKey(app, acme, { scopes: ['webhooks:read'] })
    const other = await aKey(app, acme, { scopes: ['organization:write', 'transactions:read'] })
    const bound = await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })
    for (const path of ['/webhooks/deliveries', `/webhooks/deliveries/${ids[0]}`, '/events']) {
      expect((await reader.client.get(path)).status).toBe(200)
      expect((await other.client.get(path)).status).toBe(403)
      expect((await bound.client.get(path)).status).toBe(403)
      expect((await app.client('nobody').get(path)).status).toBe(401)
    }
    expect((await reader.client.post('/webhooks/test', { event: EVENT_KINDS[0] })).status).toBe(403)
  })
})

describe('a delivery', () => {
  test('shows the whole request and the whole answer of every attempt', async () => {
    const acme = await aSubscriber(app, receiver)
    receiver.behave((response) => response.writeHead(418, { 'x-pot': 'tea' }).end('I am a teapot'))
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    const request = await requestTo(receiver, 1)
    const [listed] = await deliveriesOf(acme)
    const { attemptLog, ...delivery } = await afterAttempts(acme, listed?.id ?? '', 1)
    expect(delivery).toMatchObject({
      id: headerOf(request, 'webhook-id').replace('evt_', 'dlv_'),
      eventId: headerOf(request, 'webhook-id'),
      event: 'transaction.approved',
      transactionId,
      test: false,
    })
    const { startedAt, durationMs, nextAttemptAt, ...attempt } = attemptLog[0] ?? ({} as never)
    const sent = ['content-type', 'user-agent', 'x-service-signature']
    const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const beginning = (text: string) => text.replace(/^((?:v1,)?.{8}).*/, '$1…')
    const shown = (name: string) =>
      name.endsWith('signature') ? beginning(headerOf(request, name)) : headerOf(request, name)
    expect(attempt).toMatchObject({
      number: 1,
      trigger: 'automatic',
      outcome: 'failed',
      error: { class: 'status', message: 'The receiver answered 418.' },
      remoteAddress: '127.0.0.1',
      request: {
        url: receiver.url,
        headers: Object.fromEntries([...sent, ...standard].map((name) => [name, shown(name)])),
        body: request.body,
      },
      response: { status: 418, headers: { 'x-pot': 'tea' }, body: 'I am a teapot', cut: null },
    })
    expect(Date.parse(startedAt)).toBeLessThanOrEqual(request.at)
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(nextAttemptAt).toBe(delivery.nextAttemptAt)
  })

  test('shows neither signatures nor tokens in its URL, even if the receiver repeats them', async () => {
    const acme = await app.organization()
    await subscribe(acme, `${receiver.url}?token=s3cret-of-ours&v=2`)
    receiver.behave((response, { headers }) => {
      response.setHeader('x-echo', String(headers['webhook-signature']))
      response.end(`${JSON.stringify(headers)} s3cret-of-ours`)
    })
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    const { body, text } = await acme.get(`/webhooks/deliveries/${id}`)
    const request = receiver.received.at(-1)
    for (const name of ['x-service-signature', 'webhook-signature']) {
      const signature = String(request?.headers[name]).replace('v1,', '')
      expect(signature.length).toBeGreaterThan(40)
      expect(text).not.toContain(signature)
      expect(text).toContain(`${signature.slice(0, 8)}…`)
    }
    expect(text).not.toContain('s3cret-of-ours')
    expect(body.attemptLog[0]?.request.url).toBe(`${receiver.url}?token=…&v=…`)
  })

  test('that is queued and not yet tried is shown without attempts', async () => {
    const acme = await aSubscriber(app, receiver)
    const started = await fillLane(acme, receiver)
    const { id } = await aTestEvent(acme, 'mandate.budget.warning')
    expect(await deliveryOf(acme, id)).toMatchObject({
      event: 'mandate.budget.warning',
      status: 'pending',
      attempts: 0,
      maxAttempts: 5,
      lastAttemptAt: null,
      attemptLog: [],
    })
    const { data, total } = bodyOf(await acme.get('/webhooks/deliveries?limit=1'))
    expect([data[0]?.id, total]).toEqual([id, started.length + 1])
    const [underWay] = await deliveriesOf(acme, '?limit=1&offset=1')
    expect(await deliveryOf(acme, underWay?.id ?? '')).toMatchObject({
      attempts: 0,
      nextAttemptAt: null,
      attemptLog: [{ outcome: 'started', durationMs: null, response: null }],
    })
  })

  test('has an id of its own form', async () => {
    const acme = await app.organization()
    expect((await acme.get('/webhooks/deliveries/evt_1')).status).toBe(400)
  })
})

import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/core/events/event.ts'
import { SAMPLES } from '../../src/core/events/sample-event.ts'
import { storeDecisionKeys } from '../../src/storage/decisions/decision-keys.ts'
import { newId } from '../../src/storage/new-id.ts'
import { storeTransactionEvents } from '../../src/storage/webhooks/events.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  aSubscriber,
  aTestEvent,
  deliveriesOf,
  deliveryOf,
  fillLane,
  headerOf,
  requestTo,
  settled,
  subscribe,
} from '../support/webhooks.ts'

let app: TestApp
let receiver: Receiver

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

describe('a test event', () => {
  test.each(EVENT_KINDS)('of the kind %s is delivered and signed like a real one', async (kind) => {
    const acme = await aSubscriber(app, receiver)
    const { webhookSecret } = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    const queued = await aTestEvent(acme, kind)
    expect(queued).toMatchObject({
      event: kind,
      test: true,
      transactionId: null,
      status: 'pending',
    })
    const request = await requestTo(receiver, 1)
    expect(JSON.parse(request.body)).toEqual({
      event: kind,
      timestamp: queued.createdAt,
      data: SAMPLES[kind],
    })
    const digest = createHmac('sha256', webhookSecret).update(request.body).digest('hex')
    expect(headerOf(request, 'x-service-signature')).toBe(digest)
    expect((await settled(acme, queued.id)).status).toBe('succeeded')
    expect(bodyOf(await acme.get('/events')).data).toMatchObject([
      { id: queued.eventId, event: kind, test: true, data: SAMPLES[kind] },
    ])
  })

  test('is answered with the delivery as it is in the log', async () => {
    const acme = await aSubscriber(app, receiver)
    await fillLane(acme, receiver)
    const queued = await aTestEvent(acme)
    expect(await deliveryOf(acme, queued.id)).toEqual({ ...queued, attemptLog: [] })
  })

  test('is refused without a URL, and leaves nothing behind', async () => {
    const acme = await app.organization()
    const { status, body } = await acme.post('/webhooks/test', { event: 'transaction.approved' })
    expect([status, body.code]).toEqual([409, 'webhook_not_configured'])
    await subscribe(acme, receiver.url)
    expect(await deliveriesOf(acme)).toEqual([])
    expect(bodyOf(await acme.get('/events')).data).toEqual([])
  })

  test.each([{}, { event: 'mandate.created' }, { event: 'transaction.approved', data: {} }])(
    'is refused for %j',
    async (body) => {
      const acme = await app.organization()
      const answer = await acme.post('/webhooks/test', body)
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    },
  )
})

describeOnPostgres('a test event beside a decision with the same Idempotency-Key', () => {
  let onServer: TestApp

  beforeAll(async () => {
    onServer = await createTestApp('postgres')
  })
  afterAll(() => onServer.stop())

  const isWaiting = async () =>
    (
      await onServer.rows(`select 1 from pg_stat_activity
                           where datname = current_database() and wait_event_type = 'Lock'`)
    ).length > 0

  test('waits for it without holding what it still needs', async () => {
    const { organizationId, post } = await aSubscriber(onServer, receiver)
    const decision = { id: newId(Date.now()), agentId: newId(Date.now()), decision: 'approved' }
    const key = {
      space: organizationId,
      key: 'same',
      fingerprint: Buffer.alloc(32),
      transactionId: decision.id,
      isTold: null,
    }
    let answer: ReturnType<typeof post> | undefined
    // As a batch of decisions does: the key first, and the feed at the end.
    await onServer.database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query(storeDecisionKeys(organizationId, Date.now(), [key]))
      const body = { event: 'transaction.approved' }
      answer = post('/webhooks/test', body, { 'idempotency-key': 'same' })
      await waitUntil(isWaiting)
      await tx.query(storeTransactionEvents(organizationId, Date.now(), [decision]))
    })
    expect((await answer)?.body.code).toBe('idempotency_key_reused')
  })
})

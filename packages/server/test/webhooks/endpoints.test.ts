import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { answerWith, type Received, type Receiver } from '../support/receiver.ts'
import { aHold, change as changeTransaction, evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  afterAttempts,
  aTestEvent,
  deliveriesOf,
  fillLane,
  headerOf,
  requestTo,
  settled,
} from '../support/webhooks.ts'
import { changeEndpoints, endpointsOf, stageEndpoints, twoEndpoints } from './endpoint-stage.ts'

describe('several endpoints', () => {
  const stage = stageEndpoints()

  const kindsAt = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).event)

  function isSignedWith(request: Received, secret: string): boolean {
    const digest = createHmac('sha256', secret).update(request.body).digest('hex')
    return headerOf(request, 'x-service-signature') === digest
  }

  test('get each event that they have chosen, with one id and their own secret', async () => {
    const { acme, first, second } = stage()
    const { one, other } = await twoEndpoints(stage())
    expect(one.secret).toBeUndefined()
    const { webhookSecret } = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    await evaluate(acme, agentId, { amount: 1_000 })
    await waitUntil(() => first.received.length === 2 && second.received.length === 1)
    expect(kindsAt(first)).toEqual(['transaction.approved', 'transaction.rejected'])
    const [here, there] = [await requestTo(first, 1), await requestTo(second, 1)]
    expect(headerOf(there, 'webhook-id')).toBe(headerOf(here, 'webhook-id'))
    expect(there.body).toBe(here.body)
    expect(isSignedWith(here, webhookSecret)).toBe(true)
    expect(isSignedWith(there, other.secret ?? '')).toBe(true)
    const deliveries = await deliveriesOf(acme, `?transactionId=${transactionId}`)
    expect(deliveries.map(({ endpointId }) => endpointId).sort()).toEqual([one.id, other.id].sort())
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(1)
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(2)
    const [toOther, ...more] = await deliveriesOf(acme, `?endpointId=${other.id}`)
    expect(more).toEqual([])
    expect(await settled(acme, toOther?.id ?? '')).toMatchObject({
      endpointId: other.id,
      transactionId,
      status: 'succeeded',
      attemptLog: [{ request: { url: second.url } }],
    })
    expect(await deliveriesOf(acme, `?endpointId=${one.id}`)).toHaveLength(2)
    expect((await endpointsOf(acme)).map(({ secret }) => secret)).toEqual([undefined, undefined])
  })

  test('get kinds that the first one has not chosen, and the feed has them', async () => {
    const { acme, first, second } = stage()
    await twoEndpoints(stage(), ['transaction.voided'])
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 5)
    await changeTransaction(acme, transactionId, 'void')
    await waitUntil(() => second.received.length === 1 && first.received.length === 1)
    expect(kindsAt(second)).toEqual(['transaction.voided'])
    expect(kindsAt(first)).toEqual(['transaction.approved'])
    const { data } = bodyOf(await acme.get('/events'))
    expect(data.map(({ event }) => event)).toEqual(['transaction.approved', 'transaction.voided'])
  })

  test('work without a first one, which can be added later', async () => {
    const { acme, first, second } = stage()
    const [only] = await changeEndpoints(acme, [{ url: second.url }])
    expect(bodyOf(await acme.get('/organization')).webhookUrl).toBeNull()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await requestTo(second, 1)
    bodyOf(await acme.patch('/organization', { webhookUrl: first.url }))
    await evaluate(acme, agentId)
    await waitUntil(() => second.received.length === 2 && first.received.length === 1)
    expect((await endpointsOf(acme)).map(({ url }) => url)).toEqual([first.url, second.url])
    expect(await deliveriesOf(acme, `?endpointId=${only?.id}`)).toHaveLength(2)
  })

  test('do not wait for one that hangs', async () => {
    const { acme, first, second } = stage()
    await twoEndpoints(stage())
    await fillLane(acme, first)
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await requestTo(second, 1)
    expect(kindsAt(second)).toEqual(['transaction.approved'])
  })

  test('get the test events that are meant for them, whatever they have chosen', async () => {
    const { acme, first, second } = stage()
    const { other } = await twoEndpoints(stage(), ['transaction.settled'])
    const test = { event: 'sign_in.failed', endpointId: other.id }
    const { id, endpointId } = bodyOf(await acme.post('/webhooks/test', test))
    expect(endpointId).toBe(other.id)
    expect(await settled(acme, id)).toMatchObject({ status: 'succeeded', test: true })
    const usual = await aTestEvent(acme, 'sign_in.failed')
    await settled(acme, usual.id)
    expect([first.received.length, second.received.length]).toEqual([1, 1])
    expect(await deliveriesOf(acme, '?test=true')).toHaveLength(2)
    const unknown = { event: 'sign_in.failed', endpointId: `whe_${'0'.repeat(32)}` }
    expect(await acme.post('/webhooks/test', unknown)).toMatchObject({
      status: 404,
      body: { code: 'webhook_endpoint_not_found' },
    })
  })

  test('are sent a delivery again each by itself', async () => {
    const { acme, first, second } = stage()
    const { other } = await twoEndpoints(stage())
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await waitUntil(() => first.received.length === 1 && second.received.length === 1)
    const [delivery] = await deliveriesOf(acme, `?endpointId=${other.id}`)
    const id = delivery?.id ?? ''
    bodyOf(await acme.post(`/webhooks/deliveries/${id}/redeliver`))
    await afterAttempts(acme, id, 2)
    expect([first.received.length, second.received.length]).toEqual([1, 2])
  })

  test('wait while they are paused, and get all of it in order once they are resumed', async () => {
    const { acme, first, second } = stage()
    const { one, other } = await twoEndpoints(stage())
    const [, paused] = await changeEndpoints(acme, [
      { id: one.id },
      { id: other.id, status: 'paused' },
    ])
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'requested' })
    const { agentId } = await anActiveMandate(acme)
    const ids: unknown[] = []
    for (let count = 0; count < 5; count++) ids.push((await evaluate(acme, agentId)).transactionId)
    await waitUntil(() => first.received.length === 5)
    const waiting = await deliveriesOf(acme, `?endpointId=${other.id}`)
    expect(waiting).toHaveLength(5)
    for (const { status, nextAttemptAt } of waiting) {
      expect({ status, nextAttemptAt }).toEqual({ status: 'pending', nextAttemptAt: null })
    }
    expect(second.received).toEqual([])
    await changeEndpoints(acme, [{ id: one.id }, { id: other.id, status: 'active' }])
    await waitUntil(() => second.received.length === 5)
    const got = second.received.map(({ body }) => JSON.parse(body).data.transactionId)
    expect(new Set(got)).toEqual(new Set(ids))
    expect(first.received).toHaveLength(5)
  })

  test('that are removed lose their waiting deliveries, which are canceled', async () => {
    const { acme, first, second } = stage()
    const { one, other } = await twoEndpoints(stage())
    await changeEndpoints(acme, [{ id: one.id }, { id: other.id, status: 'paused' }])
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await waitUntil(async () => (await deliveriesOf(acme, `?endpointId=${other.id}`)).length === 1)
    expect(await changeEndpoints(acme, [{ id: one.id }])).toHaveLength(1)
    const [canceled] = await deliveriesOf(acme, `?endpointId=${other.id}`)
    expect(canceled).toMatchObject({ status: 'canceled', endpointId: other.id })
    expect(await acme.post(`/webhooks/deliveries/${canceled?.id}/redeliver`)).toMatchObject({
      status: 404,
      body: { code: 'webhook_endpoint_not_found' },
    })
    await evaluate(acme, agentId)
    await waitUntil(() => first.received.length === 2)
    expect(await deliveriesOf(acme, `?endpointId=${other.id}`)).toHaveLength(1)
    expect(second.received).toEqual([])
  })

  test('keep working when the first one is removed', async () => {
    const { acme, first, second } = stage()
    const { other } = await twoEndpoints(stage())
    first.behave(answerWith(500))
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await waitUntil(() => first.received.length === 1 && second.received.length === 1)
    await changeEndpoints(acme, [{ id: other.id }])
    expect(bodyOf(await acme.get('/organization')).webhookUrl).toBeNull()
    const statuses = (await deliveriesOf(acme)).map(({ status }) => status)
    expect(statuses.sort()).toEqual(['canceled', 'succeeded'])
    await evaluate(acme, agentId)
    await requestTo(second, 2)
    expect(first.received).toHaveLength(1)
  })

  test('have secrets that rotate one by one', async () => {
    const { acme, second } = stage()
    const { one, other } = await twoEndpoints(stage())
    const { webhookSecret } = bodyOf(
      await acme.post('/organization/webhook-secret/rotate', { endpointId: other.id }),
    )
    const [untouched, rotated] = await endpointsOf(acme)
    expect(untouched?.secretHint).toBe(one.secretHint)
    expect(webhookSecret.startsWith(rotated?.secretHint ?? '?')).toBe(true)
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    expect(isSignedWith(await requestTo(second, 1), webhookSecret)).toBe(true)
    const unknown = { endpointId: `whe_${'0'.repeat(32)}` }
    expect((await acme.post('/organization/webhook-secret/rotate', unknown)).status).toBe(404)
  })
})

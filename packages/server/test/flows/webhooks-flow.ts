import { expect, onTestFinished, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { openEventStream } from '../support/event-stream.ts'
import { aMember } from '../support/people.ts'
import { answerWith, startReceiver } from '../support/receiver.ts'
import { aHold, change, evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  afterAttempts,
  aSubscriber,
  aTestEvent,
  deliveriesOf,
  deliveryOf,
  settled,
  subscribe,
  turnToNextAttempt,
} from '../support/webhooks.ts'
import type { Flow, FlowStage } from './stage.ts'

/** An event from the decision to the receiver. */
export const webhooksFlow: Flow = (stage) => {
  async function open() {
    const { app } = stage()
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const acme = await aSubscriber(app, receiver)
    return { app, receiver, acme }
  }

  test('a decision is delivered and in the feed, and is delivered again on demand', async () => {
    const { receiver, acme } = await open()
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 90 })
    await waitUntil(() => receiver.received.length === 2)
    const { data } = bodyOf(await acme.get('/events'))
    expect(data.map(({ event }) => event)).toEqual([
      'transaction.approved',
      'mandate.budget.warning',
    ])
    expect(bodyOf(await acme.get(`/events?cursor=${data[0]?.id}`)).data).toHaveLength(1)
    const [delivery] = (await deliveriesOf(acme)).filter(
      (one) => one.transactionId === transactionId,
    )
    const listed = await deliveriesOf(acme, `?transactionId=${transactionId}`)
    expect(listed.map(({ event }) => event).sort()).toEqual(data.map(({ event }) => event).sort())
    expect(await deliveriesOf(acme, '?test=true')).toEqual([])
    await settled(acme, delivery?.id ?? '')
    bodyOf(await acme.get('/webhooks/deliveries?to=2100-01-01'))
    bodyOf(await acme.post(`/webhooks/deliveries/${delivery?.id}/redeliver`))
    const { attemptLog } = await afterAttempts(acme, delivery?.id ?? '', 2)
    expect(attemptLog.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded'])
  })

  test('what becomes of a hold is delivered to whoever has chosen it, and nothing else', async () => {
    const { receiver, acme } = await open()
    const webhookEvents = ['mandate.budget.warning', 'transaction.settled']
    bodyOf(await acme.patch('/organization', { webhookEvents }))
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 5)
    await change(acme, transactionId, 'settle', 3)
    // The approval itself is not wanted, the warning that comes with it is.
    await evaluate(acme, agentId, { amount: 85 })
    await waitUntil(() => receiver.received.length === 2)
    const told = receiver.received.map(({ body }) => JSON.parse(body).event)
    expect(new Set(told)).toEqual(new Set(['transaction.settled', 'mandate.budget.warning']))
    const { data } = bodyOf(await acme.get('/events?event=transaction.settled'))
    expect(data).toMatchObject([{ data: { transactionId, settledAmount: 3 } }])
  })

  test('what fails is tried again by the plan', async () => {
    const { app, receiver, acme } = await open()
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    receiver.behave(answerWith(200))
    await turnToNextAttempt(app, acme, id)
    expect(await settled(acme, id)).toMatchObject({ status: 'succeeded', attempts: 2 })
    app.clock.now = undefined
  })

  test('failed deliveries are sent again by a task, which can be stopped', async () => {
    const { app, receiver, acme } = await open()
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    const uuid = toUuid('dlv', id)
    await app.rows(`update webhook_deliveries set status = 'failed' where id = $1`, [uuid])
    await app.rows('delete from webhook_queue where id = $1', [uuid])
    expect(await deliveriesOf(acme, '?status=failed')).toMatchObject([{ id }])
    const task = '/webhooks/deliveries/failed'
    receiver.behave(() => {})
    expect((await acme.post(`${task}/redeliver`)).body).toMatchObject({ total: 1 })
    await waitUntil(() => receiver.received.length === 2)
    expect((await acme.post(`${task}/redeliver`, { stop: true })).status).toBe(202)
    receiver.behave(answerWith(200))
    expect((await acme.post(`${task}/redeliver`)).status).toBe(202)
    await waitUntil(async () => bodyOf(await acme.get(task)).status === 'done')
    expect(await deliveryOf(acme, id)).toMatchObject({ status: 'succeeded' })
  })

  test('nothing waits any more for a receiver that is given up', async () => {
    const { app, receiver, acme } = await open()
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    await subscribe(acme, null)
    expect(await deliveriesOf(acme, '?status=canceled')).toMatchObject([{ id }])
    // As if it had been queued in the moment before.
    await app.rows(
      `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
       select organization_id, id, id, number, false, occurred_at from webhook_events
       where organization_id = $1 order by number desc limit 1`,
      [acme.organizationId],
    )
    app.wakeDispatcher()
    await waitUntil(async () => {
      const left = 'select 1 from webhook_queue where organization_id = $1'
      return (await app.rows(left, [acme.organizationId])).length === 0
    })
  })

  test('events are divided among several endpoints, each by itself', async () => {
    const { app, receiver, acme } = await open()
    const other = await startReceiver()
    onTestFinished(other.close)
    const [first] = bodyOf(await acme.get('/organization')).webhookEndpoints
    const events = ['transaction.rejected']
    const patch = async (list: readonly object[]) =>
      bodyOf(await acme.patch('/organization', { webhookEndpoints: list })).webhookEndpoints
    const chosen = { id: first?.id, events: ['transaction.approved'] }
    const [, second] = await patch([chosen, { url: other.url, events }])
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await evaluate(acme, agentId, { amount: 1_000 })
    await waitUntil(() => receiver.received.length === 1 && other.received.length === 1)
    const endpointId = second?.id
    const [told] = await deliveriesOf(acme, `?endpointId=${endpointId}`)
    expect(await deliveriesOf(acme, `?endpointId=${first?.id}`)).toHaveLength(1)
    bodyOf(await acme.post(`/webhooks/deliveries/${told?.id}/redeliver`))
    await afterAttempts(acme, told?.id ?? '', 2)
    bodyOf(await acme.post('/organization/webhook-secret/rotate', { endpointId }))
    other.behave(answerWith(500))
    const failing = bodyOf(await acme.post('/webhooks/test', { event: 'card.flagged', endpointId }))
    await afterAttempts(acme, failing.id, 1)
    await waitUntil(async () => {
      const [, one] = bodyOf(await acme.get('/organization')).webhookEndpoints
      return one?.failingSince !== null
    })
    await patch([{ id: first?.id }, { id: endpointId, status: 'paused' }])
    other.behave(answerWith(200))
    await patch([{ id: first?.id }, { id: endpointId, status: 'active', url: `${other.url}/2` }])
    await turnToNextAttempt(app, acme, failing.id)
    expect(await settled(acme, failing.id)).toMatchObject({ status: 'succeeded' })
    app.clock.now = undefined
    await patch([{ id: endpointId }])
    expect(await patch([])).toEqual([])
  })

  test('a stream goes on from the last event', async () => {
    const { app, acme } = await open()
    const url = await listening(app)
    const stream = await openEventStream(url, acme.apiKey)
    await waitUntil(() => stream.text !== '')
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    await waitUntil(() => stream.events.length === 1)
    expect(stream.events[0]?.data).toContain(transactionId)
    stream.close()
  })

  test('the stream of a member has hints at changes and deliveries', async () => {
    const { app, acme } = await open()
    const url = await listening(app)
    const { cookie } = await aMember(app, acme)
    const stream = await openEventStream(url, '', { cookie })
    await waitUntil(() => stream.text !== '')
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const hasHint = (kind: string) => stream.hints.some(({ data }) => data.includes(`"${kind}"`))
    await waitUntil(() => hasHint('change.mandate.activated') && hasHint('delivery.ended'))
    stream.close()
  })
}

/** An app listens once, for all flows. */
async function listening({ app }: Pick<FlowStage['app'], 'app'>): Promise<string> {
  if (!app.server.listening) return app.listen({ port: 0, host: '127.0.0.1' })
  return app.listeningOrigin
}

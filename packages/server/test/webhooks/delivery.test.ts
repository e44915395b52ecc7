import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

describe('a webhook', () => {
  let app: TestApp
  let acme: Owner
  let receiver: Receiver

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    acme = await app.organization()
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const arrived = (count: number) => waitUntil(() => receiver.received.length >= count)
  const deliveries = async () => bodyOf(await acme.get('/webhooks/deliveries')).data
  async function onlyDelivery() {
    const [delivery] = await deliveries()
    assert(delivery)
    return delivery
  }
  async function settled(id: string) {
    await waitUntil(async () => {
      const { status } = bodyOf(await acme.get(`/webhooks/deliveries/${id}`))
      return status !== 'pending'
    })
    return bodyOf(await acme.get(`/webhooks/deliveries/${id}`))
  }

  test('tells of a decision with the envelope of the specification, signed', async () => {
    bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
    const { webhookSecret } = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    const { agentId } = await anActiveMandate(acme)
    const answer = await evaluate(acme, agentId, { amount: 12.5 })
    await arrived(1)
    const [request] = receiver.received
    expect(JSON.parse(request?.body ?? '')).toEqual({
      event: 'transaction.approved',
      timestamp: answer.evaluationDetails.evaluatedAt,
      data: {
        transactionId: answer.transactionId,
        agentId,
        mandateId: answer.mandateId,
        amount: 12.5,
        vendor: 'api.openai.com',
        category: 'llm',
        remainingBudget: 87.5,
        decision: 'approved',
        status: 'settled',
        currency: 'USD',
        path: 'evaluate',
        reference: null,
        expiresAt: null,
        flags: [],
      },
    })
    const digest = createHmac('sha256', webhookSecret)
      .update(request?.body ?? '')
      .digest('hex')
    expect(request?.headers['x-service-signature']).toBe(digest)
    const delivery = await onlyDelivery()
    expect(await settled(delivery.id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      transactionId: answer.transactionId,
      attemptLog: [{ number: 1, outcome: 'succeeded', response: { status: 200 } }],
    })
  })

  test('is not sent without a URL, and starts when one is saved', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
    const second = await evaluate(acme, agentId)
    await arrived(1)
    expect(await deliveries()).toHaveLength(1)
    expect(receiver.received[0]?.body).toContain(second.transactionId)
  })

  test('is tried again by the plan and given up after the fourth retry', async () => {
    receiver.behave(answerWith(500))
    bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await arrived(1)
    for (const expected of [2, 3, 4, 5]) {
      await waitUntil(async () => (await onlyDelivery()).attempts === expected - 1)
      const { nextAttemptAt } = await onlyDelivery()
      app.clock.now = Date.parse(nextAttemptAt ?? '') + 1
      app.wakeDispatcher()
      await arrived(expected)
    }
    app.clock.now = undefined
    const delivery = await onlyDelivery()
    const detail = await settled(delivery.id)
    expect(detail).toMatchObject({ status: 'failed', attempts: 5, nextAttemptAt: null })
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { aHold, change, evaluate } from '../../support/spends.ts'
import { aSubscriber, aTestEvent, deliveriesOf, requestTo } from '../../support/webhooks.ts'

let app: TestApp
let receiver: Receiver

beforeAll(async () => {
  app = await createTestApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})

const idsOf = (deliveries: readonly { readonly id: string }[]) => deliveries.map(({ id }) => id)

describe('the list of deliveries', () => {
  test('of a transaction has those of all its events, tried or not, and no others', async () => {
    const acme = await aSubscriber(app, receiver)
    const webhookEvents = ['transaction.approved', 'transaction.settled', 'mandate.budget.warning']
    bodyOf(await acme.patch('/organization', { webhookEvents }))
    receiver.behave(() => {})
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 85)
    // The lane is full now, so that the events that follow wait without an attempt.
    await requestTo(receiver, 2)
    await evaluate(acme, agentId, { amount: 1 })
    await aTestEvent(acme)
    await change(acme, transactionId, 'settle', 85)
    const query = `/webhooks/deliveries?transactionId=${transactionId}`
    const { data, total } = bodyOf(await acme.get(query))
    const kinds = ['mandate.budget.warning', 'transaction.approved', 'transaction.settled']
    expect(data.map(({ event }) => event).sort()).toEqual(kinds)
    expect(new Set(data.map((delivery) => delivery.transactionId))).toEqual(
      new Set([transactionId]),
    )
    expect(total).toBe(3)
    expect(bodyOf(await acme.get(`${query}&test=false`)).total).toBe(3)
    expect(bodyOf(await acme.get(`${query}&test=true`)).total).toBe(0)
    const [settlement] = await deliveriesOf(acme, '?event=transaction.settled')
    const ofEvent = `eventId=${settlement?.eventId}`
    expect(idsOf(bodyOf(await acme.get(`${query}&${ofEvent}`)).data)).toEqual([settlement?.id])
    const globex = await aSubscriber(app, receiver)
    expect(await deliveriesOf(globex, `?transactionId=${transactionId}`)).toEqual([])
    expect(await deliveriesOf(globex, `?${ofEvent}`)).toEqual([])
  })
  test('of an event has one', async () => {
    const acme = await aSubscriber(app, receiver)
    const ids = [(await aTestEvent(acme)).id, (await aTestEvent(acme)).id]
    for (const id of ids) {
      const eventId = id.replace('dlv', 'evt')
      const { data, total } = bodyOf(await acme.get(`/webhooks/deliveries?eventId=${eventId}`))
      expect([idsOf(data), total]).toEqual([[id], 1])
      const canceled = await acme.get(`/webhooks/deliveries?eventId=${eventId}&status=canceled`)
      expect(bodyOf(canceled).total).toBe(0)
    }
  })
})

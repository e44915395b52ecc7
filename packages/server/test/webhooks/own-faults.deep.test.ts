import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestAppThrough, type Owner, type TestApp } from '../support/app.ts'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  afterARound,
  aSubscriber,
  aTestEvent,
  deliveryOf,
  requestTo,
  settled,
} from '../support/webhooks.ts'

const LEASE_MS = 15_000

/** The gateway reaches its database through a proxy that can cut it off; the receiver is always well. */
describeOnPostgres('a database that is away', () => {
  let proxy: TcpProxy
  let app: TestApp
  let receiver: Receiver
  /** Of other organizations. */
  let other: Receiver
  let acme: Owner

  beforeEach(async () => {
    const database = await createTestDatabase('postgres')
    proxy = await startTcpProxy(database.url)
    app = await createTestAppThrough(proxy.url, database)
    receiver = await startReceiver()
    other = await startReceiver()
    acme = await aSubscriber(app, receiver)
    // Every statement is known to the connections, and what follows is the usual course of things.
    await settled(acme, (await aTestEvent(acme)).id)
  })
  afterEach(async () => {
    proxy.comeBack()
    await app.stop()
    await proxy.close()
    await receiver.close()
    await other.close()
  })

  /** Waits until the gateway has tried to reach its database this often more, in vain. */
  async function triedInVain(times: number): Promise<void> {
    const enough = proxy.refused + times
    await waitUntil(() => proxy.refused >= enough)
  }

  /** What the queue knows of a delivery's failures, asked without the proxy. */
  const queued = () =>
    app.database.db.query({ text: 'select failures, attempt_id from webhook_queue' })

  /** Lets the lease of everything run out. */
  function outliveLease(): void {
    app.clock.now = Date.now() + LEASE_MS + 1_000
    app.wakeDispatcher()
  }

  test('when a 2xx is to be written down does not make the event be sent again', async () => {
    receiver.behave((response) => {
      proxy.goAway()
      response.end()
    })
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 2)
    await triedInVain(3)
    receiver.behave(answerWith(200))
    proxy.comeBack()
    expect(await settled(acme, id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      attemptLog: [{ outcome: 'succeeded', response: { status: 200 } }],
    })
    outliveLease()
    const { eventId } = await aTestEvent(acme)
    await requestTo(receiver, 3)
    expect(receiver.received[2]?.headers['webhook-id']).toBe(eventId)
  })

  test('when a failure is to be written down counts it once', async () => {
    receiver.behave((response) => {
      proxy.goAway()
      response.writeHead(500).end()
    })
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 2)
    await triedInVain(2)
    receiver.behave(answerWith(500))
    proxy.comeBack()
    await waitUntil(async () => (await deliveryOf(acme, id)).attempts > 0)
    expect(await deliveryOf(acme, id)).toMatchObject({ status: 'pending', attempts: 1 })
    expect(await queued()).toEqual([{ failures: 1, attempt_id: null }])
  })

  test('after it has written it down, but before it could say so, counts the attempt once', async () => {
    const cut = proxy.cutAnswerTo('end-attempts')
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 2)
    await waitUntil(() => cut.repeats === 1)
    await afterARound(await aSubscriber(app, other))
    expect(await deliveryOf(acme, id)).toMatchObject({
      attempts: 1,
      attemptLog: [{ outcome: 'succeeded' }],
    })
    expect(receiver.received).toHaveLength(2)
  })

  test('for a long time does not make the event be sent again either', async () => {
    receiver.behave((response) => {
      proxy.goAway()
      response.end()
    })
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 2)
    await triedInVain(12)
    receiver.behave(answerWith(500))
    proxy.comeBack()
    expect(await settled(acme, id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      attemptLog: [{ outcome: 'succeeded' }],
    })
    expect(await queued()).toEqual([])
    expect(receiver.received).toHaveLength(2)
  })

  test('when an attempt is begun sends nothing that is not surely in the log', async () => {
    proxy.cutAnswerTo('start-attempts')
    const { id } = await aTestEvent(acme)
    await waitUntil(async () => (await deliveryOf(acme, id)).attemptLog.length === 1)
    await afterARound(await aSubscriber(app, other))
    expect(receiver.received).toHaveLength(1)
    outliveLease()
    expect(await settled(acme, id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      attemptLog: [{ outcome: 'interrupted' }, { outcome: 'succeeded' }],
    })
    expect(receiver.received).toHaveLength(2)
  })

  test('between deliveries does not stop them for good', async () => {
    proxy.goAway()
    await triedInVain(2)
    proxy.comeBack()
    await waitUntil(async () => (await acme.get('/webhooks/deliveries')).status === 200)
    expect((await settled(acme, (await aTestEvent(acme)).id)).status).toBe('succeeded')
  })
})

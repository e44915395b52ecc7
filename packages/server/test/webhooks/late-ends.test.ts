import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { LEASE_MS } from '../support/webhook-queue.ts'
import { afterARound, aSubscriber, aTestEvent, requestTo, settled } from '../support/webhooks.ts'

describe('an attempt whose lease expires before its end is stored', () => {
  let app: TestApp
  let receiver: Receiver
  /** Of another organization. */
  let other: Receiver
  beforeAll(async () => {
    app = await createTestApp()
    receiver = await startReceiver()
    other = await startReceiver()
  })
  afterAll(async () => {
    await app.stop()
    await receiver.close()
    await other.close()
  })

  test('is not lost to the process that made it, so it makes no second one', async () => {
    const hanging: ServerResponse[] = []
    receiver.behave((response) => void hanging.push(response))
    const acme = await aSubscriber(app, receiver)
    const probe = await aSubscriber(app, other)
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 1)
    // As after a pause of the database, or a jump of its clock.
    app.clock.now = Date.now() + LEASE_MS + 1_000
    app.wakeDispatcher()
    await afterARound(probe)
    expect(receiver.received).toHaveLength(1)
    for (const response of hanging) response.end()
    expect(await settled(acme, id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      attemptLog: [{ outcome: 'succeeded' }],
    })
    expect(receiver.received).toHaveLength(1)
  })
})

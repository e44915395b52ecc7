import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { claimDue } from '../../src/webhooks/claim.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { describeOnPostgres } from '../support/database.ts'
import { answerWith, type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts'
import { sealer } from '../support/tenant.ts'
import { waitUntil } from '../support/wait-until.ts'
import { LATER, LEASE_MS, queueForLater } from '../support/webhook-queue.ts'
import {
  afterARound,
  afterAttempts,
  aSubscriber,
  aTestEvent,
  deliveryOf,
  requestTo,
  turnToNextAttempt,
} from '../support/webhooks.ts'

const NOON = Date.parse('2026-11-15T12:00Z')
const DAY_MS = 86_400_000

/**
 * A second process whose clock jumps over the lease takes every attempt that is still under way for a
 * lost one, as if its process had died. The real kills are in takeover.deep.test.ts and
 * chaos.deep.test.ts.
 */
describeOnPostgres('an attempt whose process is taken for dead', () => {
  let app: TestApp
  let second: TestApp
  let receiver: Receiver
  let probed: Receiver
  let acme: Owner
  let probe: Owner

  const hang: Behaviour = () => {}

  beforeAll(async () => {
    app = await createTestApp('postgres')
    second = await joinTestApp(app)
    probed = await startReceiver()
    probe = await aSubscriber(app, probed)
  })
  afterAll(async () => {
    await second.stop()
    await app.stop()
    await probed.close()
  })
  beforeEach(async () => {
    app.clock.now = NOON
    // Until it takes over, nothing is due for it.
    second.clock.now = NOON - DAY_MS
    receiver = await startReceiver(hang)
    acme = await aSubscriber(app, receiver)
  })
  afterEach(async () => {
    app.clock.now = undefined
    await receiver.close()
  })

  function outliveLease(): void {
    second.clock.now = NOON + LEASE_MS
    second.wakeDispatcher()
  }

  /** Takes up what is due by then, as a process would that dies right after; tells how much that was. */
  const takeUpAndDie = (at: number) =>
    app.database.db.transaction(async (tx) => {
      const share = { organizationId: acme.organizationId, endpointId: null, room: 10 }
      const claiming = { sealer, retries: 4, isLost: () => true }
      return (await claimDue(tx, claiming, share, at)).attempts.length
    })

  test('is not made again a millisecond before its lease is over', async () => {
    await aTestEvent(acme)
    await requestTo(receiver, 1)
    expect(await takeUpAndDie(NOON + LEASE_MS - 1)).toBe(0)
    expect(await takeUpAndDie(NOON + LEASE_MS)).toBe(1)
  })

  test('is made again with the same bytes, and is in the log as interrupted', async () => {
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 1)
    receiver.behave(answerWith(200))
    outliveLease()
    const [first, second] = [await requestTo(receiver, 1), await requestTo(receiver, 2)]
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(await afterAttempts(acme, id, 1)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      attemptLog: [
        { outcome: 'interrupted', error: null, response: null },
        { outcome: 'succeeded' },
      ],
    })
  })

  test('does not use up a retry: five more are made', async () => {
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 1)
    receiver.behave(answerWith(500))
    outliveLease()
    // Counted by what arrives: the first one, which still hangs, may end in between, and is logged then.
    for (const requests of [2, 3, 4, 5]) {
      await requestTo(receiver, requests)
      expect((await deliveryOf(acme, id)).status).toBe('pending')
      await turnToNextAttempt(app, acme, id)
    }
    await requestTo(receiver, 6)
    await waitUntil(async () => (await deliveryOf(acme, id)).status === 'failed')
  })

  test('keeps its place in the plan: what is interrupted at the third is the third again', async () => {
    receiver.behave(answerWith(500))
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    await turnToNextAttempt(app, acme, id)
    const due = Date.parse((await afterAttempts(acme, id, 2)).nextAttemptAt ?? '')
    expect(await takeUpAndDie(due)).toBe(1)
    const now = due + LEASE_MS
    app.clock.now = now
    app.wakeDispatcher()
    const { nextAttemptAt, attemptLog } = await afterAttempts(acme, id, 3)
    const outcomes = attemptLog.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['failed', 'failed', 'interrupted', 'failed'])
    const wait = Date.parse(nextAttemptAt ?? '') - now
    expect(wait).toBeGreaterThanOrEqual(180_000 * 0.8)
    expect(wait).toBeLessThanOrEqual(180_000 * 1.2)
  })

  test('counts from the fourth time on, so that one which kills its process ends some day', async () => {
    const id = toPublicId('dlv', await queueForLater(app, acme))
    // Three that cost nothing and five that count.
    const taken: number[] = []
    for (let number = 0; number < 12; number++) {
      taken.push(await takeUpAndDie(LATER + number * LEASE_MS))
    }
    expect(taken).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    const { status, attemptLog } = await deliveryOf(acme, id)
    expect(status).toBe('failed')
    expect(attemptLog.map(({ outcome }) => outcome)).toEqual(Array(8).fill('interrupted'))
  })

  test('that was only slow and ends as a success after all makes a success of the delivery', async () => {
    let answerFirst = (): void => {}
    receiver.behave((response) => {
      answerFirst = () => response.end()
    })
    const { id } = await aTestEvent(acme)
    await requestTo(receiver, 1)
    receiver.behave(answerWith(500))
    outliveLease()
    await afterAttempts(acme, id, 1)
    answerFirst()
    expect(await afterAttempts(acme, id, 2)).toMatchObject({
      status: 'succeeded',
      attemptLog: [{ outcome: 'succeeded' }, { outcome: 'failed' }],
    })
    app.clock.now = (app.clock.now ?? 0) + DAY_MS
    await afterARound(probe)
    expect(receiver.received).toHaveLength(2)
  })
})

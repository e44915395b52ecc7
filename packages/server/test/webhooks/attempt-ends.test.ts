import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { newId } from '../../src/storage/new-id.ts'
import { type AttemptEnd, endAttempts } from '../../src/storage/webhooks/attempts.ts'
import { queueAgain } from '../../src/storage/webhooks/queue.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { LATER, LEASE_MS, queueForLater, type Taken, takeUp } from '../support/webhook-queue.ts'
import { deliveryOf } from '../support/webhooks.ts'

/** What is written down when attempts end, also when it is written twice, late or all at once. */
describe('the end of an attempt', () => {
  let app: TestApp
  let acme: Owner
  let eventId: string

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    acme = await app.organization()
    eventId = await queueForLater(app, acme)
  })

  const run = (statement: ReturnType<typeof endAttempts>) =>
    app.database.db.transaction(async (tx) => tx.send(statement))

  const end = (...ends: AttemptEnd[]) => run(endAttempts(acme.organizationId, ends))

  const delivery = () => deliveryOf(acme, toPublicId('dlv', eventId))

  const failuresOf = async (entryId: string) =>
    (
      await app.rows('select failures, due_at, attempt_id from webhook_queue where id = $1', [
        entryId,
      ])
    )[0]

  async function takeUpOne(at = LATER): Promise<Taken> {
    const [taken] = await takeUp(app, acme, at)
    if (!taken) throw new Error('Nothing was due.')
    return taken
  }

  const anEnd = (ids: Taken, change: Partial<AttemptEnd>): AttemptEnd => ({
    ...ids,
    deliveryId: eventId,
    outcome: 'failed',
    endedAt: LATER,
    durationMs: 5,
    statusCode: 500,
    errorClass: 'status',
    errorMessage: 'The receiver answered 500.',
    responseHeaders: {},
    responseBody: null,
    responseCut: null,
    remoteAddress: '127.0.0.1',
    nextAttemptAt: null,
    deliveryStatus: null,
    ...change,
  })

  const SUCCESS = {
    outcome: 'succeeded',
    statusCode: 200,
    errorClass: null,
    errorMessage: null,
    deliveryStatus: 'succeeded',
  } as const

  test('that is written twice counts once, because the first answer of the database may be lost', async () => {
    const ids = await takeUpOne()
    const failed = anEnd(ids, { nextAttemptAt: LATER + 5_000 })
    await end(failed)
    await end(failed)
    expect(await failuresOf(ids.entryId)).toMatchObject({ failures: 1, due_at: LATER + 5_000 })
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: 1 })
  })

  test('that says nothing of the receiver is in the log, and the entry is left to its lease', async () => {
    const ids = await takeUpOne()
    await end(anEnd(ids, { outcome: 'interrupted', statusCode: null, entryId: null }))
    expect(await failuresOf(ids.entryId)).toMatchObject({ failures: 0, due_at: LATER + LEASE_MS })
    expect(await delivery()).toMatchObject({
      status: 'pending',
      attempts: 0,
      attemptLog: [{ outcome: 'interrupted' }],
    })
  })

  test('that comes after another process took over leaves the plan to that one', async () => {
    const first = await takeUpOne()
    const second = await takeUpOne(LATER + LEASE_MS)
    expect(second.entryId).toBe(first.entryId)
    await end(anEnd(first, { nextAttemptAt: LATER + 5_000 }))
    expect(await failuresOf(first.entryId)).toMatchObject({
      attempt_id: second.attemptId,
      due_at: LATER + 2 * LEASE_MS,
      failures: 0,
    })
  })

  test('that comes late as a success is told, and a later failure of the other does not undo it', async () => {
    const first = await takeUpOne()
    const second = await takeUpOne(LATER + LEASE_MS)
    await end(anEnd(first, SUCCESS))
    expect((await delivery()).status).toBe('succeeded')
    await end(anEnd(second, { deliveryStatus: 'failed' }))
    expect((await delivery()).status).toBe('succeeded')
  })

  test('of a last retry does not undo the success of a redelivery', async () => {
    const last = await takeUpOne()
    await run(
      queueAgain(
        acme.organizationId,
        newId(Date.now()),
        { id: eventId, eventId, endpointId: null },
        LATER,
      ),
    )
    const manual = await takeUpOne()
    await end(anEnd(manual, SUCCESS))
    await end(anEnd(last, { deliveryStatus: 'failed' }))
    expect(await delivery()).toMatchObject({ status: 'succeeded', attempts: 2 })
  })

  test.each(['first', 'last'])(
    'as a success makes a success of the delivery where it is written %s of two',
    async (place) => {
      await run(
        queueAgain(
          acme.organizationId,
          newId(Date.now()),
          { id: eventId, eventId, endpointId: null },
          LATER,
        ),
      )
      const [one, two] = await takeUp(app, acme)
      if (!one || !two) throw new Error('Two were due.')
      const ends = [anEnd(one, SUCCESS), anEnd(two, { deliveryStatus: 'failed' })]
      await end(...(place === 'first' ? ends : ends.toReversed()))
      expect(await delivery()).toMatchObject({ status: 'succeeded', attempts: 2 })
    },
  )
})

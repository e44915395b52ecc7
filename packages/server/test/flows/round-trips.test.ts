import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Answer, createTestAppThrough, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { aHold, change, evaluate, simulate } from '../support/spends.ts'
import { startTripCounter, type TripCounter } from '../support/trip-counter.ts'

/**
 * What each request costs, exactly. An addition is a decision: whoever makes one changes the figure here and
 * says why.
 */
describeOnPostgres('round trips to the database', () => {
  let database: TestDatabase
  let counter: TripCounter
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    counter = await startTripCounter(database.url)
    // What runs by itself, once a second, is not a request's.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    app = await createTestAppThrough(counter.url, database)
    acme = await app.organization()
  })
  afterAll(async () => {
    await app.stop()
    await counter.close()
    vi.useRealTimers()
  })
  // The clock stands still, so that the key stays in the cache.
  beforeEach(() => {
    app.clock.now = Date.now()
  })
  afterEach(() => {
    app.clock.now = undefined
  })

  const RULES = [
    { type: 'vendors', allow: ['api.openai.com'] },
    { type: 'limit', maxAmount: 1_000, window: 'day' },
  ]

  /** The figures of a request whose key, and whose mandate, the process has seen before. */
  async function costOf(run: () => Promise<unknown>): Promise<readonly [number, number]> {
    bodyOf(await acme.get('/organization'))
    const { roundTrips, statements } = await counter.count(run)
    return [roundTrips, statements]
  }
  const ofRequest = (send: () => Promise<Answer>) => costOf(async () => bodyOf(await send()))

  test('of a decision', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: RULES })
    await evaluate(acme, agentId)
    const headers = { 'idempotency-key': 'a-decision' }
    expect({
      approved: await costOf(() => evaluate(acme, agentId)),
      held: await costOf(() => aHold(acme, agentId, 1)),
      underKey: await costOf(() => evaluate(acme, agentId, {}, headers)),
      rejected: await costOf(() => evaluate(acme, agentId, { vendor: 'other.example' })),
      simulated: await costOf(() => simulate(acme, agentId)),
      // Something is held, so it is asked whether a hold is overdue that takes the room.
      shortWhileHeld: await costOf(() => evaluate(acme, agentId, { amount: 90 })),
    }).toEqual({
      approved: [2, 9],
      held: [2, 9],
      underKey: [2, 11],
      rejected: [2, 8],
      simulated: [2, 5],
      shortWhileHeld: [3, 9],
    })
  })

  test('of what becomes of a hold', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: RULES })
    const [first, second, third] = [
      await aHold(acme, agentId, 5),
      await aHold(acme, agentId, 5),
      await aHold(acme, agentId, 5),
    ]
    const headers = { 'idempotency-key': 'a-settlement' }
    const url = `/transactions/${third.transactionId}/settle`
    expect({
      settled: await costOf(() => change(acme, first.transactionId, 'settle', 4)),
      voided: await costOf(() => change(acme, second.transactionId, 'void')),
      refunded: await costOf(() => change(acme, first.transactionId, 'refund')),
      settledUnderKey: await ofRequest(() => acme.post(url, undefined, headers)),
    }).toEqual({ settled: [3, 9], voided: [3, 9], refunded: [2, 7], settledUnderKey: [5, 13] })
  })

  test('of a change of a mandate', async () => {
    const { id } = await aDraft(acme, { rules: RULES })
    const url = `/mandates/${id}`
    expect({
      activated: await ofRequest(() => acme.post(`${url}/activate`)),
      renamed: await ofRequest(() => acme.patch(url, { name: 'Another' })),
      widened: await ofRequest(() => acme.patch(`${url}/budget`, { budgetTotal: 200 })),
      revoked: await ofRequest(() => acme.post(`${url}/revoke`)),
      archived: await ofRequest(() => acme.delete(url)),
    }).toEqual({
      activated: [4, 8],
      renamed: [7, 12],
      widened: [7, 12],
      revoked: [5, 8],
      archived: [3, 6],
    })
  })

  test('of what else is changed', async () => {
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId })
    const key = bodyOf(await acme.post('/api-keys', { name: 'Another key' }))
    const rotation = { gracePeriodSeconds: 60 }
    const headers = { 'idempotency-key': 'an-agent' }
    const create = () => acme.post('/agents', { name: 'Research' }, headers)
    expect({
      agentDeleted: await ofRequest(() => acme.delete(`/agents/${agentId}`)),
      keyRevoked: await ofRequest(() => acme.delete(`/api-keys/${key.id}`)),
      secretRotated: await ofRequest(() =>
        acme.post('/organization/webhook-secret/rotate', rotation),
      ),
      agentCreatedUnderKey: await ofRequest(create),
      andRepeated: await ofRequest(create),
    }).toEqual({
      agentDeleted: [7, 12],
      keyRevoked: [1, 1],
      secretRotated: [2, 6],
      agentCreatedUnderKey: [6, 10],
      andRepeated: [2, 5],
    })
  })

  test('of what is read', async () => {
    const { id } = await anActiveMandate(acme)
    expect({
      mandate: await ofRequest(() => acme.get(`/mandates/${id}`)),
      mandates: await ofRequest(() => acme.get('/mandates')),
      agentsWithMandates: await ofRequest(() => acme.get('/agents?include=mandate')),
      transactions: await ofRequest(() => acme.get('/transactions')),
      holds: await ofRequest(() => acme.get('/transactions?status=held')),
    }).toEqual({
      mandate: [2, 2],
      mandates: [3, 3],
      agentsWithMandates: [4, 4],
      transactions: [2, 2],
      holds: [2, 2],
    })
  })
})

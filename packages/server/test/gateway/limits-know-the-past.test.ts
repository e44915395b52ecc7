import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { units } from '../core/desk.ts'
import { createTestApp, createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS, HOUR_MS } from '../support/builders.ts'
import { createTestDatabase, usualEngine } from '../support/database.ts'
import { createPathGateway, inPlace } from '../support/path-gateway.ts'
import { aHold, change, evaluate, simulate, whenSwept } from '../support/spends.ts'
import { watchDatabase } from '../support/watched-database.ts'

test('a change of rules that brings no new counter asks nothing more of the database', async () => {
  const database = await createTestDatabase(usualEngine())
  const sent: string[] = []
  const db = watchDatabase(database.db, (text) => sent.push(text))
  const app = await createTestAppOn(database, db)
  const acme = await app.organization()
  const limit = { type: 'limit', maxAmount: 50, window: 'day' }
  const { id, agentId } = await anActiveMandate(acme, { rules: [limit] })
  await evaluate(acme, agentId)
  const change = async (body: object) => {
    sent.length = 0
    bodyOf(await acme.patch(`/mandates/${id}`, body))
    // A worker lists the counts of all organizations once a second.
    return sent.filter((text) =>
      /limit_counters|lateral|past_counts where organization_id|agent_vendors/.test(text),
    )
  }
  expect(await change({ rules: [{ ...limit, maxAmount: 40 }] })).toEqual([])
  expect(
    await change({
      rules: [
        { ...limit, id: 'x' },
        { type: 'amount', max: 5 },
      ],
    }),
  ).toEqual([])
  expect(await change({ rules: [] })).toEqual([])
  expect(await change({ rules: [limit] })).not.toEqual([])
  await app.stop()
})

describe('a limit that is added later', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gateway = createPathGateway(app)
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    await gateway.stop()
    await app.stop()
  })

  /**
   * Noon some days ago: nothing here crosses midnight by itself, and no spend is older than its id,
   * which goes by the real clock.
   */
  const noon = () => Math.floor(Date.now() / DAY_MS) * DAY_MS - 2.5 * DAY_MS

  async function aMandate(fields: object = {}) {
    app.clock.now = noon()
    return anActiveMandate(acme, { budgetTotal: 1_000, ...fields })
  }
  const setRules = async (id: string, ...rules: readonly object[]) =>
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
  /** What the rules still let through at once. */
  const left = async (agentId: string, fields: object = {}) =>
    (await simulate(acme, agentId, { amount: 900, ...fields })).evaluationDetails.next.maxAmountNow
  const codeOf = async (agentId: string, fields: object = {}) =>
    (await evaluate(acme, agentId, { ...fields })).evaluationDetails.code

  test('over the period has counted what was spent in it', async () => {
    const { id, agentId } = await aMandate()
    await evaluate(acme, agentId, { amount: 500 })
    await setRules(id, { type: 'limit', maxAmount: 500, window: 'period' })
    expect(await codeOf(agentId, { amount: 1 })).toBe('limit_amount_exceeded')
  })

  test('over the period counts spends, and not only their sum, when it bounds their number', async () => {
    const { id, agentId } = await aMandate({ budgetPeriod: 'daily' })
    for (const amount of [1, 2, 3]) await evaluate(acme, agentId, { amount })
    await setRules(id, { type: 'limit', maxAmount: 500, window: 'period' })
    await setRules(id, { type: 'limit', maxAmount: 500, maxCount: 4, window: 'period' })
    expect(await codeOf(agentId, { amount: 4 })).toBe('approved')
    expect(await codeOf(agentId, { amount: 5 })).toBe('limit_count_exceeded')
  })

  test('has counted what its window reaches back to, when the window is widened', async () => {
    const { id, agentId } = await aMandate({
      rules: [{ type: 'limit', maxAmount: 100, window: 'hour' }],
    })
    await evaluate(acme, agentId, { amount: 30 })
    app.clock.now = noon() + 3 * HOUR_MS
    await evaluate(acme, agentId, { amount: 50 })
    app.clock.now = noon() + 23 * HOUR_MS
    await setRules(id, { type: 'limit', maxAmount: 100, window: '24h' })
    expect(await left(agentId)).toBe(20)
    app.clock.now = noon() + 25 * HOUR_MS
    expect(await left(agentId)).toBe(50)
  })

  test('that was there before finds no stale count', async () => {
    const limit = { type: 'limit', maxAmount: 100, window: 'day', groupBy: 'vendor' }
    const { id, agentId } = await aMandate({ rules: [limit] })
    await evaluate(acme, agentId, { amount: 30 })
    const held = await aHold(acme, agentId, 40)
    await setRules(id)
    await evaluate(acme, agentId, { amount: 20 })
    await change(acme, held.transactionId, 'void')
    await setRules(id, limit)
    expect(await left(agentId)).toBe(50)
    expect(await left(agentId, { vendor: 'other.com' })).toBe(100)
  })

  test('keeps its count when only its maximum changes', async () => {
    const { id, agentId } = await aMandate()
    await evaluate(acme, agentId, { amount: 30 })
    await setRules(id, { type: 'limit', maxAmount: 100, window: 'day' })
    await evaluate(acme, agentId, { amount: 30 })
    await setRules(id, { type: 'limit', id: 'other', maxAmount: 200, window: 'day' })
    expect(await left(agentId)).toBe(140)
  })

  test('counts by vendor, category and path what was spent there', async () => {
    const { id, agentId } = await aMandate()
    await evaluate(acme, agentId, { amount: 10, vendor: 'a.example.com', category: 'llm' })
    await evaluate(acme, agentId, { amount: 20, vendor: 'b.example.com', category: 'search' })
    await evaluate(acme, agentId, { amount: 40, vendor: 'c.other.com', category: 'llm' })
    const match = { vendor: '*.example.com' }
    await setRules(id, { type: 'limit', maxAmount: 100, window: '1h', match })
    expect(await left(agentId, { vendor: 'z.example.com' })).toBe(70)
    await setRules(id, { type: 'limit', maxAmount: 100, window: '1h', groupBy: 'category' })
    expect(await left(agentId, { category: 'llm' })).toBe(50)
    expect(await left(agentId, { category: 'search' })).toBe(80)
  })

  test('counts what the mandates below have spent, also those that have ended', async () => {
    const parent = await aMandate()
    const child = await aMandate({ parentMandateId: parent.id, budgetTotal: 100 })
    const ended = await aMandate({ parentMandateId: parent.id, budgetTotal: 100 })
    await evaluate(acme, child.agentId, { amount: 10 })
    await evaluate(acme, ended.agentId, { amount: 20 })
    await evaluate(acme, parent.agentId, { amount: 40 })
    bodyOf(await acme.post(`/mandates/${ended.id}/revoke`))
    await setRules(parent.id, { type: 'limit', maxAmount: 200, window: 'day' })
    expect(await left(parent.agentId)).toBe(130)
    await setRules(child.id, { type: 'limit', maxAmount: 50, window: 'day' })
    expect(await left(child.agentId)).toBe(40)
  })

  test('gives back a hold of before when it is voided, expires or is settled for less', async () => {
    const { id, agentId } = await aMandate()
    const held = await aHold(acme, agentId, 10, '1h')
    const settled = await aHold(acme, agentId, 20, '1h')
    await aHold(acme, agentId, 40, '10s')
    await setRules(id, { type: 'limit', maxAmount: 100, maxCount: 3, window: 'day' })
    expect(await left(agentId)).toBeNull()
    await change(acme, held.transactionId, 'void')
    expect(await left(agentId)).toBe(40)
    await change(acme, settled.transactionId, 'settle', 15)
    expect(await left(agentId)).toBe(45)
    app.clock.now = noon() + 11_000
    await whenSwept(app, app.clock.now)
    expect(await left(agentId)).toBe(85)
  })

  test('counts more of a hold of before, and what is captured beyond it', async () => {
    const { id, agentId } = await aMandate()
    const { transactionId } = await aHold(acme, agentId, 10, '1h')
    await setRules(id, { type: 'limit', maxAmount: 100, window: 'day' })
    await inPlace(app, acme, transactionId, (place) => gateway.raise(place, units(5)))
    expect(await left(agentId)).toBe(85)
    const capture = { amount: units(20), isFinal: true }
    await inPlace(app, acme, transactionId, (place) => gateway.capture(place, capture))
    expect(await left(agentId)).toBe(80)
    await setRules(id, { type: 'limit', maxAmount: 100, window: '2h' })
    expect(await left(agentId)).toBe(80)
  })

  test('still counts what was refunded, and a late settlement at its approval', async () => {
    const { id, agentId } = await aMandate()
    const paid = await evaluate(acme, agentId, { amount: 10 })
    await change(acme, paid.transactionId, 'refund', 4)
    const late = await aHold(acme, agentId, 20, '10s')
    app.clock.now = noon() + 11_000
    await whenSwept(app, app.clock.now)
    await setRules(id, { type: 'limit', maxAmount: 100, window: '1h' })
    expect(await left(agentId)).toBe(90)
    await change(acme, late.transactionId, 'settle')
    expect(await left(agentId)).toBe(70)
    app.clock.now = noon() + HOUR_MS + 61_000
    expect(await left(agentId)).toBe(100)
  })

  test('against duplicates has seen what was bought before', async () => {
    const { id, agentId } = await aMandate()
    await evaluate(acme, agentId, { amount: 10, reference: 'r1' })
    await setRules(id, { type: 'duplicate', window: '1h' })
    expect(await codeOf(agentId, { amount: 10, reference: 'r1' })).toBe('duplicate_transaction')
    expect(await codeOf(agentId, { amount: 10, reference: 'r2' })).toBe('approved')
  })

  test('in an expression has counted the hour, the day and the whole', async () => {
    const { id, agentId } = await aMandate({ budgetPeriod: 'daily' })
    await evaluate(acme, agentId, { amount: 10 })
    app.clock.now = noon() + DAY_MS
    await evaluate(acme, agentId, { amount: 20 })
    const expr = "spent.total + amount <= money('40') && count.day < 2"
    await setRules(id, { type: 'expression', expr })
    expect(await codeOf(agentId, { amount: 11 })).toBe('expression_false')
    expect(await codeOf(agentId, { amount: 10 })).toBe('approved')
    expect(await codeOf(agentId, { amount: 0.01 })).toBe('expression_false')
  })
})

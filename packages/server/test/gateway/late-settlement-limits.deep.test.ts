import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { units } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, DAY_MS, HOUR_MS } from '../support/builders.ts'
import { createPathGateway, inPlace } from '../support/path-gateway.ts'
import { aHold, change, evaluate, readTransaction, simulate, whenSwept } from '../support/spends.ts'

describe('a hold that is settled after it has expired', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gateway = createPathGateway(app)
  })
  afterEach(async () => {
    app.clock.now = undefined
    expect(await audit(app.database.db)).toEqual([])
  })
  afterAll(async () => {
    await gateway.stop()
    await app.stop()
  })

  /** Noon tomorrow, so that nothing here crosses midnight by itself. */
  const noon = () => Math.floor(Date.now() / DAY_MS) * DAY_MS + 1.5 * DAY_MS

  /** A hold of 10 under these rules, which expires and is given back. */
  async function anExpiredHold(rules: readonly object[], terms: object = {}) {
    const mandate = await anActiveMandate(acme, { rules, ...terms })
    app.clock.now = noon()
    const held = await aHold(acme, mandate.agentId, 10, '10s')
    await expire()
    return { ...mandate, transactionId: held.transactionId }
  }

  async function expire(): Promise<void> {
    app.clock.now = noon() + 11_000
    await whenSwept(app, app.clock.now)
  }

  const codeOf = async (agentId: string, fields: object) =>
    (await evaluate(acme, agentId, { ...fields })).evaluationDetails.code

  test('counts in the limits: of 15 a day no more than 15 are spent', async () => {
    const { agentId, transactionId } = await anExpiredHold([
      { type: 'limit', maxAmount: 15, window: 'day' },
    ])
    await change(acme, transactionId, 'settle')
    expect((await readTransaction(acme, transactionId)).flags).toEqual(['late_capture'])
    expect(await codeOf(agentId, { amount: 6 })).toBe('limit_amount_exceeded')
    expect(await codeOf(agentId, { amount: 5 })).toBe('approved')
  })

  test('counts with the amount that was charged, once, in the limits above as well', async () => {
    const limit = { type: 'limit', maxAmount: 15, maxCount: 2, window: '1h' }
    const parent = await anActiveMandate(acme, { rules: [limit] })
    const own = { type: 'limit', maxAmount: 14, window: '1h' }
    const child = await anExpiredHold([own], { parentMandateId: parent.id })
    await change(acme, child.transactionId, 'settle', 4)
    const { evaluationDetails } = await simulate(acme, child.agentId, { amount: 90 })
    expect(evaluationDetails.next.maxAmountNow).toBe(10)
    expect(await codeOf(child.agentId, { amount: 1 })).toBe('approved')
    expect(await codeOf(child.agentId, { amount: 1 })).toBe('limit_count_exceeded')
  })

  test('is seen by a rule against duplicates', async () => {
    const { agentId, transactionId } = await anExpiredHold([{ type: 'duplicate', window: '1h' }])
    await change(acme, transactionId, 'settle')
    expect(await codeOf(agentId, { amount: 10 })).toBe('duplicate_transaction')
  })

  test('counts at the instant of its approval, and not of the settlement', async () => {
    const { agentId, transactionId } = await anExpiredHold([
      { type: 'limit', maxAmount: 15, window: '1h' },
    ])
    app.clock.now = noon() + 0.9 * HOUR_MS
    await change(acme, transactionId, 'settle')
    expect(await codeOf(agentId, { amount: 10 })).toBe('limit_amount_exceeded')
    // A bucket of the window is a minute long.
    app.clock.now = noon() + HOUR_MS + 61_000
    expect((await simulate(acme, agentId, { amount: 15 })).evaluationDetails.code).toBe('approved')
  })

  test('does not count in a window that its approval has left', async () => {
    const { agentId, transactionId } = await anExpiredHold([
      { type: 'limit', maxAmount: 15, window: 'day' },
      { type: 'limit', id: 'hours', maxAmount: 15, window: '1h' },
    ])
    app.clock.now = noon() + DAY_MS
    await change(acme, transactionId, 'settle')
    expect(await codeOf(agentId, { amount: 15 })).toBe('approved')
  })

  test('counts when it was raised in between', async () => {
    const mandate = await anActiveMandate(acme, {
      rules: [{ type: 'limit', maxAmount: 30, window: 'day' }],
    })
    app.clock.now = noon()
    const { transactionId } = await aHold(acme, mandate.agentId, 10, '10s')
    await inPlace(app, acme, transactionId, (place) => gateway.raise(place, units(5)))
    await expire()
    await change(acme, transactionId, 'settle')
    const { evaluationDetails } = await simulate(acme, mandate.agentId, { amount: 90 })
    expect(evaluationDetails.next.maxAmountNow).toBe(20)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { units } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, DAY_MS } from '../support/builders.ts'
import { aSubmission, createPathGateway, inPlace } from '../support/path-gateway.ts'
import { budgetOf, simulate } from '../support/spends.ts'

const TODAY = Date.parse('2027-03-10T12:00Z')
const A_DAY = { type: 'limit', maxAmount: 100, window: 'day' }

describe('a hold of an earlier period', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gateway = createPathGateway(app)
  })
  afterAll(async () => {
    await gateway.stop()
    await app.stop()
  })

  /** A hold over 50 of yesterday, with a budget and a limit of 100 a day. */
  async function aHold(rule: object = A_DAY) {
    app.clock.now = TODAY - DAY_MS
    const mandate = await anActiveMandate(acme, { budgetPeriod: 'daily', rules: [rule] })
    const spend = { amount: units(50), holdMs: 30 * DAY_MS }
    const hold = await gateway.decide(aSubmission(acme, mandate.agentId, spend))
    app.clock.now = TODAY
    return { agentId: mandate.agentId, mandateId: mandate.id, id: hold.id }
  }
  const capture = (id: string, amount: number, isFinal = false) =>
    inPlace(app, acme, id, (place) => gateway.capture(place, { amount: units(amount), isFinal }))
  const raise = (id: string, amount: number) =>
    inPlace(app, acme, id, (place) => gateway.raise(place, units(amount)))
  const giveBack = (id: string) => inPlace(app, acme, id, (place) => gateway.void(place, 'path'))
  /** What the limit of 100 a day still lets through today. */
  const leftOfLimit = async (agentId: string) =>
    (await simulate(acme, agentId, { amount: 1_000 })).evaluationDetails.next.maxAmountNow

  test('is booked in this one as far as a capture exceeds it', async () => {
    const { id, mandateId, agentId } = await aHold()
    await capture(id, 65)
    expect(await budgetOf(acme, mandateId)).toEqual([15, 0, 85])
    expect(await leftOfLimit(agentId)).toBe(85)
  })

  test('lets an expression that counts only what exceeds it name when it passes', async () => {
    const expr = "spent.hour + amount <= money('60')"
    const { id, agentId } = await aHold({ type: 'expression', expr })
    await capture(id, 65)
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 50 })
    expect(evaluationDetails.code).toBe('expression_false')
    expect(evaluationDetails.next.retryAfter).toBe('2027-03-10T13:00:00.000Z')
  })

  test('gives what it was raised by back to this one when it is voided', async () => {
    const { id, mandateId, agentId } = await aHold()
    await raise(id, 15)
    expect(await budgetOf(acme, mandateId)).toEqual([15, 15, 85])
    expect(await leftOfLimit(agentId)).toBe(85)
    await giveBack(id)
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    expect(await leftOfLimit(agentId)).toBe(100)
  })

  test('is held no more once it is captured with what it was raised by', async () => {
    const { id, mandateId } = await aHold()
    await raise(id, 15)
    await capture(id, 65, true)
    expect(await budgetOf(acme, mandateId)).toEqual([15, 0, 85])
  })

  test('gives a late capture back to this one when it is refunded', async () => {
    const { id, mandateId } = await aHold()
    await giveBack(id)
    await capture(id, 50)
    expect(await budgetOf(acme, mandateId)).toEqual([50, 0, 50])
    await inPlace(app, acme, id, (place) => gateway.refund(place, units(50)))
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
  })

  test('gives back to each period what was booked there, newest first', async () => {
    const { id, mandateId } = await aHold()
    await capture(id, 60)
    await inPlace(app, acme, id, (place) => gateway.refund(place, units(4)))
    expect(await budgetOf(acme, mandateId)).toEqual([6, 0, 94])
    await inPlace(app, acme, id, (place) => gateway.refund(place, units(30)))
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
  })
  test('counts as a spend of this one when only money that was refunded here is left', async () => {
    const { id, agentId } = await aHold({ ...A_DAY, maxCount: 1 })
    const bringTo = (held: number, captured: number, refunded: number) => {
      const [end, flags] = ['voided', []] as const
      const amounts = { held: units(held), captured: units(captured), refunded: units(refunded) }
      return app.database.db.transaction((tx) =>
        gateway.adjust(
          { tx, organizationId: acme.organizationId },
          new Map([[id, { ...amounts, end, flags }]]),
        ),
      )
    }
    const codeOf = async () => (await simulate(acme, agentId, { amount: 1 })).evaluationDetails.code
    await bringTo(50, 30, 0)
    await bringTo(50, 30, 30)
    expect(await codeOf()).toBe('approved')
    await bringTo(0, 30, 30)
    expect(await codeOf()).toBe('limit_count_exceeded')
    expect(await leftOfLimit(agentId)).toBeNull()
  })
  test('is given back when the counters of its time no longer exist', async () => {
    const { id, mandateId, agentId } = await aHold({ ...A_DAY, window: '1h' })
    // As housekeeping removes a counter whose window is over.
    await app.rows('delete from limit_counters where organization_id = $1', [acme.organizationId])
    await giveBack(id)
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    expect(await leftOfLimit(agentId)).toBe(100)
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { aSubmission, inPlace, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, change, eventsOf, readTransaction, simulate } from '../support/spends.ts'

const A_DAY = { type: 'limit', maxAmount: 100, window: 'day' }

describe('a hold of a path', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway((scene) => {
    ;({ app, acme, gateway } = scene)
  })
  afterEach(() => {
    app.clock.now = undefined
  })

  async function aHold(amount: number, terms: object = {}) {
    const mandate = await anActiveMandate(acme, { rules: [A_DAY], ...terms })
    const spend = { amount: units(amount), holdMs: HOUR_MS }
    const { id } = await gateway.decide(aSubmission(acme, mandate.agentId, spend))
    return { ...mandate, mandateId: mandate.id, transactionId: toPublicId('txn', id) }
  }
  const capture = (transactionId: string, amount: number, isFinal = false) =>
    inPlace(app, acme, transactionId, (place) =>
      gateway.capture(place, { amount: units(amount), isFinal }),
    )
  const raise = (transactionId: string, amount: number) =>
    inPlace(app, acme, transactionId, (place) => gateway.raise(place, units(amount)))
  const read = (transactionId: string) => readTransaction(acme, transactionId)
  /** What the limit of 100 a day still lets through. */
  const leftOfLimit = async (agentId: string) =>
    (await simulate(acme, agentId, { amount: 1_000 })).evaluationDetails.next.maxAmountNow

  describe('that is captured', () => {
    test('in a part stays held, and what was captured is settled', async () => {
      const { transactionId, mandateId } = await aHold(50)
      await capture(transactionId, 20)
      expect(await read(transactionId)).toMatchObject({
        status: 'held',
        heldAmount: 30,
        settledAmount: 20,
        settledAt: null,
        flags: [],
      })
      expect(await budgetOf(acme, mandateId)).toEqual([50, 30, 50])
    })

    test('in several parts is settled with the last of it', async () => {
      const { transactionId, mandateId } = await aHold(50)
      for (const amount of [20, 20, 10]) await capture(transactionId, amount)
      const settled = { status: 'settled', heldAmount: 0, settledAmount: 50, flags: [] }
      expect(await read(transactionId)).toMatchObject(settled)
      expect(await budgetOf(acme, mandateId)).toEqual([50, 0, 50])
    })

    test('for good gives the rest back, to the budget and to the limit', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await capture(transactionId, 20)
      await capture(transactionId, 5, true)
      const settled = { status: 'settled', heldAmount: 0, settledAmount: 25 }
      expect(await read(transactionId)).toMatchObject(settled)
      expect(await budgetOf(acme, mandateId)).toEqual([25, 0, 75])
      expect(await leftOfLimit(agentId)).toBe(75)
    })

    test('in a part is settled when the rest is voided', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await capture(transactionId, 20)
      const voided = await change(acme, transactionId, 'void')
      expect(voided).toMatchObject({ status: 'settled', heldAmount: 0, settledAmount: 20 })
      expect(await budgetOf(acme, mandateId)).toEqual([20, 0, 80])
      expect(await leftOfLimit(agentId)).toBe(80)
    })

    test('in a part is settled when its time is over', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await capture(transactionId, 20)
      app.clock.now = Date.now() + 2 * HOUR_MS
      await gateway.releaseOverdue(acme.organizationId)
      app.clock.now = undefined
      expect(await read(transactionId)).toMatchObject({ status: 'settled', settledAmount: 20 })
      expect(await budgetOf(acme, mandateId)).toEqual([20, 0, 80])
      expect(await leftOfLimit(agentId)).toBe(80)
    })

    test('in a part can be settled by its caller with what is left of it, and no more', async () => {
      const { transactionId, mandateId } = await aHold(50)
      await capture(transactionId, 20)
      const tooMuch = await acme.post(`/transactions/${transactionId}/settle`, { amount: 31 })
      expect(tooMuch.body).toMatchObject({ code: 'amount_above_hold', heldAmount: 30 })
      const settled = await change(acme, transactionId, 'settle', 25)
      expect(settled).toMatchObject({ status: 'settled', settledAmount: 45 })
      expect(await budgetOf(acme, mandateId)).toEqual([45, 0, 55])
    })

    test('beyond what is held is booked, counted and marked', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await capture(transactionId, 60, true)
      expect(await read(transactionId)).toMatchObject({
        status: 'settled',
        heldAmount: 0,
        settledAmount: 60,
        flags: ['over_capture'],
      })
      expect(await budgetOf(acme, mandateId)).toEqual([60, 0, 40])
      expect(await leftOfLimit(agentId)).toBe(40)
    })

    test('beyond its budget is overdrawn, on the whole line, and tells of it', async () => {
      const parent = await anActiveMandate(acme, { budgetTotal: 60 })
      const terms = { budgetTotal: 50, parentMandateId: parent.id, rules: [] }
      const { transactionId, mandateId } = await aHold(50, terms)
      await capture(transactionId, 70)
      expect(await budgetOf(acme, mandateId)).toEqual([70, 0, 0])
      expect(await budgetOf(acme, parent.id)).toEqual([70, 0, 0])
      const rows = await app.rows(
        `select budget_overdrawn / 1000000 as overdrawn from mandates
         where budget_overdrawn > 0 and organization_id = $1 order by budget_overdrawn`,
        [acme.organizationId],
      )
      expect(rows).toEqual([{ overdrawn: 10n }, { overdrawn: 20n }])
      expect(await eventsOf(app, parent.id)).toEqual([
        'mandate.budget.warning',
        'mandate.budget.exhausted',
      ])
    })

    test.each(['void', 'expiry'])(
      'after its %s is booked anew, counted and marked',
      async (end) => {
        const { transactionId, mandateId, agentId } = await aHold(50)
        if (end === 'void') await change(acme, transactionId, 'void')
        else {
          app.clock.now = Date.now() + 2 * HOUR_MS
          await gateway.releaseOverdue(acme.organizationId)
          app.clock.now = undefined
        }
        expect(await leftOfLimit(agentId)).toBe(100)
        await capture(transactionId, 45)
        expect(await read(transactionId)).toMatchObject({
          status: 'settled',
          settledAmount: 45,
          flags: ['late_capture'],
        })
        expect(await budgetOf(acme, mandateId)).toEqual([45, 0, 55])
        expect(await leftOfLimit(agentId)).toBe(55)
      },
    )

    test('once more after it was settled and refunded counts what it came to', async () => {
      const { transactionId, mandateId } = await aHold(50)
      await capture(transactionId, 50)
      await change(acme, transactionId, 'refund', 50)
      await capture(transactionId, 10)
      expect(await read(transactionId)).toMatchObject({
        status: 'partially_refunded',
        settledAmount: 60,
        refundedAmount: 50,
        flags: ['over_capture'],
      })
      expect(await budgetOf(acme, mandateId)).toEqual([10, 0, 90])
    })

    test('is booked although its mandate was revoked', async () => {
      const { transactionId, mandateId } = await aHold(50)
      bodyOf(await acme.post(`/mandates/${mandateId}/revoke`))
      await capture(transactionId, 60)
      expect(await budgetOf(acme, mandateId)).toEqual([60, 0, 40])
    })

    test("in parts teaches the vendor's price only when it is whole", async () => {
      const rules = [{ type: 'price_drift', maxIncreasePercent: 10 }]
      const { transactionId, agentId } = await aHold(50, { rules })
      const priceOf = async () => {
        const text = 'select last_amount as price from agent_vendors where agent_id = $1'
        return (await app.rows<{ price: bigint }>(text, [agentId]))[0]?.price
      }
      await capture(transactionId, 20)
      expect(await priceOf()).toBeUndefined()
      await change(acme, transactionId, 'settle', 25)
      expect(await priceOf()).toBe(units(45))
    })

    test('by nothing is a defect of its path, and so is a raise by nothing', async () => {
      const { transactionId, mandateId } = await aHold(50)
      await expect(capture(transactionId, 0, true)).rejects.toThrow('a capture is above 0')
      await expect(raise(transactionId, 0)).rejects.toThrow('a hold is raised by more than 0')
      expect(await budgetOf(acme, mandateId)).toEqual([50, 50, 50])
    })

    test('is refused only where nothing was approved', async () => {
      const { agentId } = await anActiveMandate(acme)
      const spend = { amount: units(101), holdMs: HOUR_MS }
      const { id } = await gateway.decide(aSubmission(acme, agentId, spend))
      const refusal = await capture(id, 5).catch((error: unknown) => error)
      expect(refusal instanceof Problem && refusal.code).toBe('transaction_state')
    })
  })

  describe('that is raised', () => {
    test('holds more, counts it, and is marked', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await raise(transactionId, 15)
      expect(await read(transactionId)).toMatchObject({
        status: 'held',
        amount: 50,
        heldAmount: 65,
        flags: ['raised'],
      })
      expect(await budgetOf(acme, mandateId)).toEqual([65, 65, 35])
      expect(await leftOfLimit(agentId)).toBe(35)
    })

    test('beyond its budget is overdrawn', async () => {
      const { transactionId, mandateId } = await aHold(50, { budgetTotal: 60 })
      await raise(transactionId, 15)
      expect(await budgetOf(acme, mandateId)).toEqual([65, 65, 0])
    })

    test('gives all of it back when it is voided', async () => {
      const { transactionId, mandateId, agentId } = await aHold(50)
      await raise(transactionId, 15)
      await change(acme, transactionId, 'void')
      expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
      expect(await leftOfLimit(agentId)).toBe(100)
    })

    test('can be captured up to the raised amount', async () => {
      const { transactionId, mandateId } = await aHold(50)
      await raise(transactionId, 15)
      await capture(transactionId, 65)
      const settled = { status: 'settled', settledAmount: 65, flags: ['raised'] }
      expect(await read(transactionId)).toMatchObject(settled)
      expect(await budgetOf(acme, mandateId)).toEqual([65, 0, 35])
    })

    test('is refused once it is over', async () => {
      const { transactionId } = await aHold(50)
      await change(acme, transactionId, 'void')
      const refusal = await raise(transactionId, 5).catch((error: unknown) => error)
      expect(refusal instanceof Problem && refusal.code).toBe('transaction_state')
    })
  })
})

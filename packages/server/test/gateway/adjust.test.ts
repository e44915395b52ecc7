import { AssertionError } from 'node:assert'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Target } from '../../src/core/decision/target.ts'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { newId } from '../../src/storage/new-id.ts'
import { someCard, units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, eventsOf, readTransaction, simulate } from '../support/spends.ts'

const RULES = [
  { type: 'limit', id: 'money', maxAmount: 100, window: 'period' },
  { type: 'limit', id: 'number', maxCount: 9, window: 'period' },
]
const NONE: Target = { held: 0n, captured: 0n, refunded: 0n, end: 'voided', flags: [] }

/** A target in units. */
const to = (held: number, captured = 0, refunded = 0, more: Partial<Target> = {}): Target => ({
  ...NONE,
  held: units(held),
  captured: units(captured),
  refunded: units(refunded),
  ...more,
})

describe('a transaction that is brought to what it comes to', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway(async (scene) => {
    ;({ app, acme, gateway } = scene)
    bodyOf(
      await acme.patch('/organization', {
        webhookEvents: ['transaction.settled', 'transaction.voided', 'transaction.refunded'],
      }),
    )
  })
  afterEach(() => {
    app.clock.now = undefined
  })

  const card = { path: 'card', card: someCard(), holdMs: Number.POSITIVE_INFINITY } as const

  async function aHold(amount = 50, terms: object = {}) {
    const mandate = await anActiveMandate(acme, { rules: RULES, ...terms })
    const spend = { ...card, amount: units(amount) }
    const { id } = await gateway.decide(aSubmission(acme, mandate.agentId, spend))
    return { id, mandateId: mandate.id, agentId: mandate.agentId }
  }
  const adjust = (...targets: readonly (readonly [string, Target])[]) =>
    app.database.db.transaction((tx) =>
      gateway.adjust({ tx, organizationId: acme.organizationId }, new Map(targets)),
    )
  const read = (id: string) => readTransaction(acme, toPublicId('txn', id))
  /** What the limits have counted: the sum, and the number of spends. */
  async function counted(agentId: string) {
    const { rules } = (await simulate(acme, agentId, { amount: 1 })).evaluationDetails
    const observed = (rule: string) => Number(rules.find(({ id }) => id === rule)?.observed) - 1
    return [observed('money'), observed('number')]
  }
  const outcomesOf = async (id: string) => {
    const text = `select kind from webhook_events
                  where transaction_id = $1 and outcome is not null and not is_untold
                  order by id`
    return (await app.rows<{ kind: string }>(text, [id])).map(({ kind }) => kind)
  }

  test('is held, captured and refunded as it says, in budget and limits', async () => {
    const { id, mandateId, agentId } = await aHold()
    await adjust([id, to(30, 20)])
    expect(await read(id)).toMatchObject({ status: 'held', heldAmount: 30, settledAmount: 20 })
    expect(await budgetOf(acme, mandateId)).toEqual([50, 30, 50])
    await adjust([id, to(0, 45, 5)])
    expect(await read(id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 5 })
    expect(await budgetOf(acme, mandateId)).toEqual([40, 0, 60])
    expect(await counted(agentId)).toEqual([45, 1])
    await adjust([id, to(0, 45, 0)])
    expect(await budgetOf(acme, mandateId)).toEqual([45, 0, 55])
    expect(await counted(agentId)).toEqual([45, 1])
  })

  test('gives a part of its hold back', async () => {
    const { id, mandateId, agentId } = await aHold()
    await adjust([id, to(20)])
    expect(await read(id)).toMatchObject({ status: 'held', amount: 50, heldAmount: 20 })
    expect(await budgetOf(acme, mandateId)).toEqual([20, 20, 80])
    expect(await counted(agentId)).toEqual([20, 1])
  })

  test('is given back and held again, and counts as one spend each time', async () => {
    const { id, mandateId, agentId } = await aHold()
    await adjust([id, NONE])
    expect(await counted(agentId)).toEqual([0, 0])
    await adjust([id, to(30)])
    expect(await counted(agentId)).toEqual([30, 1])
    await adjust([id, to(0, 30)])
    await adjust([id, NONE])
    expect(await counted(agentId)).toEqual([0, 0])
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    expect((await read(id)).status).toBe('voided')
  })

  test('overdraws every budget of the line that cannot pay for it, and tells of it once', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 60 })
    const { id, mandateId } = await aHold(50, { budgetTotal: 50, parentMandateId: parent.id })
    await adjust([id, to(0, 70, 0, { flags: ['over_capture'] })])
    expect(await budgetOf(acme, mandateId)).toEqual([70, 0, 0])
    expect(await budgetOf(acme, parent.id)).toEqual([70, 0, 0])
    expect((await read(id)).flags).toEqual(['over_capture'])
    const crossed = ['mandate.budget.warning', 'mandate.budget.exhausted']
    expect(await eventsOf(app, parent.id)).toEqual(crossed)
    await adjust([id, to(0, 40)])
    expect(await budgetOf(acme, parent.id)).toEqual([40, 0, 20])
    expect(await overdrawnOf(parent.id)).toBe(0n)
    expect((await read(id)).flags).toEqual([])
  })

  async function overdrawnOf(mandateId: string): Promise<bigint | undefined> {
    const text = 'select budget_overdrawn as overdrawn from mandates where id = $1'
    const [row] = await app.rows<{ overdrawn: bigint }>(text, [toUuid('mnd', mandateId)])
    return row?.overdrawn
  }

  test('tells what became of it, and nothing when nothing does', async () => {
    const { id } = await aHold()
    await adjust([id, to(20, 30)])
    await adjust([id, to(0, 30)])
    await adjust([id, to(0, 30, 10)])
    await adjust([id, NONE])
    const told = ['transaction.settled', 'transaction.refunded', 'transaction.voided']
    expect(await outcomesOf(id)).toEqual(told)
    expect(await adjust([id, NONE])).toEqual([])
    expect(await outcomesOf(id)).toEqual(told)
  })

  test('is booked although its mandate was revoked', async () => {
    const { id, mandateId } = await aHold()
    bodyOf(await acme.post(`/mandates/${mandateId}/revoke`))
    await adjust([id, to(0, 60)])
    expect(await budgetOf(acme, mandateId)).toEqual([60, 0, 40])
  })

  test('is booked when it arrives, as far as it exceeds a hold of an earlier period', async () => {
    const today = Date.parse('2027-03-10T12:00Z')
    app.clock.now = today - DAY_MS
    const { id, mandateId, agentId } = await aHold(50, { budgetPeriod: 'daily' })
    app.clock.now = today
    await adjust([id, to(0, 65)])
    expect(await budgetOf(acme, mandateId)).toEqual([15, 0, 85])
    expect(await counted(agentId)).toEqual([15, 0])
    await adjust([id, to(0, 40)])
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    await adjust([id, NONE])
    await adjust([id, to(0, 50)])
    expect(await budgetOf(acme, mandateId)).toEqual([50, 0, 50])
    expect(await counted(agentId)).toEqual([50, 1])
  })

  describe('under a rule about prices', () => {
    const rules = [{ type: 'price_drift', maxIncreasePercent: 10 }]
    /** The vendor's price, and since when the agent knows the vendor. */
    async function learned(agentId: string) {
      const text =
        'select last_amount as price, first_at as since from agent_vendors where agent_id = $1'
      return (await app.rows<{ price: bigint; since: number }>(text, [agentId]))[0]
    }
    const priceOf = async (agentId: string) => (await learned(agentId))?.price

    /** A hold and an increment of it, a second later. */
    async function twoHolds() {
      const began = Date.now()
      app.clock.now = began
      const { id, agentId, mandateId } = await aHold(40, { rules })
      app.clock.now = began + 1_000
      const spend = { ...card, amount: units(10) }
      const { id: more } = await gateway.decide(aSubmission(acme, agentId, spend))
      return { id, more, agentId, mandateId, began }
    }

    test('changes together with the others of its purchase, which teach one price', async () => {
      const { id, more, agentId, mandateId } = await twoHolds()
      await adjust([id, to(0, 40)], [more, to(10)])
      expect(await priceOf(agentId)).toBeUndefined()
      await adjust([id, to(0, 40)], [more, to(0, 8)])
      expect(await priceOf(agentId)).toBe(units(48))
      expect(await budgetOf(acme, mandateId)).toEqual([48, 0, 52])
    })

    test('makes its vendor known since its first part, whichever part ends last', async () => {
      for (const last of ['id', 'more'] as const) {
        const { began, agentId, ...ids } = await twoHolds()
        const targets = [ids.id, ids.more].map((id) => [id, to(0, 5)] as const)
        await adjust(...targets.map(([id, end]) => [id, id === ids[last] ? to(5) : end] as const))
        await adjust(...targets)
        expect(await learned(agentId)).toEqual({ price: units(10), since: began })
      }
    })

    test('teaches nothing about its vendor when all of it is given back', async () => {
      const { id, agentId, mandateId } = await aHold(40, { rules })
      await adjust([id, NONE])
      expect(await learned(agentId)).toBeUndefined()
      expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    })

    test('teaches its price when its rest is given back, and again when it is corrected', async () => {
      const { id, agentId } = await aHold(40, { rules })
      await adjust([id, to(20, 20)])
      expect(await priceOf(agentId)).toBeUndefined()
      await adjust([id, to(0, 20)])
      expect(await priceOf(agentId)).toBe(units(20))
      await adjust([id, to(0, 25)])
      expect(await priceOf(agentId)).toBe(units(25))
    })
  })

  test('learns what recorded money comes to, also where limits go by the amount', async () => {
    const same = { type: 'duplicate', id: 'same', window: '1h', match: ['vendor', 'amount'] }
    const { id: mandateId, agentId } = await anActiveMandate(acme, { rules: [...RULES, same] })
    const spend = { ...card, amount: units(20) }
    const { id } = await gateway.record(aSubmission(acme, agentId, spend))
    const flags = ['ungoverned'] as const
    await adjust([id, to(0, 35, 0, { amount: units(35), flags })])
    const recorded = { amount: 35, status: 'settled', settledAmount: 35, flags: ['ungoverned'] }
    expect(await read(id)).toMatchObject(recorded)
    expect(await budgetOf(acme, mandateId)).toEqual([35, 0, 65])
    expect(await counted(agentId)).toEqual([35, 1])
    const codeOf = async (amount: number) =>
      (await simulate(acme, agentId, { amount })).evaluationDetails.code
    expect([await codeOf(20), await codeOf(35)]).toEqual(['approved', 'duplicate_transaction'])
  })

  test('takes out of a limit that was added later what it counted there', async () => {
    const { id, mandateId, agentId } = await aHold(50, { rules: [] })
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules: RULES }))
    await adjust([id, to(0, 60)])
    expect(await counted(agentId)).toEqual([60, 1])
    await adjust([id, to(0, 20)])
    expect(await counted(agentId)).toEqual([20, 1])
    await adjust([id, NONE])
    expect(await counted(agentId)).toEqual([0, 0])
  })

  test('is not refunded by its organization where it was paid by card: the issuer tells that', async () => {
    const { id, mandateId } = await aHold()
    await adjust([id, to(0, 60)])
    const refused = await acme.post(`/transactions/${toPublicId('txn', id)}/refund`, { amount: 25 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'transaction_state' } })
    expect(await budgetOf(acme, mandateId)).toEqual([60, 0, 40])
  })

  test('is not brought to what no money can come to', async () => {
    const { id, agentId } = await aHold()
    const tooMuch = aSubmission(acme, agentId, { ...card, amount: units(101) })
    const { id: rejected } = await gateway.decide(tooMuch)
    for (const [which, target] of [
      [id, to(0, 5, 6)],
      [id, { ...NONE, held: -1n }],
      [id, to(5, 0, 0, { amount: units(5) })],
      [rejected, to(0, 5)],
      [newId(Date.now()), to(0, 5)],
    ] as const) {
      await expect(adjust([which, target])).rejects.toThrow(AssertionError)
    }
    expect(await adjust([rejected, NONE])).toEqual([])
  })

  test('ends in the same state whatever came before', async () => {
    const amount = fc.integer({ min: 0, max: 70 })
    const aTarget = fc
      .tuple(amount, amount, amount)
      .map(([held, captured, refunded]) => to(held, captured, Math.min(refunded, captured)))
    const ways = fc.tuple(fc.array(aTarget, { maxLength: 4 }), aTarget)
    const property = fc.asyncProperty(ways, async ([way, last]) => {
      const { id, mandateId, agentId } = await aHold()
      for (const target of [...way, last]) await adjust([id, target])
      const [held, captured, refunded] = [last.held, last.captured, last.refunded]
      const spent = Number(held + captured - refunded) / 1e6
      const shown = [spent, Number(held) / 1e6, Math.max(0, 100 - spent)]
      expect(await budgetOf(acme, mandateId)).toEqual(shown)
      const gross = held + captured
      const rows = await app.rows<{ key: string; buckets: bigint[] }>(
        'select key, buckets from limit_counters where key like $1',
        [`${toUuid('mnd', mandateId)}%`],
      )
      for (const { buckets } of rows) {
        const [, , count = 0n, sum = 0n] = buckets
        expect([count, sum]).toEqual([gross > 0n ? 1n : 0n, gross])
      }
      expect(rows.length, agentId).toBeGreaterThan(0)
    })
    await fc.assert(property, { numRuns: 10 })
  })
})

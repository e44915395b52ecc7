import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/core/decision/target.ts'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { someCard, units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, readTransaction, simulate } from '../support/spends.ts'

const RULES = [
  { type: 'limit', id: 'money', maxAmount: 100, window: 'period' },
  { type: 'limit', id: 'number', maxCount: 2, window: 'period' },
]
const NONE: Target = { held: 0n, captured: 0n, refunded: 0n, end: 'voided', flags: [] }

describe('an increment that is stored', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway((scene) => {
    ;({ app, acme, gateway } = scene)
  })

  const hold = { path: 'card', holdMs: Number.POSITIVE_INFINITY } as const
  const decide = (agentId: string, amount: number, total: number | null) => {
    const card = someCard({ total: total === null ? null : units(total) })
    return gateway.decide(aSubmission(acme, agentId, { ...hold, card, amount: units(amount) }))
  }
  const adjust = (...targets: readonly (readonly [string, Target])[]) =>
    app.database.db.transaction((tx) =>
      gateway.adjust({ tx, organizationId: acme.organizationId }, new Map(targets)),
    )
  /** What the limits have counted: the sum, and the number of spends. */
  async function counted(agentId: string) {
    const { rules } = (await simulate(acme, agentId, { amount: 1 })).evaluationDetails
    const observed = (rule: string) => Number(rules.find(({ id }) => id === rule)?.observed) - 1
    return [observed('money'), observed('number')]
  }

  test('is a transaction of its own that is no spend of its own', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme, { rules: RULES })
    await decide(agentId, 30, null)
    const { id } = await decide(agentId, 20, 50)
    const stored = { amount: 20, status: 'held', heldAmount: 20, decision: 'approved' }
    expect(await readTransaction(acme, toPublicId('txn', id))).toMatchObject(stored)
    expect(await budgetOf(acme, mandateId)).toEqual([50, 50, 50])
    expect(await counted(agentId)).toEqual([50, 1])
  })

  test('takes no count with it when it is given back, and adds none when it comes again', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme, { rules: RULES })
    await decide(agentId, 30, null)
    const { id } = await decide(agentId, 20, 50)
    await adjust([id, NONE])
    expect(await counted(agentId)).toEqual([30, 1])
    await adjust([id, { ...NONE, captured: units(25) }])
    expect(await counted(agentId)).toEqual([55, 1])
    expect(await budgetOf(acme, mandateId)).toEqual([55, 30, 45])
  })

  test('is not counted as a spend by a limit that is added later', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    await decide(agentId, 30, null)
    await decide(agentId, 20, 50)
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules: RULES }))
    expect(await counted(agentId)).toEqual([50, 1])
  })

  test('is no price of its own for a rule that is added later', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const { id } = await decide(agentId, 30, null)
    const { id: more } = await decide(agentId, 20, 50)
    await adjust([id, { ...NONE, captured: units(30) }], [more, { ...NONE, captured: units(20) }])
    const rules = [{ type: 'price_drift', maxIncreasePercent: 0 }]
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules }))
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 30 })
    expect(evaluationDetails.rules[0]).toMatchObject({ limit: 30, outcome: 'pass' })
  })

  test('is not named by the event of a budget that only the first hold has used up', async () => {
    for (const captured of [20, 15]) {
      const { id: mandateId, agentId } = await anActiveMandate(acme)
      const { id } = await decide(agentId, 30, null)
      const { id: more } = await decide(agentId, 20, 50)
      await adjust(
        [id, { ...NONE, captured: units(90) }],
        [more, { ...NONE, captured: units(captured) }],
      )
      const text = 'select distinct transaction_id as id from webhook_events where mandate_id = $1'
      expect(await app.rows(text, [toUuid('mnd', mandateId)])).toEqual([{ id }])
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../../support/builders.ts'
import { aHold, evaluate, eventsOf } from '../../support/spends.ts'

const WARNING = 'mandate.budget.warning'
const EXHAUSTED = 'mandate.budget.exhausted'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const setBudget = (id: string, budgetTotal: number) =>
  acme.patch(`/mandates/${id}/budget`, { budgetTotal })

describe('a budget that is lowered', () => {
  test.each([
    ['to a little above what raises an event', 12.500001, []],
    ['to where 80 % are spent', 12.5, [WARNING]],
    ['to a little above what is spent', 10.000001, [WARNING]],
    ['to what is spent', 10, [WARNING, EXHAUSTED]],
  ])('%s tells of exactly that', async (_, budgetTotal, events) => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await aHold(acme, agentId, 4)
    await evaluate(acme, agentId, { amount: 6 })
    bodyOf(await setBudget(id, budgetTotal))
    expect(await eventsOf(app, id)).toEqual(events)
  })

  test('tells of each line once, and again after a larger budget', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await evaluate(acme, agentId, { amount: 10 })
    for (const budgetTotal of [12, 11, 10]) bodyOf(await setBudget(id, budgetTotal))
    expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED])
    bodyOf(await setBudget(id, 50))
    bodyOf(await setBudget(id, 12))
    expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED, WARNING])
  })

  test('tells nothing that a spend has already told', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 12 })
    await evaluate(acme, agentId, { amount: 10 })
    bodyOf(await setBudget(id, 11))
    expect(await eventsOf(app, id)).toEqual([WARNING])
  })

  test('tells nothing of a period that is over', async () => {
    const fields = { budgetTotal: 100, budgetPeriod: 'daily' }
    const { agentId, id } = await anActiveMandate(acme, fields)
    await evaluate(acme, agentId, { amount: 10 })
    app.clock.now = Date.now() + DAY_MS
    bodyOf(await setBudget(id, 10))
    app.clock.now = undefined
    expect(await eventsOf(app, id)).toEqual([])
  })

  test('tells of it once for a repeated request, with the figures and in the feed', async () => {
    const other = await app.organization()
    const { agentId, id } = await anActiveMandate(other, { budgetTotal: 100 })
    await evaluate(other, agentId, { amount: 10 })
    const lower = () =>
      other.patch(`/mandates/${id}/budget`, { budgetTotal: 12 }, { 'idempotency-key': 'lower' })
    const first = await lower()
    expect((await lower()).text).toBe(first.text)
    const rows = await app.rows(
      `select kind, transaction_id, agent_id, budget_total, budget_spent, occurred_at
       from webhook_events where mandate_id = $1`,
      [toUuid('mnd', id)],
    )
    expect(rows).toEqual([
      {
        kind: WARNING,
        transaction_id: null,
        agent_id: agentId,
        budget_total: 12_000_000n,
        budget_spent: 10_000_000n,
        occurred_at: Date.parse(bodyOf(first).updatedAt),
      },
    ])
    const { data } = bodyOf(await other.get('/events'))
    expect(data.map(({ event }) => event)).toEqual(['transaction.approved', WARNING])
  })

  test('tells nothing when it is refused', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await evaluate(acme, agentId, { amount: 10 })
    expect((await setBudget(id, 9)).body.code).toBe('budget_below_spent')
    expect(await eventsOf(app, id)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, anAgent, bodyOf, DAY_MS } from '../../support/builders.ts'
import { aHold, change, evaluate, eventsOf } from '../../support/spends.ts'

const WARNING = 'mandate.budget.warning'
const EXHAUSTED = 'mandate.budget.exhausted'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('the event of a transaction', () => {
  test('is stored exactly once with each decision, approved or rejected', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 25 })
    const { id: idle } = await anAgent(acme)
    const answers = [
      await evaluate(acme, agentId, { amount: 5 }),
      await evaluate(acme, agentId, { amount: 21 }),
      await evaluate(acme, idle),
      ...(await Promise.all([4, 5, 6, 7, 8].map((amount) => evaluate(acme, agentId, { amount })))),
    ]
    expect(new Set(answers.map(({ decision }) => decision)).size).toBe(2)
    for (const { transactionId, decision, ...answer } of answers) {
      const id = toUuid('txn', transactionId)
      const events = await app.rows(
        `select id, kind, agent_id, organization_id, occurred_at from webhook_events
         where transaction_id = $1 and kind like 'transaction.%'`,
        [id],
      )
      expect(events).toEqual([
        {
          id,
          kind: `transaction.${decision}`,
          agent_id: answer.agentId,
          organization_id: acme.organizationId,
          occurred_at: Date.parse(answer.evaluationDetails.evaluatedAt),
        },
      ])
    }
  })

  test('is not told again for a repeated request or for what becomes of the spend', async () => {
    const { agentId } = await anActiveMandate(acme)
    const key = { 'idempotency-key': 'one event' }
    const fields = { hold: { expiresIn: '1h' } }
    const { transactionId } = await evaluate(acme, agentId, fields, key)
    await evaluate(acme, agentId, fields, key)
    await change(acme, transactionId, 'settle', 5)
    await change(acme, transactionId, 'refund', 5)
    const rows = await app.rows(
      'select kind, is_untold from webhook_events where transaction_id = $1 order by number',
      [toUuid('txn', transactionId)],
    )
    expect(rows).toEqual([
      { kind: 'transaction.approved', is_untold: false },
      { kind: 'transaction.settled', is_untold: true },
      { kind: 'transaction.refunded', is_untold: true },
    ])
  })
})

describe('the events of a budget', () => {
  test('come once per upward crossing, the warning at 80 % and the other at 100 %', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    await evaluate(acme, agentId, { amount: 7.999999 })
    expect(await eventsOf(app, id)).toEqual([])
    await evaluate(acme, agentId, { amount: 0.000001 })
    expect(await eventsOf(app, id)).toEqual([WARNING])
    await evaluate(acme, agentId, { amount: 1.999999 })
    expect(await eventsOf(app, id)).toEqual([WARNING])
    await evaluate(acme, agentId, { amount: 0.000001 })
    expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED])
    await evaluate(acme, agentId, { amount: 0.000001 })
    expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED])
  })

  test('come both when one spend crosses both, the warning first, with the figures', async () => {
    const mandates = await Promise.all(
      Array.from({ length: 12 }, () => anActiveMandate(acme, { budgetTotal: 10 })),
    )
    for (const { agentId, id } of mandates) {
      const { transactionId } = await evaluate(acme, agentId, { amount: 10 })
      const figures = {
        transaction_id: toUuid('txn', transactionId),
        agent_id: agentId,
        budget_total: 10_000_000n,
        budget_spent: 10_000_000n,
      }
      const rows = await app.rows(
        `select kind, transaction_id, agent_id, budget_total, budget_spent from webhook_events
         where mandate_id = $1 order by number`,
        [toUuid('mnd', id)],
      )
      expect(rows).toEqual([
        { kind: WARNING, ...figures },
        { kind: EXHAUSTED, ...figures },
      ])
    }
  })

  test('come once when a hundred spends cross together', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await Promise.all(Array.from({ length: 110 }, () => evaluate(acme, agentId, { amount: 1 })))
    expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED])
  })

  test('come for the parent as well, each mandate by its own budget', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 20 })
    const child = await anActiveMandate(acme, { budgetTotal: 10, parentMandateId: parent.id })
    await evaluate(acme, child.agentId, { amount: 8 })
    expect([await eventsOf(app, child.id), await eventsOf(app, parent.id)]).toEqual([[WARNING], []])
    await evaluate(acme, parent.agentId, { amount: 8 })
    expect(await eventsOf(app, parent.id)).toEqual([WARNING])
  })

  test.each(['void', 'refund'] as const)(
    'are armed again by a %s below the line',
    async (action) => {
      const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
      await evaluate(acme, agentId, { amount: 7 })
      const last =
        action === 'void'
          ? await aHold(acme, agentId, 3)
          : await evaluate(acme, agentId, { amount: 3 })
      await change(acme, last.transactionId, action)
      expect(await eventsOf(app, id)).toHaveLength(2)
      await evaluate(acme, agentId, { amount: 1 })
      expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED, WARNING])
      await evaluate(acme, agentId, { amount: 2 })
      expect(await eventsOf(app, id)).toEqual([WARNING, EXHAUSTED, WARNING, EXHAUSTED])
    },
  )

  test('are armed again by a larger budget', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    await evaluate(acme, agentId, { amount: 8 })
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 20 }))
    await evaluate(acme, agentId, { amount: 7 })
    expect(await eventsOf(app, id)).toEqual([WARNING])
    await evaluate(acme, agentId, { amount: 1 })
    expect(await eventsOf(app, id)).toEqual([WARNING, WARNING])
  })

  test('are armed again by a new period', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10, budgetPeriod: 'daily' })
    const noon = Date.UTC(2034, 0, 10, 12)
    for (const day of [0, 1]) {
      app.clock.now = noon + day * DAY_MS
      await evaluate(acme, agentId, { amount: 8 })
    }
    app.clock.now = undefined
    expect(await eventsOf(app, id)).toEqual([WARNING, WARNING])
  })

  test('do not come for a spend that is rejected or only simulated', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    await evaluate(acme, agentId, { amount: 10.5 })
    bodyOf(
      await acme.post('/gateway/simulate', {
        agentId,
        amount: 10,
        vendor: 'api.openai.com',
        category: 'llm',
      }),
    )
    expect(await eventsOf(app, id)).toEqual([])
  })
})

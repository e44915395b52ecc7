import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, anActiveMandate, bodyOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { countLockWaits, holdLocks } from '../support/row-lock.ts'
import { aHold, change, simulate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const RULES = { rules: [{ type: 'price_drift', maxIncreasePercent: 10 }] }

/* A settlement has read which rules govern the agent, and is not committed yet. */
describeOnPostgres('a rule about prices that comes while an earlier mandate settles', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  /** An agent with a hold of a mandate that is over, and its next one. */
  async function anAgentBetween(next: typeof aDraft) {
    const last = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const { agentId } = last
    const { transactionId } = await aHold(acme, agentId, 1)
    bodyOf(await acme.post(`/mandates/${last.id}/revoke`))
    return { agentId, transactionId, next: await next(acme, { agentId, budgetTotal: 1_000 }) }
  }

  const waits = (count: number) =>
    waitUntil(async () => (await countLockWaits(app.database.db)) >= count)

  /** Settles and changes the rules, each as far as it comes while nobody can commit. */
  async function atOnce(transactionId: string, bring: () => Promise<unknown>): Promise<void> {
    const values = [acme.organizationId]
    const text = 'select 1 from event_feeds where organization_id = $1 for update'
    const feed = await holdLocks(app.database.db, { text, values })
    const settled = change(acme, transactionId, 'settle')
    await waits(1)
    const brought = bring()
    await waits(2)
    await feed.release()
    await Promise.all([settled, brought])
  }

  const codeOf = async (agentId: string, amount: number) =>
    (await simulate(acme, agentId, { amount })).evaluationDetails.code

  test('with an activation knows the price', async () => {
    const { agentId, transactionId, next } = await anAgentBetween((client, fields) =>
      aDraft(client, { ...fields, ...RULES }),
    )
    await atOnce(transactionId, async () =>
      bodyOf(await acme.post(`/mandates/${next.id}/activate`)),
    )
    expect(await codeOf(agentId, 500)).toBe('price_drift')
    expect(await codeOf(agentId, 1.1)).toBe('approved')
  })

  test('with new rules knows the price', async () => {
    const { agentId, transactionId, next } = await anAgentBetween(anActiveMandate)
    await atOnce(transactionId, async () => bodyOf(await acme.patch(`/mandates/${next.id}`, RULES)))
    expect(await codeOf(agentId, 500)).toBe('price_drift')
  })

  test('with new rules of a parent knows the price', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const { agentId, transactionId } = await anAgentBetween((client, fields) =>
      anActiveMandate(client, { ...fields, parentMandateId: parent.id }),
    )
    await atOnce(transactionId, async () =>
      bodyOf(await acme.patch(`/mandates/${parent.id}`, RULES)),
    )
    expect(await codeOf(agentId, 500)).toBe('price_drift')
  })

  test('is the only one that waits for it', async () => {
    const last = await anActiveMandate(acme, { budgetTotal: 1_000 })
    bodyOf(await acme.post(`/mandates/${last.id}/revoke`))
    const next = await aDraft(acme, { agentId: last.agentId, budgetTotal: 1_000 })
    const rules = [{ type: 'amount', max: 5 }]
    const values = [acme.organizationId, toUuid('mnd', last.id)]
    const text = 'select 1 from mandates where organization_id = $1 and id = $2 for update'
    const settling = await holdLocks(app.database.db, { text, values })
    try {
      bodyOf(await acme.post(`/mandates/${next.id}/activate`))
      bodyOf(await acme.patch(`/mandates/${next.id}`, { rules }))
    } finally {
      await settling.release()
    }
    expect(await codeOf(last.agentId, 500)).toBe('amount_above_max')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { usageMonth } from '../../../src/core/plan.ts'
import { changePlan } from '../../../src/operator/change-plan.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS, setPlan } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { evaluate } from '../../support/spends.ts'

const USAGE = ['usage.warning', 'usage.exhausted']
const CHOSEN = ['transaction.approved', ...USAGE]

async function setUsed(app: TestApp, { organizationId }: Owner, used: number): Promise<void> {
  const { month } = usageMonth(app.time.estimate())
  await app.rows(
    `insert into plan_usage (organization_id, month, evaluations) values ($1, $2, $3)
     on conflict (organization_id, month) do update set evaluations = excluded.evaluations`,
    [organizationId, month, used],
  )
}

/** On the free plan, which allows 1,000 evaluations a month, with this many of them used. */
async function aFreeOrganization(app: TestApp, used: number, webhookEvents: object = CHOSEN) {
  const owner = await app.organization('Free')
  const { agentId } = await anActiveMandate(owner, { budgetTotal: 1_000_000 })
  bodyOf(await owner.patch('/organization', { webhookEvents }))
  await setPlan(app, owner, 'free')
  await setUsed(app, owner, used)
  return { owner, agentId }
}

async function usageEventsOf(owner: Owner) {
  const { data } = bodyOf(await owner.get('/events?limit=200'))
  return data.filter(({ event }) => USAGE.includes(event))
}

const kindsOf = async (owner: Owner) => (await usageEventsOf(owner)).map(({ event }) => event)

describe('the events of a plan that is used up', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  test('come at 80 per cent and at the last evaluation, once each', async () => {
    const { owner, agentId } = await aFreeOrganization(app, 798)
    await evaluate(owner, agentId)
    expect(await kindsOf(owner)).toEqual([])
    await evaluate(owner, agentId)
    await evaluate(owner, agentId)
    expect(await usageEventsOf(owner)).toMatchObject([
      {
        event: 'usage.warning',
        data: { plan: 'free', limit: 1_000, used: 800, percentUsed: 80, resetsAt: resetsAt() },
      },
    ])
    await setUsed(app, owner, 998)
    await evaluate(owner, agentId)
    expect(await kindsOf(owner)).toEqual(['usage.warning'])
    await evaluate(owner, agentId)
    const [, exhausted] = await usageEventsOf(owner)
    expect(exhausted).toMatchObject({ data: { used: 1_000, percentUsed: 100 } })
    const spend = { agentId, amount: 1, vendor: 'a.example', category: 'x' }
    expect((await owner.post('/gateway/evaluate', spend)).status).toBe(429)
    expect(await kindsOf(owner)).toEqual(USAGE)
  })

  const resetsAt = () => new Date(usageMonth(app.time.estimate()).resetsAt).toISOString()

  test('come again in the next month', async () => {
    const { owner, agentId } = await aFreeOrganization(app, 799)
    await evaluate(owner, agentId)
    app.clock.now = Date.now() + 40 * DAY_MS
    try {
      await setUsed(app, owner, 799)
      await evaluate(owner, agentId)
    } finally {
      app.clock.now = undefined
    }
    expect(await kindsOf(owner)).toEqual(['usage.warning', 'usage.warning'])
  })

  test('are raised only where they are chosen', async () => {
    const { owner, agentId } = await aFreeOrganization(app, 799, ['transaction.approved'])
    await evaluate(owner, agentId)
    expect(await kindsOf(owner)).toEqual([])
    const later = await aFreeOrganization(app, 999, ['usage.exhausted'])
    await evaluate(later.owner, later.agentId)
    expect(await kindsOf(later.owner)).toEqual(['usage.exhausted'])
  })

  test('come when a smaller plan brings the usage over the line, and not when a larger one does not', async () => {
    const { owner } = await aFreeOrganization(app, 850)
    const { db } = app.database
    const id = toPublicId('org', owner.organizationId)
    await changePlan({ db }, id, 'pro')
    expect(await kindsOf(owner)).toEqual([])
    await changePlan({ db }, id, 'free')
    await changePlan({ db }, id, 'free')
    expect(await kindsOf(owner)).toEqual(['usage.warning'])
  })
})

describeOnPostgres('with several gateways, the events of a plan', () => {
  let app: TestApp
  let other: TestApp
  beforeAll(async () => {
    app = await createTestApp('postgres')
    other = await joinTestApp(app)
  })
  afterAll(async () => {
    await other?.stop()
    await app?.stop()
  })

  test('come exactly once, whoever makes the evaluation that crosses the line', async () => {
    const { owner, agentId } = await aFreeOrganization(app, 780)
    const agents = [agentId, (await anActiveMandate(owner)).agentId]
    const clients = [owner, other.client(owner.apiKey)]
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        evaluate(clients[n % 2] ?? owner, agents[(n >> 1) % 2] ?? agentId, { amount: 0.01 }),
      ),
    )
    const events = await usageEventsOf(owner)
    expect(events.map(({ event }) => event)).toEqual(['usage.warning'])
  })
})

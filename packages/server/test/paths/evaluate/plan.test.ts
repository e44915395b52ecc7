import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { usageMonth } from '../../../src/core/plan.ts'
import {
  type Answer,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf, setPlan } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { aSpend, evaluate, simulate } from '../../support/spends.ts'

describeOnPostgres('the evaluations of a plan', () => {
  let app: TestApp
  let other: TestApp

  beforeAll(async () => {
    app = await createTestApp('postgres')
    other = await joinTestApp(app)
  })
  afterAll(async () => {
    await other.stop()
    await app.stop()
  })

  /** An organization on the free plan that has used this much of its month. */
  async function aFreeOrganization(used: number) {
    const owner = await app.organization('Free')
    await setPlan(app, owner, 'free')
    await setUsed(owner, used)
    return owner
  }

  async function setUsed(owner: Owner, used: number) {
    await app.rows(
      `insert into plan_usage (organization_id, month, evaluations) values ($1, $2, $3)
       on conflict (organization_id, month) do update set evaluations = excluded.evaluations`,
      [owner.organizationId, usageMonth(Date.now()).month, used],
    )
  }

  const usedBy = async (owner: Owner) =>
    bodyOf(await owner.get('/organization/usage')).evaluations.used

  function countCodes(answers: readonly Answer[]): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { status, body } of answers) {
      const name = status === 200 ? 'decided' : `${status} ${body.code}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }

  test('are counted for rejected spends too, and not beyond the last one', async () => {
    const owner = await aFreeOrganization(997)
    const { agentId } = await anActiveMandate(owner, { budgetTotal: 10 })
    const { id: idle } = await anAgent(owner)
    await evaluate(owner, agentId, { amount: 1 })
    await evaluate(owner, agentId, { amount: 11 })
    await evaluate(owner, idle)
    const over = await owner.post('/gateway/evaluate', aSpend(agentId, { amount: 1 }))
    const { resetsAt } = usageMonth(Date.now())
    expect(over.status).toBe(429)
    expect(over.body).toMatchObject({
      code: 'plan_limit_exceeded',
      plan: 'free',
      limit: 1_000,
      used: 1_000,
      resetsAt: new Date(resetsAt).toISOString(),
    })
    const wait = Number(over.headers['retry-after']) * 1_000
    expect(Math.abs(Date.now() + wait - resetsAt)).toBeLessThan(60_000)
    expect(await usedBy(owner)).toBe(1_000)
    const rows = await app.rows('select 1 from transactions where organization_id = $1', [
      owner.organizationId,
    ])
    expect(rows).toHaveLength(3)
  })

  test('are exact when two processes reach the limit with many agents at once', async () => {
    const owner = await aFreeOrganization(1_000 - 37)
    const mandates = [
      await anActiveMandate(owner, { budgetTotal: 1_000 }),
      await anActiveMandate(owner, { budgetTotal: 1_000 }),
      await anActiveMandate(owner, { budgetTotal: 1_000 }),
    ]
    const keys = [
      owner,
      ...(await Promise.all([1, 2].map(() => aKey(app, owner)))).map((k) => k.client),
    ]
    const clients = keys.flatMap((client) => [client, other.client(client.apiKey)])
    const answers = await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 20 }, (_, n) =>
          client.post('/gateway/evaluate', aSpend(mandates[n % 3]?.agentId ?? '', { amount: 1 })),
        ),
      ),
    )
    expect(countCodes(answers)).toEqual({ decided: 37, '429 plan_limit_exceeded': 83 })
    expect(await usedBy(owner)).toBe(1_000)
  })

  test('bind from the first spend on after the plan was changed', async () => {
    const owner = await app.organization('Downgraded')
    const { agentId } = await anActiveMandate(owner, { budgetTotal: 1_000 })
    const onBoth = [owner, other.client(owner.apiKey)]
    for (const client of onBoth) await evaluate(client, agentId, { amount: 1 })
    await setPlan(app, owner, 'free')
    await setUsed(owner, 1_000)
    const answers = await Promise.all(
      onBoth.flatMap((client) =>
        Array.from({ length: 10 }, () =>
          client.post('/gateway/evaluate', aSpend(agentId, { amount: 1 })),
        ),
      ),
    )
    expect(countCodes(answers)).toEqual({ '429 plan_limit_exceeded': 20 })
    await setPlan(app, owner, 'self_hosted')
    expect((await evaluate(owner, agentId, { amount: 1 })).decision).toBe('approved')
  })

  test('are not used by repeats and simulations, which answer also when none is left', async () => {
    const owner = await aFreeOrganization(999)
    const { agentId } = await anActiveMandate(owner)
    const key = { 'idempotency-key': 'the last one' }
    const last = await evaluate(owner, agentId, {}, key)
    expect(await evaluate(owner, agentId, {}, key)).toEqual(last)
    expect((await simulate(owner, agentId)).decision).toBe('approved')
    const over = await owner.post('/gateway/evaluate', aSpend(agentId))
    expect(over.body.code).toBe('plan_limit_exceeded')
    expect(await evaluate(owner, agentId, {}, key)).toEqual(last)
    expect(await usedBy(owner)).toBe(1_000)
  })

  test('that were refused keep no key: it decides once there is room again', async () => {
    const owner = await aFreeOrganization(1_000)
    const { agentId } = await anActiveMandate(owner)
    const key = { 'idempotency-key': 'refused at first' }
    const refused = await owner.post('/gateway/evaluate', aSpend(agentId), key)
    expect(refused.status).toBe(429)
    await setUsed(owner, 0)
    expect((await evaluate(owner, agentId, {}, key)).decision).toBe('approved')
  })

  test('of another organization in the same batch are not touched', async () => {
    const full = await aFreeOrganization(1_000)
    const empty = await app.organization('Unlimited')
    const [a, b] = [await anActiveMandate(full), await anActiveMandate(empty)]
    const answers = await Promise.all([
      full.post('/gateway/evaluate', aSpend(a.agentId)),
      empty.post('/gateway/evaluate', aSpend(b.agentId)),
      full.post('/gateway/evaluate', aSpend(a.agentId)),
      empty.post('/gateway/evaluate', aSpend(b.agentId)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([429, 200, 429, 200])
  })
})

describe('the rate of a key', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(() => app.stop())

  test('is told in headers and refused beyond the plan, until the minute is over', async () => {
    const owner = await app.organization()
    await setPlan(app, owner, 'free')
    app.clock.now = Date.UTC(2035, 0, 1)
    const first = await owner.get('/agents')
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '60',
      'ratelimit-remaining': '59',
      'ratelimit-reset': '60',
    })
    app.clock.now += 15_500
    const more = await Promise.all(Array.from({ length: 60 }, () => owner.get('/agents')))
    expect(more.filter(({ status }) => status === 200)).toHaveLength(59)
    const refused = more.find(({ status }) => status === 429)
    const which = { code: 'rate_limited', limited: 'requests_per_minute', plan: 'free', limit: 60 }
    expect(refused?.body).toMatchObject(which)
    expect(refused?.headers).toMatchObject({
      'retry-after': '45',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '45',
    })
    app.clock.now += 44_499
    expect((await owner.get('/agents')).status).toBe(429)
    app.clock.now += 1
    expect((await owner.get('/agents')).headers['ratelimit-remaining']).toBe('59')
  })

  test('is counted for each key, and a refused spend is not judged', async () => {
    const owner = await app.organization()
    const { agentId, id } = await anActiveMandate(owner)
    const { client } = await aKey(app, owner)
    await setPlan(app, owner, 'free')
    app.clock.now = Date.UTC(2035, 0, 2)
    const answers = await Promise.all(
      Array.from({ length: 61 }, () =>
        client.post('/gateway/evaluate', aSpend(agentId, { amount: 1 })),
      ),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    const [row] = await app.rows('select budget_spent from mandates where id = $1', [
      `${id.slice(4)}`,
    ])
    expect(row).toEqual({ budget_spent: 60_000_000n })
    expect((await owner.get('/agents')).status).toBe(200)
  })

  test('has no headers on a plan without a limit', async () => {
    const owner = await app.organization()
    const { headers } = await owner.get('/agents')
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
  })
})

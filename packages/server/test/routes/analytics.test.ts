import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countAll } from '../support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf, DAY_MS } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

const NOW = Date.parse('2026-11-11T12:00:00Z')

describe('GET /analytics/spend', () => {
  let app: TestApp
  let owner: Owner
  let agentId: string
  let below: string
  beforeAll(async () => {
    app = await createTestApp()
    app.clock.now = NOW
    owner = await app.organization()
    const rules = [{ type: 'amount', id: 'small', max: 50 }]
    const mandate = await anActiveMandate(owner, { budgetTotal: 1_000, rules })
    agentId = mandate.agentId
    below = (await anAgent(owner)).id
    const child = { agentId: below, parentMandateId: mandate.id, budgetTotal: 400 }
    await anActiveMandate(owner, { ...child, rules: [{ type: 'amount', max: 50 }] })
    for (const [index, vendor] of ['a.com', 'b.com', 'c.com', 'c.com'].entries()) {
      await evaluate(owner, agentId, { vendor, amount: index + 1 })
    }
    await evaluate(owner, below, { vendor: 'a.com', amount: 10 })
    await evaluate(owner, agentId, { vendor: 'a.com', amount: 60 })
    await count()
  })
  afterAll(() => app?.stop())

  const count = (): Promise<void> => countAll(app)
  const ask = async (query: string) => bodyOf(await owner.get(`/analytics/spend?${query}`))

  test('tells the groups with the most apart and sums up the others', async () => {
    const { data } = await ask('groupBy=vendor&top=2')
    expect(data).toMatchObject([
      { group: { vendor: 'a.com' }, isOther: false, count: 2, settled: 11, net: 11 },
      { group: { vendor: 'c.com' }, isOther: false, count: 2, settled: 7 },
      { group: null, isOther: true, count: 1, settled: 2 },
    ])
  })

  test('refusals are counted by rule and code', async () => {
    const { data } = await ask('metric=rejections&groupBy=code,rule')
    expect(data).toMatchObject([
      { group: { rule: 'small', code: 'amount_above_max' }, count: 1, amount: 60 },
    ])
  })

  test('answers say which days they are of, in instants that the export takes', async () => {
    const answer = await ask('from=2026-11-11&to=2026-11-12&interval=day')
    expect(answer).toMatchObject({
      timezone: 'UTC',
      fromAt: '2026-11-11T00:00:00.000Z',
      toAt: '2026-11-12T00:00:00.000Z',
      data: [{ start: '2026-11-11', count: 5 }],
    })
    expect((await ask('from=2026-11-12&to=2026-11-13')).data).toEqual([])
  })

  test('asOf is the number of the feed that is counted', async () => {
    const [feed] = await app.rows<{ last: bigint }>(
      'select last_number as last from event_feeds where organization_id = $1',
      [owner.organizationId],
    )
    expect(await ask('')).toMatchObject({
      asOf: Number(feed?.last),
      asOfAt: new Date(NOW).toISOString(),
      isCurrent: true,
    })
  })

  test('says with isCurrent whether all is counted, and with asOfAt until when it is', async () => {
    const fresh = await app.organization()
    const { agentId: spender } = await anActiveMandate(fresh)
    const read = async (query = '') => bodyOf(await fresh.get(`/analytics/spend?${query}`))
    await count()
    // Only changes are counted, and they have no events.
    await evaluate(fresh, spender)
    expect(await read()).toMatchObject({ isCurrent: false, asOfAt: null, data: [] })
    await count()
    try {
      app.clock.now = NOW + 5_000
      await evaluate(fresh, spender)
      const behind = await read()
      expect(behind).toMatchObject({
        isCurrent: false,
        asOfAt: new Date(NOW).toISOString(),
        data: [{ count: 1 }],
      })
      await count()
      app.clock.now = NOW + 9_000
      const caughtUp = { isCurrent: true, asOfAt: new Date(NOW + 9_000).toISOString() }
      expect(await read()).toMatchObject({ ...caughtUp, data: [{ count: 2 }] })
      expect(await read('metric=exposure')).toMatchObject({ ...caughtUp, asOf: null })
    } finally {
      app.clock.now = NOW
    }
  })

  test('a key that is bound to an agent sees its sums alone', async () => {
    const { client } = await aKey(app, owner, { agentIds: [below] })
    const bound = async (query: string) => bodyOf(await client.get(`/analytics/spend?${query}`))
    expect((await bound('')).data).toMatchObject([{ count: 1, settled: 10, group: null }])
    expect((await bound('groupBy=vendor')).data).toMatchObject([
      { group: { vendor: 'a.com' }, settled: 10 },
    ])
    // Its own mandate allows 390 more; what is left above it is not its business.
    expect((await bound('metric=exposure')).data).toMatchObject([{ amount: 390 }])
    const { status, body } = await client.get('/analytics/spend?groupBy=vendor,category')
    expect([status, body.errors]).toMatchObject([400, [{ path: '/groupBy' }]])
  })

  test('a bound key is not told which rule of a mandate above has refused', async () => {
    await evaluate(owner, below, { vendor: 'a.com', amount: 55 })
    await app.rows(
      `update transactions set details = jsonb_set(details::jsonb, '{firstFailure}', '"mnd_x/secret"')
       where organization_id = $1 and amount = 55000000`,
      [owner.organizationId],
    )
    await count()
    const { client } = await aKey(app, owner, { agentIds: [below] })
    const { text } = await client.get('/analytics/spend?metric=rejections&groupBy=rule')
    expect(text).not.toContain('secret')
    expect(text).toContain('"above"')
  })

  test('counts where a person was asked, and what passed with an answer', async () => {
    const asking = await app.organization()
    const rules = [{ type: 'approval', above: 5 }]
    const { agentId: asker } = await anActiveMandate(asking, { rules })
    const { client } = await aKey(app, asking, { agentIds: [asker] })
    const { evaluationDetails } = await evaluate(client, asker, { amount: 7 })
    const approvalId = evaluationDetails.approval?.id
    bodyOf(await asking.post(`/approvals/${approvalId}/decision`, { decision: 'approve' }))
    await evaluate(client, asker, { amount: 7, approvalId })
    await count()
    const { data } = bodyOf(await asking.get('/analytics/spend?metric=approvals&groupBy=agent'))
    const once = { count: 1, amount: 7 }
    expect(data).toMatchObject([{ group: { agent: asker }, asked: once, used: once }])
  })

  test('another organization has sums of its own', async () => {
    const other = await app.organization()
    expect(bodyOf(await other.get('/analytics/spend?groupBy=agent')).data).toEqual([])
    expect(bodyOf(await other.get('/analytics/spend?metric=exposure')).data).toEqual([])
  })

  test('exposure is that of mandates with none above them, or of each', async () => {
    expect((await ask('metric=exposure')).data).toMatchObject([{ currency: 'USD', group: null }])
    const { data } = await ask('metric=exposure&groupBy=agent&top=1')
    expect(data).toMatchObject([
      { group: { agent: agentId }, isOther: false },
      { group: null, isOther: true },
    ])
  })

  test('exposure bounds what agents spend together on one mandate, and each alone', async () => {
    const family = await app.organization()
    const rules = [{ type: 'limit', maxAmount: 25, window: 'day' }]
    const budget = { budgetTotal: 40, budgetPeriod: 'daily' }
    const parent = await anActiveMandate(family, { ...budget, rules })
    const agents = [parent.agentId]
    for (const budgetTotal of [20, 30]) {
      const { id } = await anAgent(family)
      const child = { agentId: id, parentMandateId: parent.id, budgetTotal, rules }
      await anActiveMandate(family, { ...child, budgetPeriod: 'daily' })
      agents.push(id)
    }
    const exposure = async (query: string) =>
      bodyOf(await family.get(`/analytics/spend?metric=exposure&to=2026-11-12${query}`))
        .data as unknown as readonly { amount: number; group: { agent: string } | null }[]
    const [all] = await exposure('')
    const each = new Map((await exposure('&groupBy=agent')).map((row) => [row.group?.agent, row]))
    const spent = new Map<string, number>()
    for (const [index, amount] of [9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1].entries()) {
      const agent = agents[index % agents.length] ?? ''
      const { decision } = await evaluate(family, agent, { amount })
      if (decision === 'approved') spent.set(agent, (spent.get(agent) ?? 0) + amount)
    }
    expect([...spent.values()].reduce((sum, amount) => sum + amount, 0)).toBe(25)
    expect(all).toMatchObject({ amount: 25, group: null })
    for (const [agent, amount] of spent) {
      expect(amount).toBeLessThanOrEqual(each.get(agent)?.amount ?? 0)
    }
  })

  test('a forecast is the mean of the last seven days, and null under 20 spends', async () => {
    const fresh = await app.organization()
    const { agentId: spender } = await anActiveMandate(fresh, { budgetTotal: 1_000 })
    const forecast = async () =>
      bodyOf(await fresh.get('/analytics/spend?metric=forecast&to=2026-11-22')).data
    const spendSome = async (times: number) => {
      for (let spent = 0; spent < times; spent++) await evaluate(fresh, spender, { amount: 0.7 })
    }
    try {
      await spendSome(19)
      app.clock.now = NOW + DAY_MS
      await count()
      expect(await forecast()).toMatchObject([{ count: 19, perDay: null, amount: null }])
      app.clock.now = NOW
      await spendSome(1)
      app.clock.now = NOW + DAY_MS
      await count()
      // 14 in seven days, and ten days until then.
      expect(await forecast()).toMatchObject([{ count: 20, perDay: 2, amount: 20 }])
    } finally {
      app.clock.now = NOW
    }
  })

  test.each([
    ['groupBy=agent,agent', '/groupBy'],
    ['groupBy=nothing', '/groupBy'],
    ['from=2026-02-30', '/from'],
    ['from=2026-11-02&to=2026-11-02', '/to'],
    ['interval=day&from=2026-01-01&to=2026-11-01', '/from'],
    ['interval=day&from=2026-08-15&to=2026-11-10&top=1000', '/top'],
    ['metric=exposure&groupBy=vendor', '/groupBy'],
    ['metric=forecast&from=2026-11-01', '/from'],
    ['metric=exposure&to=2026-11-01', '/to'],
    ['metric=exposure&to=2029-11-01', '/to'],
    ['metric=spent', '/metric'],
  ])('refuses %s and says where', async (query, path) => {
    const { status, body } = await owner.get(`/analytics/spend?${query}`)
    expect([status, body.errors]).toMatchObject([400, [{ path }]])
  })

  test.each([
    ['groupBy=agent,vendor,path', '/groupBy must be one or two of agent, mandate, vendor, '],
    ['groupBy=nobody', ', rule, code, with a comma between.'],
    ['metric=exposure&groupBy=vendor', 'exposure, which is grouped by agent and mandate.'],
    ['from=2020-01-01', '/from must be at most 400 days before to.'],
    ['from=2026-01-01&to=2026-11-01&interval=day', '92 days before to, because interval is day.'],
    ['from=9999-12-31', '/from must be a date of the calendar between 1970 and 9000, '],
    ['from=8999-12-31', '/from must not be after today unless to is set.'],
  ])('%s is answered with what to change', async (query, said) => {
    const { status, body } = await owner.get(`/analytics/spend?${query}`)
    expect(status).toBe(400)
    expect(body.detail).toContain(said)
  })
})

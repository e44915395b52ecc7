import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  aKey,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
  HOUR_MS,
  NO_MANDATE,
} from '../../support/builders.ts'
import { aHold, aSpend, evaluate, simulate } from '../../support/spends.ts'
import { dumpTables } from '../../support/tables.ts'

type Fields = Readonly<Record<string, unknown>>

describe('a simulation under other terms', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const codeOf = async (agentId: string, fields: Fields) =>
    (await simulate(acme, agentId, fields)).evaluationDetails.code

  async function refusalOf(client: Pick<Owner, 'post'>, fields: Fields) {
    const { agentId = undefined, ...others } = fields
    const spend = { amount: 1, vendor: 'a.com', category: 'llm', ...others }
    const body = agentId === undefined ? spend : { ...spend, agentId }
    const { status, body: problem } = await client.post('/gateway/simulate', body)
    const paths = problem.errors?.map(({ path }: { path: string }) => path) ?? []
    return [status, problem.code, ...paths].join(' ')
  }

  test('judges by a draft as if it were active', async () => {
    const rules = [{ type: 'amount', max: 5 }]
    const { id: mandateId, agentId } = await aDraft(acme, { budgetTotal: 20, rules })
    expect(await codeOf(agentId, {})).toBe('no_active_mandate')
    const passes = await simulate(acme, agentId, { amount: 5, mandateId })
    expect(passes).toMatchObject({ decision: 'approved', remainingBudget: 15, mandateId })
    expect(passes.evaluationDetails).toMatchObject({ mandateVersion: 1 })
    expect(await codeOf(agentId, { amount: 6, mandateId })).toBe('amount_above_max')
    const free = { mandateId, rules: [] }
    expect(await codeOf(agentId, { amount: 6, ...free })).toBe('approved')
    expect(await codeOf(agentId, { amount: 21, ...free })).toBe('budget_exceeded')
    expect(await codeOf(agentId, { amount: 21, ...free, budgetTotal: 21 })).toBe('approved')
    // The agent is that of the draft.
    const unnamed = { amount: 5, vendor: 'a.com', category: 'llm', mandateId }
    expect(bodyOf(await acme.post('/gateway/simulate', unnamed))).toMatchObject({ agentId })
    expect(await codeOf(agentId, {})).toBe('no_active_mandate')
  })

  test('never judges a spend by terms that the draft had before it was activated', async () => {
    const parent = await aDraft(acme, { budgetTotal: 500 })
    const { id: mandateId, agentId } = await aDraft(acme, { parentMandateId: parent.id })
    expect(await codeOf(agentId, { amount: 50, mandateId })).toBe('no_active_mandate')
    bodyOf(await acme.patch(`/mandates/${parent.id}`, { rules: [{ type: 'amount', max: 40 }] }))
    bodyOf(await acme.post(`/mandates/${parent.id}/activate`))
    const above = await simulate(acme, agentId, { amount: 50, mandateId })
    expect(above.evaluationDetails.code).toBe('amount_above_max')
    expect(await codeOf(agentId, { amount: 40, mandateId })).toBe('approved')
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules: [{ type: 'amount', max: 5 }] }))
    expect(await codeOf(agentId, { amount: 40, mandateId })).toBe('amount_above_max')
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules: [{ type: 'amount', max: 6 }] }))
    bodyOf(await acme.post(`/mandates/${mandateId}/activate`))
    expect((await evaluate(acme, agentId, { amount: 6 })).decision).toBe('approved')
    expect((await evaluate(acme, agentId, { amount: 7 })).decision).toBe('rejected')
    const onParent = await evaluate(acme, parent.agentId, { amount: 41 })
    expect(onParent.evaluationDetails.code).toBe('amount_above_max')
  })

  test('judges by a draft instead of the active mandate, and counts nothing of that one', async () => {
    const limit = { type: 'limit', maxAmount: 30, window: 'day' }
    const active = await anActiveMandate(acme, { rules: [limit] })
    const { agentId } = active
    await evaluate(acme, agentId, { amount: 25 })
    const { id: mandateId } = await aDraft(acme, { agentId, budgetTotal: 28, rules: [limit] })
    expect(await codeOf(agentId, { amount: 10 })).toBe('limit_amount_exceeded')
    expect(await simulate(acme, agentId, { amount: 27, mandateId })).toMatchObject({
      decision: 'approved',
      remainingBudget: 1,
    })
    // The active mandate itself keeps its figures, also with another budget.
    const own = { mandateId: active.id, rules: [] }
    expect((await simulate(acme, agentId, { amount: 10, ...own })).remainingBudget).toBe(65)
    expect(await codeOf(agentId, { amount: 6, ...own, budgetTotal: 30 })).toBe('budget_exceeded')
    expect(await codeOf(agentId, { amount: 5, ...own, budgetTotal: 30 })).toBe('approved')
  })

  test('judges by rules and a budget without any mandate', async () => {
    const { id: agentId } = await anAgent(acme)
    const terms = { rules: [{ type: 'amount', max: 25 }], budgetTotal: 100, currency: 'EUR' }
    const passes = await simulate(acme, agentId, { amount: 25, ...terms })
    expect(passes).toMatchObject({ decision: 'approved', remainingBudget: 75, mandateId: null })
    const { evaluationDetails } = passes
    expect(evaluationDetails).toMatchObject({
      mandateVersion: null,
      policyHash: null,
      budget: { total: 100, periodEnd: null },
    })
    expect(evaluationDetails).not.toHaveProperty('draftMandateId')
    const monthly = await simulate(acme, agentId, { ...terms, budgetPeriod: 'monthly' })
    expect(monthly.evaluationDetails.budget).toMatchObject({ periodEnd: expect.any(String) })
    expect(await codeOf(agentId, { amount: 26, ...terms })).toBe('amount_above_max')
    expect(await codeOf(agentId, { amount: 101, budgetTotal: 100 })).toBe('budget_exceeded')
    // It is a new mandate, also for an agent that has one.
    const { agentId: other } = await anActiveMandate(acme, { budgetTotal: 10 })
    await evaluate(acme, other, { amount: 10 })
    expect((await simulate(acme, other, { amount: 4, budgetTotal: 5 })).remainingBudget).toBe(1)
    // A pause still stops everything.
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'paused' }))
    expect(await codeOf(agentId, { ...terms })).toBe('agent_paused')
  })

  test('warns about rules that need vendors which are not known yet', async () => {
    const { id: agentId } = await anAgent(acme)
    const rules = [{ type: 'new_vendor' }, { type: 'limit', maxCount: 1, window: '1h' }]
    const warningsOf = async (fields: Fields) =>
      bodyOf(await acme.post('/gateway/simulate', aSpend(agentId, fields))).warnings
    const unknown = [{ code: 'past_not_known', ruleIds: ['new_vendor'] }]
    expect(await warningsOf({ rules, budgetTotal: 50 })).toMatchObject(unknown)
    const { id: mandateId } = await aDraft(acme, { agentId, rules })
    expect(await warningsOf({ mandateId })).toMatchObject(unknown)
    await anActiveMandate(acme, { agentId, rules })
    expect(await warningsOf({ mandateId })).toEqual([])
    expect(await warningsOf({})).toBeUndefined()
  })

  test('judges at another instant, with what was spent until now', async () => {
    const now = Date.parse('2031-03-05T12:00Z')
    app.clock.now = now
    const rules = [
      { type: 'schedule', windows: [{ days: ['sun'], from: '08:00', to: '18:00' }] },
      { type: 'limit', maxAmount: 50, window: '1h' },
    ]
    const { agentId } = await anActiveMandate(acme, {
      budgetPeriod: 'monthly',
      rules: rules.slice(1),
    })
    await evaluate(acme, agentId, { amount: 40 })
    const at = (ms: number) => new Date(now + ms).toISOString()
    const wednesday = { rules: rules.slice(0, 1) }
    expect(await codeOf(agentId, { ...wednesday })).toBe('outside_schedule')
    const sunday = await simulate(acme, agentId, { ...wednesday, at: '2031-03-09T10:00:00+01:00' })
    expect(sunday.decision).toBe('approved')
    expect(sunday.evaluationDetails.evaluatedAt).toBe('2031-03-09T09:00:00.000Z')
    expect(await codeOf(agentId, { amount: 20, at: at(HOUR_MS / 2) })).toBe('limit_amount_exceeded')
    expect(await codeOf(agentId, { amount: 20, at: at(2 * HOUR_MS) })).toBe('approved')
    expect((await simulate(acme, agentId, { at: at(40 * DAY_MS) })).remainingBudget).toBe(90)
    // A hold that would have expired by then is not released now.
    await aHold(acme, agentId, 10, '1h')
    const before = await dumpTables(app.database.db)
    expect(await codeOf(agentId, { amount: 60, rules: [], at: at(DAY_MS) })).toBe('budget_exceeded')
    expect(await dumpTables(app.database.db)).toBe(before)
    const refused = [at(367 * DAY_MS), at(-367 * DAY_MS)]
    for (const far of refused) {
      expect(await refusalOf(acme, { agentId, at: far })).toBe('400 validation_failed /at')
    }
    app.clock.now = undefined
  })

  test('refuses mandates of others, ended ones, and fields that do not fit together', async () => {
    const { id: mandateId, agentId } = await aDraft(acme)
    const { id: other } = await anAgent(acme)
    const ended = await aRevokedMandate(acme)
    const stranger = await app.organization('Stranger')
    const bound = (await aKey(app, acme, { agentIds: [other] })).client
    const own = (await aKey(app, acme, { agentIds: [agentId] })).client
    expect(await refusalOf(acme, { mandateId: NO_MANDATE })).toBe('404 mandate_not_found')
    expect(await refusalOf(stranger, { mandateId })).toBe('404 mandate_not_found')
    expect(await refusalOf(bound, { mandateId })).toBe('404 mandate_not_found')
    expect(await refusalOf(own, { mandateId })).toBe('200 ')
    expect(await refusalOf(acme, { mandateId: ended.id })).toBe('409 mandate_state')
    expect(await refusalOf(acme, { mandateId, agentId: other })).toBe(
      '400 validation_failed /mandateId',
    )
    expect(await refusalOf(acme, { agentId, budgetPeriod: 'daily' })).toBe(
      '400 validation_failed /budgetPeriod',
    )
    expect(await refusalOf(acme, { agentId, path: 'card', hold: { expiresIn: '1h' } })).toBe(
      '400 validation_failed /hold',
    )
    expect(await refusalOf(acme, { agentId, path: 'cash' })).toBe('400 validation_failed /path')
  })

  test('judges by the rules for the named path', async () => {
    const rules = [
      { type: 'paths', allow: ['evaluate', 'x402'] },
      { type: 'limit', maxAmount: 5, window: 'day', match: { path: 'x402' } },
    ]
    const { agentId } = await anActiveMandate(acme, { rules })
    const tried = await simulate(acme, agentId, { path: 'x402', amount: 5 })
    expect(tried).toMatchObject({ decision: 'approved', status: 'held' })
    expect(tried.evaluationDetails.path).toBe('x402')
    expect(await codeOf(agentId, { path: 'x402', amount: 6 })).toBe('limit_amount_exceeded')
    expect(await codeOf(agentId, { path: 'evaluate', amount: 6 })).toBe('approved')
    for (const path of ['acp', 'card']) {
      expect(await codeOf(agentId, { path, amount: 5 })).toBe('path_not_allowed')
    }
  })

  test('writes nothing', async () => {
    const { id: mandateId, agentId } = await aDraft(acme, { rules: [{ type: 'new_vendor' }] })
    const before = await dumpTables(app.database.db)
    await simulate(acme, agentId, { mandateId })
    await simulate(acme, agentId, { budgetTotal: 5, rules: [], path: 'card' })
    expect(await dumpTables(app.database.db)).toBe(before)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  NO_MANDATE,
  setSpent,
  statusOf,
} from '../../support/builders.ts'
import { changesOf } from '../../support/changes.ts'
import { evaluate } from '../../support/spends.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const RULES = [{ id: 'most', type: 'amount', max: 5 }]
const WIDER = [{ id: 'most', type: 'amount', max: 50 }]

const draftOf = async (id: string, fields: object = {}) =>
  bodyOf(await acme.post('/mandates', { draftOf: id, ...fields }))

describe('a draft of the next version', () => {
  test('has the terms of the active mandate, with those that it changes', async () => {
    const base = await anActiveMandate(acme, { rules: RULES, budgetPeriod: 'monthly' })
    const draft = await draftOf(base.id, { rules: WIDER, name: 'Wider' })
    expect(draft).toMatchObject({
      status: 'draft',
      draftOf: base.id,
      draftOfVersion: 1,
      agentId: base.agentId,
      name: 'Wider',
      rules: WIDER,
      budgetTotal: 100,
      budgetPeriod: 'monthly',
      budgetSpent: 0,
    })
    expect(bodyOf(await acme.get(`/mandates/${base.id}`))).toMatchObject({
      version: 1,
      rules: RULES,
      draftOf: null,
      draftOfVersion: null,
    })
    const listed = bodyOf(await acme.get(`/mandates?status=draft&draftOf=${base.id}`))
    expect(listed.data).toMatchObject([{ id: draft.id }])
  })

  test('is simulated as the mandate that it changes, with the amounts spent under it', async () => {
    const base = await anActiveMandate(acme, { rules: RULES, budgetTotal: 100 })
    await setSpent(app, base.id, { spent: 70 })
    const draft = await draftOf(base.id, { rules: WIDER })
    const spend = { amount: 20, vendor: 'api.example.com', category: 'llm', mandateId: draft.id }
    const fits = bodyOf(await acme.post('/gateway/simulate', spend))
    expect(fits).toMatchObject({ decision: 'approved', remainingBudget: 10 })
    const over = bodyOf(await acme.post('/gateway/simulate', { ...spend, amount: 40 }))
    expect(over).toMatchObject({ decision: 'rejected' })
    expect(over.evaluationDetails.code).toBe('budget_exceeded')
    const raised = { ...spend, amount: 40, budgetTotal: 200 }
    expect(bodyOf(await acme.post('/gateway/simulate', raised)).decision).toBe('approved')
  })

  test('is simulated with its own end', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const base = await anActiveMandate(acme, { validUntil: inDays(2) })
    const draft = await draftOf(base.id, { validUntil: inDays(30) })
    const spend = { amount: 1, vendor: 'api.example.com', category: 'llm', at: inDays(10) }
    const now = bodyOf(await acme.post('/gateway/simulate', { ...spend, mandateId: base.id }))
    expect(now.decision).toBe('rejected')
    const next = bodyOf(await acme.post('/gateway/simulate', { ...spend, mandateId: draft.id }))
    expect(next.decision).toBe('approved')
  })

  test('is not simulated once the mandate that it changes has ended', async () => {
    const base = await anActiveMandate(acme)
    const draft = await draftOf(base.id)
    await acme.post(`/mandates/${base.id}/revoke`)
    const spend = { amount: 1, vendor: 'api.example.com', category: 'llm', mandateId: draft.id }
    const { status, body } = await acme.post('/gateway/simulate', spend)
    expect([status, body.code, body.mandateStatus]).toEqual([409, 'mandate_state', 'revoked'])
  })

  test('is backtested on the history of the mandate that it changes', async () => {
    const base = await anActiveMandate(acme, { rules: RULES })
    await evaluate(acme, base.agentId, { amount: 20 })
    const draft = await draftOf(base.id, { rules: WIDER })
    const report = bodyOf(await acme.post(`/mandates/${draft.id}/backtest`, {}))
    expect(report).toMatchObject({ replayed: 1, newlyApproved: 1 })
  })

  test('changes no decision until it is activated', async () => {
    const base = await anActiveMandate(acme, { rules: RULES })
    await draftOf(base.id, { rules: WIDER })
    const { mandateId, decision } = await evaluate(acme, base.agentId, { amount: 20 })
    expect([mandateId, decision]).toEqual([base.id, 'rejected'])
  })

  test('is changed, and becomes the next version when it is activated', async () => {
    const base = await anActiveMandate(acme, { rules: RULES })
    await setSpent(app, base.id, { spent: 30 })
    const draft = await draftOf(base.id, { rules: WIDER })
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { budgetTotal: 200, name: 'Next' }))
    const active = bodyOf(await acme.post(`/mandates/${draft.id}/activate`))
    expect(active).toMatchObject({
      id: base.id,
      status: 'active',
      version: 2,
      name: 'Next',
      rules: WIDER,
      budgetTotal: 200,
      budgetSpent: 30,
      draftOf: null,
    })
    expect((await acme.get(`/mandates/${draft.id}`)).status).toBe(404)
    const { data } = bodyOf(await acme.get(`/mandates/${base.id}/versions`))
    expect(data).toHaveLength(2)
    expect((await evaluate(acme, base.agentId, { amount: 20 })).decision).toBe('approved')
  })

  test('leaves a record of the new version and one of the removed draft', async () => {
    const globex = await app.organization()
    const base = await anActiveMandate(globex, { rules: RULES })
    const body = { draftOf: base.id, rules: WIDER, budgetTotal: 150 }
    const draft = bodyOf(await globex.post('/mandates', body))
    bodyOf(await globex.post(`/mandates/${draft.id}/activate`))
    expect((await changesOf(app, globex)).slice(-3)).toMatchObject([
      { operation: 'mandate.created', subjectId: draft.id, after: { draftOf: base.id } },
      { operation: 'mandate.deleted', subjectId: draft.id },
      {
        operation: 'mandate.updated',
        subjectId: base.id,
        before: { 'rules.most.max': 5, budgetTotal: 100 },
        after: { 'rules.most.max': 50, budgetTotal: 150, activatedDraft: draft.id },
      },
    ])
  })

  test('makes no version if it changes nothing', async () => {
    const base = await anActiveMandate(acme, { rules: RULES })
    const draft = await draftOf(base.id)
    expect(bodyOf(await acme.post(`/mandates/${draft.id}/activate`)).version).toBe(1)
    expect((await acme.get(`/mandates/${draft.id}`)).status).toBe(404)
  })

  test('is not activated over a version that its author has not seen', async () => {
    const base = await anActiveMandate(acme, { rules: RULES })
    const draft = await draftOf(base.id, { rules: WIDER })
    bodyOf(await acme.patch(`/mandates/${base.id}`, { name: 'Theirs' }))
    const url = `/mandates/${draft.id}/activate`
    const { status, text } = await acme.post(url)
    expect([status, JSON.parse(text)]).toMatchObject([
      409,
      {
        code: 'changed_meanwhile',
        current: 2,
        changes: [{ field: 'name', before: 'Research', after: 'Theirs' }],
      },
    ])
    expect((await acme.post(url, { expectedVersion: 1 })).status).toBe(409)
    expect(bodyOf(await acme.post(url, { expectedVersion: 2 }))).toMatchObject({
      version: 3,
      name: 'Research',
      rules: WIDER,
    })
  })

  test('is not activated if it changed since it was reviewed', async () => {
    const base = await anActiveMandate(acme)
    const draft = await draftOf(base.id, { rules: RULES })
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { rules: WIDER }))
    const url = `/mandates/${draft.id}/activate`
    const { status, body } = await acme.post(url, { expectedUpdatedAt: draft.updatedAt })
    expect([status, body.code]).toEqual([409, 'changed_meanwhile'])
  })

  test('is deleted like every draft', async () => {
    const base = await anActiveMandate(acme)
    const { id } = await draftOf(base.id)
    expect(bodyOf(await acme.delete(`/mandates/${id}`))).toMatchObject({ deleted: true })
    expect(await statusOf(acme, base.id)).toBe('active')
  })

  test('cannot set the budget below what is spent', async () => {
    const base = await anActiveMandate(acme)
    const draft = await draftOf(base.id, { budgetTotal: 20 })
    await setSpent(app, base.id, { spent: 30 })
    const { status, body } = await acme.post(`/mandates/${draft.id}/activate`)
    expect([status, body.code]).toEqual([409, 'budget_below_spent'])
    expect(await statusOf(acme, draft.id)).toBe('draft')
  })

  test('tells of a budget that it exhausts', async () => {
    const globex = await app.organization()
    const base = await anActiveMandate(globex)
    await setSpent(app, base.id, { spent: 30 })
    const body = { draftOf: base.id, budgetTotal: 30 }
    const draft = bodyOf(await globex.post('/mandates', body))
    bodyOf(await globex.post(`/mandates/${draft.id}/activate`))
    const told = await app.rows<{ kind: string }>(
      'select kind from webhook_events where organization_id = $1 order by number',
      [globex.organizationId],
    )
    expect(told.map(({ kind }) => kind)).toContain('mandate.budget.exhausted')
  })

  test.each(['currency', 'timezone', 'validFrom', 'budgetPeriod'])(
    'cannot have a different %s',
    async (field) => {
      const base = await anActiveMandate(acme)
      const { currency, timezone } = base
      const terms = { currency, timezone, validFrom: null, budgetPeriod: 'none' }
      const value = Object.entries(terms).find(([name]) => name === field)?.[1]
      const made = await acme.post('/mandates', { draftOf: base.id, [field]: value })
      expect(made.status).toBe(400)
      expect(made.body.errors).toMatchObject([{ path: `/${field}`, code: 'not_allowed' }])
      const { id } = await draftOf(base.id)
      const changed = await acme.patch(`/mandates/${id}`, { [field]: value })
      expect([changed.status, changed.body.code]).toEqual([409, 'mandate_state'])
    },
  )

  test('cannot have a different agent or be wider than the parent', async () => {
    const parent = await anActiveMandate(acme, { rules: RULES })
    const base = await anActiveMandate(acme, { parentMandateId: parent.id, rules: RULES })
    const other = { draftOf: base.id, agentId: (await anAgent(acme)).id }
    expect((await acme.post('/mandates', other)).status).toBe(400)
    bodyOf(await acme.post('/mandates', { draftOf: base.id, agentId: base.agentId }))
    const wider = await acme.post('/mandates', { draftOf: base.id, rules: WIDER })
    expect(wider.body.code).toBe('mandate_wider_than_parent')
  })

  test('exists only of an active mandate, and is no parent', async () => {
    const states = [(await aDraft(acme)).id, (await aRevokedMandate(acme)).id]
    for (const id of states) {
      const { status, body } = await acme.post('/mandates', { draftOf: id })
      expect([status, body.code]).toEqual([409, 'mandate_state'])
    }
    expect((await acme.post('/mandates', { draftOf: NO_MANDATE })).status).toBe(404)
    const base = await anActiveMandate(acme)
    const next = await draftOf(base.id)
    const agentId = (await anAgent(acme)).id
    const child = { agentId, budgetTotal: 1, parentMandateId: next.id }
    expect((await acme.post('/mandates', child)).body.code).toBe('parent_not_active')
    expect((await acme.post('/mandates', { draftOf: next.id })).body.code).toBe('mandate_state')
  })

  test('is refused once its mandate has ended, and is not named as the missing step', async () => {
    const base = await anActiveMandate(acme)
    const next = await draftOf(base.id)
    bodyOf(await acme.post(`/mandates/${base.id}/revoke`))
    const { status, body } = await acme.post(`/mandates/${next.id}/activate`)
    expect([status, body.code, body.mandateStatus]).toEqual([409, 'mandate_state', 'revoked'])
    const { evaluationDetails } = await evaluate(acme, base.agentId)
    expect(JSON.stringify(evaluationDetails)).not.toContain(next.id)
  })

  test('exists at most 10 times for a mandate', async () => {
    const base = await anActiveMandate(acme)
    const made = Array.from({ length: 12 }, () => acme.post('/mandates', { draftOf: base.id }))
    const answers = await Promise.all(made)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.code)).toEqual([
      'draft_limit_reached',
      'draft_limit_reached',
    ])
  })
})

test('a mandate without draftOf needs its agent and budget, as before', async () => {
  const { status, body } = await acme.post('/mandates', { name: 'x' })
  expect(status).toBe(400)
  expect(body.errors).toEqual([
    { path: '/agentId', code: 'required', message: 'is required' },
    { path: '/budgetTotal', code: 'required', message: 'is required' },
  ])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  bodyOf,
  NO_AGENT,
  NO_MANDATE,
  withoutRequest,
} from '../../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('creating a mandate', () => {
  test('needs an agent and a budget and takes the rest from agent and organization', async () => {
    const globex = await app.organization('Globex')
    await globex.patch('/organization', { currency: 'EUR', timezone: 'Europe/Berlin' })
    const agent = await anAgent(globex, { name: 'Buyer' })
    const draft = bodyOf(await globex.post('/mandates', { agentId: agent.id, budgetTotal: 250.5 }))
    expect(draft).toMatchObject({
      agentId: agent.id,
      name: 'Buyer',
      status: 'draft',
      version: 1,
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      validFrom: null,
      validUntil: null,
      parentMandateId: null,
      budgetTotal: 250.5,
      budgetSpent: 0,
      budgetHeld: 0,
      remainingBudget: 250.5,
      percentUsed: 0,
      exhausted: false,
      budgetPeriod: 'none',
      periodStart: null,
      periodEnd: null,
      rules: [],
      activatedAt: null,
      revokedAt: null,
      archivedAt: null,
      warnings: [],
    })
    const { warnings: _, ...shown } = draft
    expect(bodyOf(await globex.get(`/mandates/${draft.id}`))).toMatchObject(shown)
  })

  test('keeps everything that was given', async () => {
    const given = {
      name: 'Summer',
      currency: 'USDC',
      timezone: 'Asia/Tokyo',
      validFrom: '2026-06-01T00:00:00.000Z',
      validUntil: '2999-09-01T00:00:00.000Z',
      budgetTotal: 999_999_999.999999,
      budgetPeriod: 'weekly',
    }
    const rules = [{ type: 'amount', max: 25, id: 'small', effect: 'flag' }]
    const draft = await aDraft(acme, { ...given, rules })
    expect(draft).toMatchObject({ ...given, rules })
  })

  test('takes times with any offset and shows them in UTC', async () => {
    const draft = await aDraft(acme, { validUntil: '2999-01-01T01:30:00.5+02:00' })
    expect(draft.validUntil).toBe('2998-12-31T23:30:00.500Z')
  })

  test('gives rules ids and effects that were not named', async () => {
    const { rules } = await aDraft(acme, {
      rules: [
        { type: 'amount', max: 5 },
        { type: 'amount', min: 1 },
        { type: 'new_vendor', effect: 'require_approval' },
      ],
    })
    expect(rules).toMatchObject([
      { id: 'amount', effect: 'reject' },
      { id: 'amount-2', effect: 'reject' },
      { id: 'new_vendor' },
    ])
  })

  test('warns about rules that contradict each other, and still creates the draft', async () => {
    const { status, warnings } = await aDraft(acme, { rules: [{ type: 'amount', min: 500 }] })
    expect(status).toBe('draft')
    expect(warnings).toMatchObject([{ code: 'minimum_above_budget', ruleIds: ['amount'] }])
  })

  test('is refused when its expressions cost too much to judge, and so is trying them', async () => {
    const reads = Array.from({ length: 16 }, (_, n) => `!t.contains('x${n}')`).join(' && ')
    const rules = [{ type: 'expression', expr: `agent.tags.all(t, ${reads})` }]
    const { id, agentId } = await aDraft(acme)
    const spend = { agentId, amount: 1, vendor: 'a.com', category: 'llm' }
    for (const answer of [
      await acme.post('/mandates', { agentId, budgetTotal: 1, rules }),
      await acme.patch(`/mandates/${id}`, { rules }),
      await acme.post('/gateway/simulate', { ...spend, rules }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'expressions_too_costly'])
      expect(JSON.parse(answer.text)).toMatchObject({ cost: 18_966, costMax: 12_000 })
    }
  })

  test('can be renamed while it holds expressions that could not be written now', async () => {
    const { id } = await aDraft(acme)
    const reads = Array.from({ length: 16 }, (_, n) => `!t.contains('x${n}')`).join(' && ')
    const expr = `agent.tags.all(t, ${reads})`
    const rules = [{ type: 'expression', id: 'expression', effect: 'reject', expr }]
    await app.rows('update mandate_versions set rules = $2 where mandate_id = $1', [
      toUuid('mnd', id),
      JSON.stringify(rules),
    ])
    expect(bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Old' })).rules).toEqual(rules)
  })

  test('does not warn about a limit above a budget that starts anew within its window', async () => {
    const rules = [{ type: 'limit', maxAmount: 300, window: '30d' }]
    expect((await aDraft(acme, { rules, budgetPeriod: 'daily' })).warnings).toEqual([])
    expect((await aDraft(acme, { rules })).warnings).toMatchObject([{ code: 'limit_above_budget' }])
  })

  test.each([
    ['an agent that does not exist', { agentId: NO_AGENT }, 'agent_not_found'],
    ['a parent that does not exist', { parentMandateId: NO_MANDATE }, 'mandate_not_found'],
  ])('is refused for %s', async (_, fields, code) => {
    const agentId = (await anAgent(acme)).id
    const { status, body } = await acme.post('/mandates', { agentId, budgetTotal: 1, ...fields })
    expect([status, body.code]).toEqual([404, code])
  })

  test("answers another organization's agent or parent exactly as a missing one", async () => {
    const foreign = await aDraft(await app.organization('Globex'))
    const { id: own } = await anAgent(acme)
    const ofAgent = (agentId: string) => acme.post('/mandates', { agentId, budgetTotal: 1 })
    const below = (parentMandateId: string) =>
      acme.post('/mandates', { agentId: own, budgetTotal: 1, parentMandateId })
    expect(withoutRequest(await ofAgent(foreign.agentId), foreign.agentId)).toBe(
      withoutRequest(await ofAgent(NO_AGENT), NO_AGENT),
    )
    expect(withoutRequest(await below(foreign.id), foreign.id)).toBe(
      withoutRequest(await below(NO_MANDATE), NO_MANDATE),
    )
  })

  test.each([
    ['budgetTotal', 0],
    ['budgetTotal', -5],
    ['budgetTotal', 0.0000001],
    ['budgetTotal', 1_000_000_000],
    ['budgetTotal', '100'],
    ['currency', 'usd'],
    ['currency', 'XXX'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+01:00'],
    ['budgetPeriod', 'hourly'],
    ['validFrom', '2026-06-01'],
    ['validFrom', '2026-02-30T00:00:00Z'],
    ['validFrom', '0000-01-01T00:00:00Z'],
    ['validFrom', '0001-01-01T00:00:00+01:00'],
    ['validUntil', '9999-12-31T23:59:59-01:00'],
    ['validUntil', '2020-01-01T00:00:00Z'],
    ['rules', [{ type: 'amount' }]],
    ['rules', [{ type: 'nonsense' }]],
    ['rules', [{ type: 'amount', max: 1, extra: 1 }]],
    ['rules', [{}]],
    ['rules', Array(65).fill({ type: 'amount', max: 1 })],
  ])('refuses %s of %j and names the field', async (field, value) => {
    const { id: agentId } = await anAgent(acme)
    const { status, body } = await acme.post('/mandates', {
      agentId,
      budgetTotal: 1,
      [field]: value,
    })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.some(({ path }) => path.startsWith(`/${field}`))).toBe(true)
  })

  test('refuses a start that is not before the end', async () => {
    const at = '2999-01-01T00:00:00Z'
    const { id: agentId } = await anAgent(acme)
    const fields = { agentId, budgetTotal: 1, validFrom: at, validUntil: at }
    const { status, body } = await acme.post('/mandates', fields)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/validFrom' }])
  })
})

describe('editing a mandate', () => {
  test('rewrites a draft without a new version', async () => {
    const draft = await aDraft(acme, { rules: [{ type: 'amount', max: 5 }] })
    const change = {
      name: 'Renamed',
      budgetTotal: 7,
      currency: 'CHF',
      budgetPeriod: 'monthly',
      timezone: 'Europe/Zurich',
      rules: [],
      validUntil: '2999-01-01T00:00:00.000Z',
    }
    const changed = bodyOf(await acme.patch(`/mandates/${draft.id}`, change))
    expect(changed).toMatchObject({ ...change, version: 1, status: 'draft' })
    expect(bodyOf(await acme.get(`/mandates/${draft.id}`))).toMatchObject(change)
  })

  test('makes the next version of an active mandate', async () => {
    const mandate = await anActiveMandate(acme)
    const change = { name: 'Renamed', rules: [{ type: 'amount', max: 9 }] }
    const changed = bodyOf(await acme.patch(`/mandates/${mandate.id}`, change))
    expect(changed).toMatchObject({ name: 'Renamed', version: 2, status: 'active' })
    expect(changed.rules).toMatchObject([{ type: 'amount', max: 9 }])
  })

  test('makes no version when nothing is different', async () => {
    const mandate = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 9 }] })
    const same = { name: mandate.name, rules: [{ max: 9, type: 'amount' }] }
    const after = bodyOf(await acme.patch(`/mandates/${mandate.id}`, same))
    expect(after).toMatchObject({ version: 1, updatedAt: mandate.updatedAt })
  })

  test.each(['budgetTotal', 'currency', 'timezone', 'budgetPeriod', 'validFrom'])(
    'refuses to change %s while the mandate is active, and says what can change',
    async (field) => {
      const values: Record<string, unknown> = {
        budgetTotal: 5,
        currency: 'EUR',
        timezone: 'Asia/Tokyo',
        budgetPeriod: 'daily',
        validFrom: null,
      }
      const { id } = await anActiveMandate(acme)
      const { status, body } = await acme.patch(`/mandates/${id}`, { [field]: values[field] })
      expect([status, body.code, body.mandateStatus]).toEqual([409, 'mandate_state', 'active'])
      expect(body.changeable).toEqual([
        'name',
        'rules',
        'validUntil',
        'warningPercents',
        'discloseLimits',
      ])
      expect(body.detail).toContain(field)
    },
  )

  test.each(['status', 'version', 'budgetSpent', 'agentId', 'parentMandateId', 'archivedAt'])(
    'refuses %s, which is not for callers to change',
    async (field) => {
      const { id } = await aDraft(acme)
      const { status, body } = await acme.patch(`/mandates/${id}`, { [field]: 1 })
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ path: `/${field}`, code: 'unknown_field' }])
    },
  )
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
  statusOf,
} from '../../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

describe('a child mandate', () => {
  test('takes from its parent what it does not say', async () => {
    const terms = {
      currency: 'EUR',
      timezone: 'Europe/Paris',
      budgetPeriod: 'monthly',
      validFrom: inDays(1),
      validUntil: inDays(9),
    }
    const parent = await anActiveMandate(acme, terms)
    const child = await aDraft(acme, { parentMandateId: parent.id, budgetTotal: 10 })
    expect(child).toMatchObject({ ...terms, parentMandateId: parent.id, budgetTotal: 10 })
  })

  test.each([
    ['budgetTotal', { budgetTotal: 100.000001 }],
    ['currency', { currency: 'EUR' }],
    ['validFrom', { validFrom: inDays(0.5) }],
    ['validUntil', { validUntil: inDays(20) }],
    ['rules/0/max', { rules: [{ type: 'amount', max: 26 }] }],
    ['rules/0/allow/0', { rules: [{ type: 'vendors', allow: ['b.com'] }] }],
  ])('is refused when its %s allows more than its parent', async (path, wider) => {
    const parent = await anActiveMandate(acme, {
      validFrom: inDays(1),
      validUntil: inDays(9),
      rules: [
        { type: 'amount', max: 25 },
        { type: 'vendors', allow: ['a.com'] },
      ],
    })
    const { id: agentId } = await anAgent(acme)
    const fields = { agentId, parentMandateId: parent.id, budgetTotal: 100, ...wider }
    const { status, body } = await acme.post('/mandates', fields)
    expect([status, body.code]).toEqual([400, 'mandate_wider_than_parent'])
    expect(body.errors.map((error) => error.path)).toEqual([`/${path}`])
  })

  test('cannot be widened beyond its parent later, neither as draft nor while active', async () => {
    const parent = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 25 }] })
    const child = await aDraft(acme, { parentMandateId: parent.id, budgetTotal: 50 })
    const change = (fields: object) => acme.patch(`/mandates/${child.id}`, fields)
    const wide = { rules: [{ type: 'amount', max: 30 }] }
    expect((await change(wide)).body.code).toBe('mandate_wider_than_parent')
    expect((await change({ budgetTotal: 101 })).body.code).toBe('mandate_wider_than_parent')
    await acme.post(`/mandates/${child.id}/activate`)
    expect((await change(wide)).body.code).toBe('mandate_wider_than_parent')
    const budget = (budgetTotal: number) =>
      acme.patch(`/mandates/${child.id}/budget`, { budgetTotal })
    expect((await budget(100.5)).body.code).toBe('mandate_wider_than_parent')
    expect((await budget(100)).status).toBe(200)
  })

  test('is not activated in another currency than its parent has got meanwhile', async () => {
    const parent = await aDraft(acme)
    const child = await aDraft(acme, { parentMandateId: parent.id, budgetTotal: 10 })
    bodyOf(await acme.patch(`/mandates/${parent.id}`, { currency: 'EUR' }))
    bodyOf(await acme.post(`/mandates/${parent.id}/activate`))
    const { status, body } = await acme.post(`/mandates/${child.id}/activate`)
    expect([status, body.code]).toEqual([409, 'mandate_state'])
    expect(body.detail).toContain('in USD, and its parent in EUR')
    expect(await statusOf(acme, child.id)).toBe('draft')

    bodyOf(await acme.patch(`/mandates/${child.id}`, { currency: 'EUR' }))
    expect((await acme.post(`/mandates/${child.id}/activate`)).status).toBe(200)
  })

  test('never shows a later end than its parent, also when it is told to have none', async () => {
    const parent = await anActiveMandate(acme, { validUntil: inDays(5) })
    const child = await anActiveMandate(acme, {
      parentMandateId: parent.id,
      validUntil: inDays(3),
    })
    const open = bodyOf(await acme.patch(`/mandates/${child.id}`, { validUntil: null }))
    expect(open.validUntil).toBe(parent.validUntil)
  })

  test('nests five deep and no deeper', async () => {
    let parentMandateId = (await anActiveMandate(acme)).id
    for (let depth = 2; depth <= 5; depth++) {
      parentMandateId = (await aDraft(acme, { parentMandateId })).id
    }
    const { id: agentId } = await anAgent(acme)
    const { status, body } = await acme.post('/mandates', {
      agentId,
      budgetTotal: 1,
      parentMandateId,
    })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/parentMandateId', code: 'too_deep' }])
    // The deepest one is still there to be changed.
    expect((await acme.patch(`/mandates/${parentMandateId}`, { name: 'Deep' })).status).toBe(200)
  })

  test('is for another agent than any above it', async () => {
    const top = await anActiveMandate(acme)
    const middle = await aDraft(acme, { parentMandateId: top.id })
    for (const [agentId, parent] of [
      [top.agentId, top.id],
      [top.agentId, middle.id],
    ]) {
      const fields = { agentId, budgetTotal: 1, parentMandateId: parent }
      const { status, body } = await acme.post('/mandates', fields)
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ path: '/agentId', code: 'same_agent' }])
    }
  })

  test('can be drafted below a draft, and activated only while its parent is active', async () => {
    const parent = await aDraft(acme)
    const child = await aDraft(acme, { parentMandateId: parent.id })
    const early = await acme.post(`/mandates/${child.id}/activate`)
    expect([early.status, early.body.code]).toEqual([409, 'parent_not_active'])
    await acme.post(`/mandates/${parent.id}/activate`)
    expect((await acme.post(`/mandates/${child.id}/activate`)).status).toBe(200)
  })

  test('cannot be made of a mandate that has ended', async () => {
    const ended = await aRevokedMandate(acme)
    const expiring = await anActiveMandate(acme, { validUntil: inDays(1) })
    const { id: agentId } = await anAgent(acme)
    const below = (parentMandateId: string) =>
      acme.post('/mandates', { agentId, budgetTotal: 1, parentMandateId })
    const revoked = await below(ended.id)
    app.clock.now = Date.now() + 2 * DAY_MS
    const expired = await below(expiring.id)
    app.clock.now = undefined
    expect([revoked.status, revoked.body]).toMatchObject([
      409,
      { code: 'parent_not_active', parentStatus: 'revoked' },
    ])
    expect([expired.status, expired.body]).toMatchObject([
      409,
      { code: 'parent_not_active', parentStatus: 'expired' },
    ])
  })
})

describe('a mandate with child mandates', () => {
  test('takes them along when it is revoked, to the last', async () => {
    const top = await anActiveMandate(acme)
    const middle = await anActiveMandate(acme, { parentMandateId: top.id })
    const bottom = await anActiveMandate(acme, { parentMandateId: middle.id })
    const draft = await aDraft(acme, { parentMandateId: middle.id })
    const { body } = await acme.post(`/mandates/${top.id}/revoke`)
    expect(body).toMatchObject({ id: top.id, status: 'revoked' })
    for (const { id } of [top, middle, bottom]) {
      const { status, revokedAt } = bodyOf(await acme.get(`/mandates/${id}`))
      expect([status, revokedAt]).toEqual(['revoked', body.revokedAt])
    }
    expect(await statusOf(acme, draft.id)).toBe('draft')
    expect((await acme.post(`/mandates/${draft.id}/activate`)).body.code).toBe('parent_not_active')
  })

  test('is not touched when one below it is revoked', async () => {
    const top = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId: top.id })
    await acme.post(`/mandates/${child.id}/revoke`)
    expect(await statusOf(acme, top.id)).toBe('active')
  })

  test('that ends earlier makes them end with it, as a version of theirs', async () => {
    const top = await anActiveMandate(acme, { validUntil: inDays(9) })
    const later = await anActiveMandate(acme, { parentMandateId: top.id, validUntil: inDays(8) })
    const below = await anActiveMandate(acme, { parentMandateId: later.id })
    const sooner = await anActiveMandate(acme, { parentMandateId: top.id, validUntil: inDays(1) })
    const validUntil = inDays(5)
    expect((await acme.patch(`/mandates/${top.id}`, { validUntil })).body.version).toBe(2)
    for (const { id } of [later, below]) {
      const { body } = await acme.get(`/mandates/${id}/versions`)
      expect(body.data[0]).toMatchObject({ version: 2, validUntil })
      expect(body.data[0]?.changes.map(({ field }) => field)).toEqual(['validUntil'])
      expect(bodyOf(await acme.get(`/mandates/${id}`))).toMatchObject({ version: 2, validUntil })
    }
    expect(bodyOf(await acme.get(`/mandates/${sooner.id}`)).version).toBe(1)
  })

  test('can be narrowed below them, and warns which of them then state more', async () => {
    const top = await anActiveMandate(acme, { budgetTotal: 100 })
    const child = await anActiveMandate(acme, {
      parentMandateId: top.id,
      budgetTotal: 80,
      name: 'Wide child',
    })
    await anActiveMandate(acme, { parentMandateId: top.id, budgetTotal: 10, name: 'Small child' })
    const { status, body } = await acme.patch(`/mandates/${top.id}/budget`, { budgetTotal: 50 })
    expect(status).toBe(200)
    expect(body.warnings).toMatchObject([{ code: 'sub_mandates_wider' }])
    expect(JSON.stringify(body.warnings)).toContain('Wide child')
    expect(JSON.stringify(body.warnings)).not.toContain('Small child')
    expect(bodyOf(await acme.get(`/mandates/${child.id}`)).budgetTotal).toBe(80)
    const renamed = bodyOf(await acme.patch(`/mandates/${child.id}`, { name: 'Renamed' }))
    expect(renamed.warnings).toMatchObject([{ code: 'wider_than_parent', ruleIds: [] }])
    const narrowed = await acme.patch(`/mandates/${child.id}/budget`, { budgetTotal: 40 })
    expect(bodyOf(narrowed).warnings).toEqual([])
  })

  test('warns of a draft that states more than its parent allows by the time it is activated', async () => {
    const rules = [{ type: 'amount', max: 50 }]
    const top = await anActiveMandate(acme, { rules })
    const draft = await aDraft(acme, { parentMandateId: top.id, rules })
    expect(draft.warnings).toEqual([])
    bodyOf(await acme.patch(`/mandates/${top.id}`, { rules: [{ type: 'amount', max: 5 }] }))
    const active = bodyOf(await acme.post(`/mandates/${draft.id}/activate`))
    expect(active.warnings).toMatchObject([{ code: 'wider_than_parent', ruleIds: ['amount'] }])
    expect(active.warnings[0]?.message).toContain('/rules/0/max')
  })
})

describe('a child mandate whose parent was narrowed below it', () => {
  const RULES = [
    { type: 'amount', max: 40 },
    { type: 'vendors', allow: ['a.com', 'b.com'] },
  ]

  /** States more than its parent in its budget and in both rules. */
  async function aWideChild(): Promise<string> {
    const top = await anActiveMandate(acme, { budgetTotal: 100 })
    const middle = await anActiveMandate(acme, { parentMandateId: top.id, budgetTotal: 90 })
    const child = await anActiveMandate(acme, {
      parentMandateId: middle.id,
      budgetTotal: 80,
      validUntil: inDays(9),
      rules: RULES,
    })
    bodyOf(await acme.patch(`/mandates/${top.id}/budget`, { budgetTotal: 50 }))
    const narrow = [
      { type: 'amount', max: 25 },
      { type: 'vendors', allow: ['a.com'] },
    ]
    bodyOf(await acme.patch(`/mandates/${top.id}`, { rules: narrow }))
    return child.id
  }

  test.each<[string, object]>([
    ['renamed', { name: 'Renamed' }],
    ['shortened', { validUntil: inDays(3) }],
    ['given a tighter rule', { rules: [{ type: 'amount', max: 30 }, RULES[1]] }],
    ['given a further rule', { rules: [...RULES, { type: 'paths', allow: ['x402'] }] }],
    ['given fewer vendors', { rules: [RULES[0], { type: 'vendors', allow: ['b.com'] }] }],
    ['relieved of a rule', { rules: [RULES[1]] }],
  ])('can be %s', async (_, change) => {
    const id = await aWideChild()
    expect(bodyOf(await acme.patch(`/mandates/${id}`, change)).version).toBe(2)
  })

  test('can be given a smaller budget, also one that is still larger than that above', async () => {
    const id = await aWideChild()
    for (const budgetTotal of [70, 20]) {
      bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal }))
    }
  })

  test.each<[string, string, object]>([
    ['a higher maximum', '/rules/0/max', { rules: [{ type: 'amount', max: 41 }] }],
    ['another vendor', '/rules/0/allow/0', { rules: [{ type: 'vendors', allow: ['c.com'] }] }],
    [
      'a laxer effect',
      '/rules/0/max',
      { rules: [{ type: 'amount', max: 40, effect: 'flag' }, RULES[1]] },
    ],
  ])('cannot be given %s', async (_, path, change) => {
    const { status, body } = await acme.patch(`/mandates/${await aWideChild()}`, change)
    expect([status, body.code]).toEqual([400, 'mandate_wider_than_parent'])
    expect(body.errors.map((error) => error.path)).toEqual([path])
  })

  test('cannot be given a larger budget, until that fits again', async () => {
    const id = await aWideChild()
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 60 }))
    const { status, body } = await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 61 })
    expect([status, body.code]).toEqual([400, 'mandate_wider_than_parent'])
    expect(body.errors.map((error) => error.path)).toEqual(['/budgetTotal'])
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 20 }))
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 50 }))
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
  setSpent,
  statusOf,
} from '../../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

/** What happens while the clock shows this time. */
async function at<T>(now: number, run: () => Promise<T>): Promise<T> {
  app.clock.now = now
  try {
    return await run()
  } finally {
    app.clock.now = undefined
  }
}

const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString()

async function anExpiredMandate(client: Client): Promise<string> {
  const { id } = await at(Date.now() - 2 * DAY_MS, () =>
    anActiveMandate(client, { validUntil: new Date(Date.now() - DAY_MS).toISOString() }),
  )
  return id
}

describe('activating a mandate', () => {
  test('turns a draft into an active mandate', async () => {
    const draft = await aDraft(acme)
    const active = bodyOf(await acme.post(`/mandates/${draft.id}/activate`))
    expect(active).toMatchObject({ id: draft.id, status: 'active', version: 1 })
    expect(active.activatedAt).not.toBeNull()
    expect(await statusOf(acme, draft.id)).toBe('active')
  })

  test('is refused while the agent has another active mandate', async () => {
    const { agentId } = await anActiveMandate(acme)
    const second = await aDraft(acme, { agentId })
    const { status, body } = await acme.post(`/mandates/${second.id}/activate`)
    expect([status, body.code]).toEqual([409, 'mandate_conflict'])
    expect(await statusOf(acme, second.id)).toBe('draft')
  })

  test('is possible again after the other one was revoked', async () => {
    const { agentId } = await aRevokedMandate(acme)
    expect((await anActiveMandate(acme, { agentId })).status).toBe('active')
  })

  test('is not held up by a mandate whose time is over', async () => {
    const { id, agentId } = await anActiveMandate(acme, { validUntil: tomorrow() })
    const second = await aDraft(acme, { agentId })
    await at(Date.now() + 2 * DAY_MS, async () => {
      expect(await statusOf(acme, id)).toBe('expired')
      expect((await acme.post(`/mandates/${second.id}/activate`)).status).toBe(200)
      expect(await statusOf(acme, id)).toBe('expired')
    })
    // Turned to expired for good: the clock going back does not bring it to life.
    expect(await statusOf(acme, id)).toBe('expired')
  })

  test('is held up by a mandate until the very instant it ends', async () => {
    const validUntil = tomorrow()
    const { id, agentId } = await anActiveMandate(acme, { validUntil })
    const second = await aDraft(acme, { agentId })
    const activate = () => acme.post(`/mandates/${second.id}/activate`)
    expect(await at(Date.parse(validUntil) - 1, () => statusOf(acme, id))).toBe('active')
    expect((await at(Date.parse(validUntil) - 1, activate)).status).toBe(409)
    expect((await at(Date.parse(validUntil), activate)).status).toBe(200)
  })

  test('is refused for a draft that would be over at once', async () => {
    const draft = await aDraft(acme, { validUntil: tomorrow() })
    const { status, body } = await at(Date.now() + 2 * DAY_MS, () =>
      acme.post(`/mandates/${draft.id}/activate`),
    )
    expect([status, body.code, body.mandateStatus]).toEqual([409, 'mandate_state', 'draft'])
    expect(body.allowed).toEqual(['update', 'delete'])
  })

  test('refuses a body with fields, because there are none', async () => {
    const { id } = await aDraft(acme)
    const { status, body } = await acme.post(`/mandates/${id}/activate`, { force: true })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/force', code: 'unknown_field' }])
    expect((await acme.post(`/mandates/${id}/activate`, {})).status).toBe(200)
  })
})

describe('the states of a mandate', () => {
  const made = {
    draft: async () => (await aDraft(acme)).id,
    active: async () => (await anActiveMandate(acme)).id,
    revoked: async () => (await aRevokedMandate(acme)).id,
    expired: () => anExpiredMandate(acme),
  }
  const actions = {
    activate: (id: string) => acme.post(`/mandates/${id}/activate`),
    revoke: (id: string) => acme.post(`/mandates/${id}/revoke`),
    update: (id: string) => acme.patch(`/mandates/${id}`, { name: 'Renamed' }),
    budget: (id: string) => acme.patch(`/mandates/${id}/budget`, { budgetTotal: 5 }),
    delete: (id: string) => acme.delete(`/mandates/${id}`),
  }
  const allowed = {
    draft: ['update', 'activate', 'delete'],
    active: ['update', 'change budget', 'revoke'],
    revoked: ['delete'],
    expired: ['delete'],
  }

  test.each([
    ['revoke', 'draft'],
    ['budget', 'draft'],
    ['activate', 'active'],
    ['delete', 'active'],
    ['activate', 'revoked'],
    ['revoke', 'revoked'],
    ['update', 'revoked'],
    ['budget', 'revoked'],
    ['activate', 'expired'],
    ['revoke', 'expired'],
    ['update', 'expired'],
    ['budget', 'expired'],
  ] as const)('do not let %s a mandate that is %s, and say what is allowed', async (act, state) => {
    const id = await made[state]()
    const { status, body } = await actions[act](id)
    expect([status, body.code, body.mandateStatus]).toEqual([409, 'mandate_state', state])
    expect(body.allowed).toEqual(allowed[state])
    expect(await statusOf(acme, id)).toBe(state)
  })

  test.each([
    ['activate', 'draft'],
    ['update', 'draft'],
    ['delete', 'draft'],
    ['revoke', 'active'],
    ['update', 'active'],
    ['budget', 'active'],
    ['delete', 'revoked'],
    ['delete', 'expired'],
  ] as const)('let %s a mandate that is %s', async (act, state) => {
    expect((await actions[act](await made[state]())).status).toBe(200)
  })
})

describe('the budget of an active mandate', () => {
  test('can be raised and lowered, each as a version', async () => {
    const { id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await setSpent(app, id, { spent: 40, held: 10 })
    const raised = bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 160 }))
    expect(raised).toMatchObject({
      budgetTotal: 160,
      budgetSpent: 40,
      budgetHeld: 10,
      remainingBudget: 120,
      percentUsed: 25,
      exhausted: false,
      version: 2,
    })
    const lowered = bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 40 }))
    expect(lowered).toMatchObject({
      remainingBudget: 0,
      percentUsed: 100,
      exhausted: true,
      version: 3,
    })
  })

  test('cannot fall below what is spent, by not a millionth', async () => {
    const { id } = await anActiveMandate(acme, { budgetTotal: 100 })
    await setSpent(app, id, { spent: 40 })
    const { status, body } = await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 39.999999 })
    expect([status, body.code]).toEqual([409, 'budget_below_spent'])
    expect(body).toMatchObject({ budgetSpent: 40 })
    expect(bodyOf(await acme.get(`/mandates/${id}`))).toMatchObject({
      budgetTotal: 100,
      version: 1,
    })
  })

  test('makes no version when it stays the same', async () => {
    const { id } = await anActiveMandate(acme, { budgetTotal: 100 })
    const after = bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 100 }))
    expect(after.version).toBe(1)
  })

  test.each([[{}], [{ budgetTotal: 0 }], [{ budgetTotal: '5' }], [{ budgetTotal: 5, name: 'x' }]])(
    'is not changed by the body %j',
    async (body) => {
      const { id } = await anActiveMandate(acme)
      expect((await acme.patch(`/mandates/${id}/budget`, body)).status).toBe(400)
    },
  )
})

describe('the period of a budget', () => {
  const january = '2027-01-31T22:30:00Z'

  test('is computed from the clock in the zone of the mandate', async () => {
    const fields = { budgetPeriod: 'monthly', timezone: 'Europe/Berlin' }
    const { id } = await anActiveMandate(acme, fields)
    const before = await at(Date.parse(january), () => acme.get(`/mandates/${id}`))
    expect(before.body).toMatchObject({
      periodStart: '2026-12-31T23:00:00.000Z',
      periodEnd: '2027-01-31T23:00:00.000Z',
    })
    const after = await at(Date.parse('2027-01-31T23:00:00Z'), () => acme.get(`/mandates/${id}`))
    expect(after.body.periodStart).toBe('2027-01-31T23:00:00.000Z')
  })

  test('ends and takes what was spent with it, so that the budget is whole again', async () => {
    const { id } = await anActiveMandate(acme, { budgetPeriod: 'daily', budgetTotal: 100 })
    await setSpent(app, id, { spent: 80, held: 5, periodStart: '2027-01-31T00:00:00Z' })
    const read = (now: string) => at(Date.parse(now), () => acme.get(`/mandates/${id}`))
    expect((await read('2027-01-31T23:59:59.999Z')).body).toMatchObject({
      budgetSpent: 80,
      budgetHeld: 5,
      remainingBudget: 20,
    })
    expect((await read('2027-02-01T00:00:00Z')).body).toMatchObject({
      budgetSpent: 0,
      budgetHeld: 0,
      remainingBudget: 100,
      exhausted: false,
    })
  })

  test('that is over no longer stands against a smaller budget', async () => {
    const { id } = await anActiveMandate(acme, { budgetPeriod: 'daily', budgetTotal: 100 })
    await setSpent(app, id, { spent: 80, periodStart: '2027-01-31T00:00:00Z' })
    const lower = () => acme.patch(`/mandates/${id}/budget`, { budgetTotal: 10 })
    expect((await at(Date.parse('2027-01-31T12:00:00Z'), lower)).status).toBe(409)
    expect((await at(Date.parse('2027-02-01T00:00:00Z'), lower)).status).toBe(200)
  })
})

describe('deleting a mandate', () => {
  test('removes a draft for good', async () => {
    const { id } = await aDraft(acme)
    const { body } = await acme.delete(`/mandates/${id}`)
    expect(body).toEqual({ id, deleted: true, archived: false })
    expect((await acme.get(`/mandates/${id}`)).status).toBe(404)
    expect((await acme.delete(`/mandates/${id}`)).status).toBe(404)
  })

  test('archives an ended one: still readable, listed only among the archived', async () => {
    const { id, agentId } = await aRevokedMandate(acme)
    const { body } = await acme.delete(`/mandates/${id}`)
    expect(body).toEqual({ id, deleted: false, archived: true })
    expect(bodyOf(await acme.get(`/mandates/${id}`)).archivedAt).not.toBeNull()
    const ids = async (query: string) =>
      bodyOf(await acme.get(`/mandates?agentId=${agentId}${query}`)).data.map((row) => row.id)
    expect(await ids('')).toEqual([])
    expect(await ids('&archived=true')).toEqual([id])
  })

  test('archives one that is over by the clock', async () => {
    const id = await anExpiredMandate(acme)
    expect((await acme.delete(`/mandates/${id}`)).body).toMatchObject({ archived: true })
  })

  test('keeps the time of archiving when it is repeated', async () => {
    const { id } = await aRevokedMandate(acme)
    await acme.delete(`/mandates/${id}`)
    const { archivedAt } = bodyOf(await acme.get(`/mandates/${id}`))
    await at(Date.now() + DAY_MS, () => acme.delete(`/mandates/${id}`))
    expect(bodyOf(await acme.get(`/mandates/${id}`)).archivedAt).toBe(archivedAt)
  })

  test('is refused for a draft that has child mandates', async () => {
    const parent = await aDraft(acme)
    const child = await aDraft(acme, { parentMandateId: parent.id })
    const { status, body } = await acme.delete(`/mandates/${parent.id}`)
    expect([status, body.code]).toEqual([409, 'mandate_has_children'])
    await acme.delete(`/mandates/${child.id}`)
    expect((await acme.delete(`/mandates/${parent.id}`)).status).toBe(200)
  })

  test('is refused for an active one of an agent without touching it', async () => {
    const { id: agentId } = await anAgent(acme)
    const { id } = await anActiveMandate(acme, { agentId })
    expect((await acme.delete(`/mandates/${id}`)).status).toBe(409)
    expect(await statusOf(acme, id)).toBe('active')
  })
})

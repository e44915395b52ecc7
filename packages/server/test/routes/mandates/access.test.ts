import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  aKey,
  anActiveMandate,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
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

describe('mandates of others', () => {
  test("answers another organization's mandate exactly as one that does not exist", async () => {
    const foreign = await anActiveMandate(await app.organization('Globex'))
    const calls = [
      (id: string) => acme.get(`/mandates/${id}`),
      (id: string) => acme.get(`/mandates/${id}/versions`),
      (id: string) => acme.patch(`/mandates/${id}`, { name: 'Mine' }),
      (id: string) => acme.patch(`/mandates/${id}/budget`, { budgetTotal: 1 }),
      (id: string) => acme.post(`/mandates/${id}/activate`),
      (id: string) => acme.post(`/mandates/${id}/revoke`),
      (id: string) => acme.delete(`/mandates/${id}`),
    ]
    for (const call of calls) {
      const missing = withoutRequest(await call(NO_MANDATE), NO_MANDATE)
      expect(missing).toMatch(/^404 .*mandate_not_found/)
      expect(withoutRequest(await call(foreign.id), foreign.id)).toBe(missing)
    }
  })

  test('a key bound to agents reads the mandates of its own agents and no others', async () => {
    const [own, other] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { client } = await aKey(app, acme, { agentIds: [own.agentId] })
    expect((await client.get(`/mandates/${own.id}`)).status).toBe(200)
    expect((await client.get(`/mandates/${own.id}/versions`)).status).toBe(200)
    expect((await client.get('/mandates')).body.data.map(({ id }) => id)).toEqual([own.id])
    expect((await client.get(`/mandates?agentId=${other.agentId}`)).body.data).toEqual([])
    for (const rest of ['', '/versions']) {
      const hidden = withoutRequest(await client.get(`/mandates/${other.id}${rest}`), other.id)
      const missing = await client.get(`/mandates/${NO_MANDATE}${rest}`)
      expect(hidden).toBe(withoutRequest(missing, NO_MANDATE))
    }
  })

  test('a key bound to agents never creates, activates, changes, revokes or deletes one', async () => {
    const draft = await aDraft(acme)
    const { id, agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId, draft.agentId] })
    const answers = [
      await client.post('/mandates', { agentId, budgetTotal: 1 }),
      await client.patch(`/mandates/${id}`, { rules: [] }),
      await client.patch(`/mandates/${id}/budget`, { budgetTotal: 900 }),
      await client.post(`/mandates/${draft.id}/activate`),
      await client.post(`/mandates/${id}/revoke`),
      await client.delete(`/mandates/${draft.id}`),
    ]
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array(6).fill('403 agent_bound_key'),
    )
  })
})

describe('the list of mandates', () => {
  test('can be filtered by agent, status and parent', async () => {
    const globex = await app.organization('Globex')
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const active = await anActiveMandate(globex)
    const expiring = await anActiveMandate(globex, { validUntil })
    const revoked = await aRevokedMandate(globex)
    const draft = await aDraft(globex, { parentMandateId: active.id })
    const ids = async (query: string) =>
      bodyOf(await globex.get(`/mandates${query}`)).data.map(({ id }) => id)

    expect(await ids('')).toEqual([draft.id, revoked.id, expiring.id, active.id])
    expect(await ids(`?agentId=${active.agentId}`)).toEqual([active.id])
    expect(await ids(`?parentMandateId=${active.id}`)).toEqual([draft.id])
    expect(await ids('?status=draft')).toEqual([draft.id])
    expect(await ids('?status=active')).toEqual([expiring.id, active.id])
    expect(await ids('?status=revoked')).toEqual([revoked.id])
    expect(await ids('?status=expired')).toEqual([])
    expect(await ids('?archived=true')).toEqual([])
    expect(await ids('?limit=2&offset=1')).toEqual([revoked.id, expiring.id])
    app.clock.now = Date.parse(validUntil)
    const [over, live] = [await ids('?status=expired'), await ids('?status=active')]
    app.clock.now = undefined
    expect([over, live]).toEqual([[expiring.id], [active.id]])
  })

  test.each([
    ['agentId=me', '/agentId'],
    ['parentMandateId=mnd_1', '/parentMandateId'],
    ['status=live', '/status'],
    ['archived=maybe', '/archived'],
    ['limit=500', '/limit'],
  ])('refuses %s and names the parameter', async (query, path) => {
    const { status, body } = await acme.get(`/mandates?${query}`)
    expect(status).toBe(400)
    expect(body.errors[0]?.path).toBe(path)
  })
})

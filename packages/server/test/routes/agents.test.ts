import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  aKey,
  anActiveMandate,
  anAgent,
  bodyOf,
  DAY_MS,
  NO_AGENT,
  withoutRequest,
} from '../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('registering an agent', () => {
  test('needs a name and fills in the rest', async () => {
    const { status, body } = await acme.post('/agents', { name: 'Research' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Research',
      description: null,
      status: 'active',
      externalId: null,
      tags: [],
      metadata: {},
      lastSeenAt: null,
    })
    expect(body).not.toHaveProperty('mandate')
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('keeps everything that was given, and gives it back on reading', async () => {
    const given = {
      name: 'Büro 🦊',
      description: 'line one\nline two',
      status: 'paused',
      externalId: 'crew-7/researcher',
      tags: ['research', 'team:growth'],
      metadata: { owner: 'growth@example.com', 'a key with blanks': '' },
    }
    const created = await anAgent(acme, given)
    expect(created).toMatchObject(given)
    expect(bodyOf(await acme.get(`/agents/${created.id}`))).toMatchObject(created)
  })

  test('refuses an externalId that another agent of the organization has', async () => {
    await anAgent(acme, { externalId: 'taken' })
    const { status, body } = await acme.post('/agents', { name: 'Second', externalId: 'taken' })
    expect([status, body.code]).toEqual([409, 'external_id_taken'])
  })

  test('lets two organizations use the same externalId', async () => {
    const globex = await app.organization('Globex')
    await anAgent(acme, { externalId: 'same' })
    await expect(anAgent(globex, { externalId: 'same' })).resolves.toBeDefined()
  })

  test('lets the externalId of a deleted agent be used again', async () => {
    const { id } = await anAgent(acme, { externalId: 'again' })
    await acme.delete(`/agents/${id}`)
    await expect(anAgent(acme, { externalId: 'again' })).resolves.toBeDefined()
  })

  test.each([
    ['a key of more than 64 characters', { ['k'.repeat(65)]: 'x' }],
    ['an empty key', { '': 'x' }],
    ['a value that is not a text', { owner: 7 }],
    ['a value that is not a text under a long key', { ['k'.repeat(65)]: 7 }],
    ['a key with a line break', { 'a\nb': 'x' }],
    [
      'more than 20 entries',
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])),
    ],
  ])('refuses metadata with %s', async (_, metadata) => {
    const { status, body } = await acme.post('/agents', { name: 'Odd', metadata })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors[0]?.path).toMatch(/^\/metadata/)
  })

  test.each([
    [['UPPER']],
    [['with blank']],
    [['twice', 'twice']],
    [Array.from({ length: 33 }, (_, n) => `t${n}`)],
  ])('refuses the tags %j', async (tags) => {
    const { status, body } = await acme.post('/agents', { name: 'Odd', tags })
    expect(status).toBe(400)
    expect(body.errors[0]?.path).toMatch(/^\/tags/)
  })
})

describe('reading an agent', () => {
  test('embeds the active mandate only when asked, and null while there is none', async () => {
    const agent = await anAgent(acme)
    const url = `/agents/${agent.id}?include=mandate`
    expect((await acme.get(url)).body.mandate).toBeNull()
    const mandate = await anActiveMandate(acme, { agentId: agent.id, budgetTotal: 70 })
    expect((await acme.get(url)).body.mandate).toMatchObject({ id: mandate.id, budgetTotal: 70 })
    expect((await acme.get(`/agents/${agent.id}`)).body).not.toHaveProperty('mandate')
  })

  test('does not embed a mandate whose time is over', async () => {
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const { agentId } = await anActiveMandate(acme, { validUntil })
    app.clock.now = Date.now() + 2 * DAY_MS
    const { body } = await acme.get(`/agents/${agentId}?include=mandate`)
    app.clock.now = undefined
    expect(body.mandate).toBeNull()
  })

  test("answers another organization's agent exactly as one that does not exist", async () => {
    const foreign = await anAgent(await app.organization('Globex'))
    for (const method of ['get', 'patch', 'delete'] as const) {
      const body = method === 'patch' ? { name: 'Mine' } : undefined
      const call = (id: string) =>
        method === 'patch' ? acme.patch(`/agents/${id}`, body) : acme[method](`/agents/${id}`)
      const missing = withoutRequest(await call(NO_AGENT), NO_AGENT)
      expect(withoutRequest(await call(foreign.id), foreign.id)).toBe(missing)
      expect(missing).toMatch(/^404 .*agent_not_found/)
    }
  })
})

describe('changing an agent', () => {
  test('changes the fields that are named and leaves the others', async () => {
    const before = await anAgent(acme, { description: 'old', tags: ['a'], metadata: { k: 'v' } })
    const changed = bodyOf(
      await acme.patch(`/agents/${before.id}`, { status: 'paused', description: null }),
    )
    expect(changed).toEqual({
      ...before,
      status: 'paused',
      description: null,
      updatedAt: changed.updatedAt,
    })
    expect(bodyOf(await acme.get(`/agents/${before.id}`))).toMatchObject(changed)
  })

  test.each([
    ['id', NO_AGENT],
    ['createdAt', '2026-01-01T00:00:00Z'],
    ['lastSeenAt', null],
    ['organizationId', 'org_1'],
  ])('refuses %s, which is not for callers to set', async (field, value) => {
    const { id } = await anAgent(acme)
    const { status, body } = await acme.patch(`/agents/${id}`, { [field]: value })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: `/${field}`, code: 'unknown_field' }])
  })

  test('refuses a change that changes nothing', async () => {
    const { id } = await anAgent(acme)
    expect((await acme.patch(`/agents/${id}`, {})).status).toBe(400)
  })

  test('refuses an externalId that another agent has', async () => {
    await anAgent(acme, { externalId: 'first' })
    const { id } = await anAgent(acme)
    const { status, body } = await acme.patch(`/agents/${id}`, { externalId: 'first' })
    expect([status, body.code]).toEqual([409, 'external_id_taken'])
  })
})

describe('a key bound to agents', () => {
  test('reads its own agents and knows of no others', async () => {
    const [own, other] = [await anAgent(acme), await anAgent(acme)]
    const { client } = await aKey(app, acme, { agentIds: [own.id] })
    expect((await client.get(`/agents/${own.id}`)).status).toBe(200)
    expect((await client.get('/agents')).body.data.map(({ id }) => id)).toEqual([own.id])
    expect((await client.get('/agents')).body.total).toBe(1)
    const hidden = withoutRequest(await client.get(`/agents/${other.id}`), other.id)
    expect(hidden).toBe(withoutRequest(await client.get(`/agents/${NO_AGENT}`), NO_AGENT))
  })

  test('never registers, changes or deletes agents, not even its own', async () => {
    const { id } = await anAgent(acme)
    const { client } = await aKey(app, acme, { agentIds: [id] })
    const answers = [
      await client.post('/agents', { name: 'More' }),
      await client.patch(`/agents/${id}`, { status: 'active' }),
      await client.delete(`/agents/${id}`),
    ]
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array(3).fill('403 agent_bound_key'),
    )
  })
})

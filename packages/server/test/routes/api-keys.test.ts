import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/api-key.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  aKey,
  anAgent,
  bodyOf,
  DAY_MS,
  NO_AGENT,
  NO_KEY,
  withoutRequest,
} from '../support/builders.ts'
import { listOperations, readDocument } from '../support/operations.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

describe('creating an API key', () => {
  test('needs a name; without more the key may do everything and never expires', async () => {
    const key = bodyOf(await acme.post('/api-keys', { name: 'Crew' }))
    expect(key).toMatchObject({
      name: 'Crew',
      scopes: null,
      agentIds: null,
      expiresAt: null,
      lastUsedAt: null,
    })
    expect(key.apiKey).toMatch(/^psr_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/)
    expect(key.apiKey.startsWith(`${key.prefix}_`)).toBe(true)
    expect((await app.client(key.apiKey).get('/agents')).status).toBe(200)
  })

  test('keeps scopes, agents and expiry', async () => {
    const { id } = await anAgent(acme)
    const given = { scopes: ['gateway:write'], agentIds: [id], expiresAt: inDays(1) }
    const { key } = await aKey(app, acme, given)
    expect(key).toMatchObject(given)
  })

  test('shows the key once: no list and no table holds it', async () => {
    const { key } = await aKey(app, acme)
    const secret = key.apiKey.slice(key.prefix.length + 1)
    const list = await acme.get('/api-keys')
    expect(list.text).toContain(key.id)
    expect(list.text).not.toContain(secret)
    expect(list.body.data[0]).not.toHaveProperty('apiKey')
    const [row] = await app.rows<{ text: string }>(
      'select row_to_json(k)::text as text from api_keys k where public_id = $1',
      [key.prefix],
    )
    expect(row?.text).toContain(key.prefix)
    expect(row?.text).not.toContain(secret)
  })

  test.each([
    ['in the past', () => ({ expiresAt: inDays(-1) }), '/expiresAt'],
    ['of no time at all', () => ({ expiresAt: 'tomorrow' }), '/expiresAt'],
    ['with no scope', () => ({ scopes: [] }), '/scopes'],
    ['with an unknown scope', () => ({ scopes: ['money:write'] }), '/scopes/0'],
    ['with a scope twice', () => ({ scopes: ['keys:read', 'keys:read'] }), '/scopes'],
    ['bound to no agent', () => ({ agentIds: [] }), '/agentIds'],
    ['bound to an agent that does not exist', () => ({ agentIds: [NO_AGENT] }), '/agentIds/0'],
    ['without a name', () => ({ name: '' }), '/name'],
  ])('is refused for a key %s', async (_, fields, path) => {
    const { status, body } = await acme.post('/api-keys', { name: 'Odd', ...fields() })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error) => error.path)).toContain(path)
  })

  test("is refused for another organization's agent exactly as for a missing one", async () => {
    const { id } = await anAgent(await app.organization('Globex'))
    const bind = (agentId: string) => acme.post('/api-keys', { name: 'x', agentIds: [agentId] })
    expect(withoutRequest(await bind(id), id)).toBe(withoutRequest(await bind(NO_AGENT), NO_AGENT))
  })
})

describe('the scopes of a key', () => {
  test('let it do what they name, and no operation of another scope', async () => {
    const operations = listOperations(await readDocument(app.app))
    const needed = (description = '') => /`([a-z]+:(?:read|write))`/.exec(description)?.[1]
    const { client: auditor } = await aKey(app, acme, { scopes: ['audit:read'] })
    const { client: other } = await aKey(app, acme, { scopes: ['keys:read'] })
    for (const { method, path, description } of operations) {
      const scope = needed(description)
      expect(scope, `${method} ${path} names its scope`).toBeDefined()
      const url = path.replace('/api/v1', '').replace('{id}', 'any')
      const client = scope === 'audit:read' ? other : auditor
      const { status, body } = await client.send(method, url)
      expect([status, body.code], `${method} ${path}`).toEqual([403, 'insufficient_scope'])
      expect(body).toMatchObject({ requiredScope: scope })
    }
  })

  test('of reading do not include writing', async () => {
    const { client } = await aKey(app, acme, { scopes: ['agents:read'] })
    expect((await client.get('/agents')).status).toBe(200)
    expect((await client.post('/agents', { name: 'x' })).status).toBe(403)
  })

  test('of writing include reading', async () => {
    const { client } = await aKey(app, acme, { scopes: ['agents:write'] })
    expect((await client.get('/agents')).status).toBe(200)
    expect((await client.get('/mandates')).status).toBe(403)
  })

  test('cannot be exceeded by the keys it makes', async () => {
    const { client } = await aKey(app, acme, { scopes: ['keys:write', 'agents:write'] })
    const make = (scopes?: readonly string[] | null) =>
      client.post('/api-keys', { name: 'Child', ...(scopes !== undefined && { scopes }) })
    for (const more of [undefined, null, ['agents:write', 'mandates:read'], [...SCOPES]]) {
      const { status, body } = await make(more)
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    }
    expect((await make(['agents:read', 'keys:read'])).status).toBe(200)
  })

  test('are not widened by repeating the Idempotency-Key of a mightier key', async () => {
    const { client } = await aKey(app, acme, { scopes: ['keys:write'] })
    const headers = { 'idempotency-key': 'guessed' }
    const first = bodyOf(await acme.post('/api-keys', { name: 'Full' }, headers))
    const { status, text } = await client.post('/api-keys', { name: 'Full' }, headers)
    expect(status).toBe(409)
    expect(text).not.toContain(first.apiKey)
  })

  test('do not let a key that is bound to agents touch keys or the organization', async () => {
    const { id } = await anAgent(acme)
    const { key, client } = await aKey(app, acme, { agentIds: [id] })
    const answers = [
      await client.post('/api-keys', { name: 'More' }),
      await client.get('/api-keys'),
      await client.delete(`/api-keys/${key.id}`),
      await client.get('/organization'),
      await client.patch('/organization', { frozen: false }),
    ]
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array(5).fill('403 agent_bound_key'),
    )
  })
})

describe('a key', () => {
  test('works until the very instant it expires', async () => {
    const { key, client } = await aKey(app, acme, { expiresAt: inDays(1) })
    const end = Date.parse(key.expiresAt ?? '')
    app.clock.now = end - 1
    const before = await client.get('/agents')
    app.clock.now = end
    const after = await client.get('/agents')
    app.clock.now = undefined
    expect([before.status, after.status]).toEqual([200, 401])
  })

  test('is refused soon after it was revoked, and is gone from the list', async () => {
    const { key, client } = await aKey(app, acme)
    expect((await client.get('/agents')).status).toBe(200)
    const { body } = await acme.delete(`/api-keys/${key.id}`)
    expect(body).toEqual({ id: key.id, revoked: true, revokedKeys: 1 })
    await expect.poll(async () => (await client.get('/agents')).status).toBe(401)
    expect((await acme.get('/api-keys')).text).not.toContain(key.id)
    const again = await acme.delete(`/api-keys/${key.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'api_key_not_found'])
  })

  test('of another organization cannot be revoked or told from a missing one', async () => {
    const globex = await app.organization('Globex')
    const { key, client } = await aKey(app, globex)
    const foreign = withoutRequest(await acme.delete(`/api-keys/${key.id}`), key.id)
    expect(foreign).toBe(withoutRequest(await acme.delete(`/api-keys/${NO_KEY}`), NO_KEY))
    expect((await client.get('/agents')).status).toBe(200)
  })

  test('that revokes itself is refused from then on', async () => {
    const { key, client } = await aKey(app, acme)
    expect((await client.delete(`/api-keys/${key.id}`)).status).toBe(200)
    await expect.poll(async () => (await client.get('/agents')).status).toBe(401)
  })

  test('with one character of its secret changed is refused', async () => {
    const { key } = await aKey(app, acme)
    const last = key.apiKey.at(-1) === 'A' ? 'B' : 'A'
    expect((await app.client(key.apiKey.slice(0, -1) + last).get('/agents')).status).toBe(401)
  })

  test('is found by its public part but not accepted with the secret of another', async () => {
    const [one, two] = [await aKey(app, acme), await aKey(app, acme)]
    // The hash of the second key under the public part of the first: the checksum is right then.
    await app.rows(
      `update api_keys set secret_hash = (select secret_hash from api_keys where public_id = $2)
       where public_id = $1`,
      [one.key.prefix, two.key.prefix],
    )
    expect((await one.client.get('/agents')).status).toBe(401)
  })
})

describe('the last use of a key', () => {
  const lastUse = async (id: string) => {
    const { data } = bodyOf(await acme.get('/api-keys'))
    return data.find((key) => key.id === id)?.lastUsedAt ?? null
  }

  test('is shown, and written at most once a minute', async () => {
    const { key, client } = await aKey(app, acme)
    expect(await lastUse(key.id)).toBeNull()
    const start = Date.now()
    const useAt = async (now: number) => {
      app.clock.now = now
      await client.get('/agents')
    }
    await useAt(start)
    await expect.poll(() => lastUse(key.id)).toBe(new Date(start).toISOString())
    await useAt(start + 59_999)
    await useAt(start + 60_000)
    await expect.poll(() => lastUse(key.id)).toBe(new Date(start + 60_000).toISOString())
    await useAt(start + 60_001)
    await useAt(start + 119_999)
    await acme.get('/agents')
    expect(await lastUse(key.id)).toBe(new Date(start + 60_000).toISOString())
    app.clock.now = undefined
  })

  test('is not written for a request that was refused for its scope', async () => {
    const { key, client } = await aKey(app, acme, { scopes: ['audit:read'] })
    await client.get('/agents')
    expect(await lastUse(key.id)).toBeNull()
  })
})

describe('the list of API keys', () => {
  test('has live keys of the organization, newest first, page by page', async () => {
    const globex = await app.organization('Globex')
    const first = bodyOf(await globex.get('/api-keys')).data[0]
    const one = await aKey(app, globex)
    const two = await aKey(app, globex)
    const page = bodyOf(await globex.get('/api-keys?limit=2'))
    expect(page).toMatchObject({ total: 3, limit: 2, hasMore: true })
    expect(page.data.map(({ id }) => id)).toEqual([two.key.id, one.key.id])
    const next = bodyOf(await globex.get(`/api-keys?limit=2&cursor=${page.nextCursor}`))
    expect(next.data.map(({ id }) => id)).toEqual([first?.id])
    expect(bodyOf(await globex.get('/api-keys?offset=2')).data).toHaveLength(1)
  })

  test.each(['limit=0', 'offset=10001', 'cursor=%00', 'name=x'])('refuses %s', async (query) => {
    const { status, body } = await acme.get(`/api-keys?${query}`)
    expect(status).toBe(400)
    expect(body.errors[0]?.path).toBe(`/${query.split('=')[0]}`)
  })
})

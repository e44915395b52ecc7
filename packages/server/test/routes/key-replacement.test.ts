import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anAgent, bodyOf, HOUR_MS, NO_KEY } from '../support/builders.ts'
import { changesOf } from '../support/changes.ts'
import { aMember } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
})
beforeEach(async () => {
  acme = await app.organization()
})
afterEach(() => {
  app.clock.now = undefined
})
afterAll(() => app.stop())

const listed = async (query = '') =>
  bodyOf(await acme.get(`/api-keys${query}`)).data.map(({ name }) => name)

describe('a key that replaces another', () => {
  test('takes its name, scopes and agents, and the old one is valid until the overlap ends', async () => {
    const { id: agentId } = await anAgent(acme)
    const fields = { name: 'Crew', agentIds: [agentId], scopes: ['gateway:read'] }
    const { key, client } = await aKey(app, acme, fields)
    const made = bodyOf(await acme.post('/api-keys', { replaces: key.id, overlapSeconds: 3_600 }))
    expect(made).toMatchObject({ ...fields, expiresAt: null })
    expect(made.apiKey).not.toBe(key.apiKey)
    const status = async () => (await client.get('/agents')).status
    expect(await status()).toBe(200)
    const [, old] = bodyOf(await acme.get('/api-keys')).data
    const end = Date.parse(Object(old).expiresAt)
    expect(end).toBe(Date.parse(made.createdAt) + HOUR_MS)
    app.clock.now = end - 1
    expect(await status()).toBe(200)
    app.clock.now = end
    expect(await status()).toBe(401)
    expect((await app.client(made.apiKey).get('/agents')).status).toBe(200)
  })

  test('ends the old one at once without an overlap, and can have other terms', async () => {
    const { key, client } = await aKey(app, acme, { name: 'Old', scopes: ['agents:read'] })
    bodyOf(await client.get('/agents'))
    const terms = { name: 'New', scopes: ['mandates:read'] }
    expect(bodyOf(await acme.post('/api-keys', { replaces: key.id, ...terms }))).toMatchObject(
      terms,
    )
    await waitUntil(async () => (await client.get('/agents')).status === 401)
  })

  test('never makes the old one valid for longer', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
    const { key } = await aKey(app, acme, { expiresAt })
    bodyOf(await acme.post('/api-keys', { replaces: key.id, overlapSeconds: 604_800 }))
    expect(bodyOf(await acme.get('/api-keys')).data[1]).toMatchObject({ id: key.id, expiresAt })
  })

  test('leaves a record about each of the two', async () => {
    const { key } = await aKey(app, acme)
    const { id } = bodyOf(await acme.post('/api-keys', { replaces: key.id }))
    const changes = await changesOf(app, acme)
    expect(changes.slice(-2)).toMatchObject([
      { operation: 'api_key.created', subjectId: id },
      { operation: 'api_key.replaced', subjectId: key.id, after: { replacedBy: id } },
    ])
  })

  test('can replace itself, even as the last key that can manage keys', async () => {
    const { data } = bodyOf(await acme.get('/api-keys'))
    const made = bodyOf(await acme.post('/api-keys', { replaces: data[0]?.id }))
    await waitUntil(async () => (await acme.get('/api-keys')).status === 401)
    expect(bodyOf(await app.client(made.apiKey).get('/api-keys')).total).toBe(2)
  })

  test.each([
    ['of a key that does not exist', { replaces: NO_KEY }, 404, 'api_key_not_found'],
    ['without a name', {}, 400, 'validation_failed'],
    ['with an overlap alone', { name: 'A', overlapSeconds: 1 }, 400, 'validation_failed'],
  ])('is refused %s', async (_, body, status, code) => {
    const answer = await acme.post('/api-keys', body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('is refused if no key could manage keys any more', async () => {
    const { data } = bodyOf(await acme.get('/api-keys'))
    const body = { replaces: data[0]?.id, scopes: ['gateway:read'] }
    const answer = await acme.post('/api-keys', body)
    expect([answer.status, answer.body.code]).toEqual([409, 'last_managing_key'])
    expect(await listed()).toHaveLength(1)
  })

  test('may leave no key that manages keys while there is an owner, who can create one', async () => {
    const owner = await aMember(app, acme)
    const { data } = bodyOf(await acme.get('/api-keys'))
    const body = { replaces: data[0]?.id, scopes: ['gateway:read'] }
    expect((await owner.post('/api/v1/api-keys', body)).status).toBe(200)
  })

  test('is refused to a key with fewer scopes, and for a key of another organization', async () => {
    const { key } = await aKey(app, acme)
    const { client } = await aKey(app, acme, { scopes: ['keys:write'] })
    const few = await client.post('/api-keys', { replaces: key.id, scopes: ['keys:write'] })
    expect([few.status, few.body.code]).toEqual([403, 'insufficient_scope'])
    const globex = await app.organization('Globex')
    const other = await globex.post('/api-keys', { replaces: key.id })
    expect([other.status, other.body.code]).toEqual([404, 'api_key_not_found'])
  })
})

describe('the list of keys', () => {
  test('has the keys of an agent', async () => {
    const [{ id: mine }, { id: other }] = [await anAgent(acme), await anAgent(acme)]
    await aKey(app, acme, { name: 'Mine', agentIds: [mine] })
    await aKey(app, acme, { name: 'Both', agentIds: [other, mine] })
    await aKey(app, acme, { name: 'Other', agentIds: [other] })
    expect(await listed(`?agentId=${mine}`)).toEqual(['Both', 'Mine'])
  })

  test('has revoked keys if asked for', async () => {
    const { key } = await aKey(app, acme, { name: 'Gone' })
    bodyOf(await acme.delete(`/api-keys/${key.id}`))
    expect(await listed()).toEqual(['First key'])
    expect(await listed('?status=active')).toEqual(['First key'])
    expect(await listed('?status=revoked')).toEqual(['Gone'])
    expect(await listed('?status=all')).toEqual(['Gone', 'First key'])
    const [gone, first] = bodyOf(await acme.get('/api-keys?status=all')).data.map(Object)
    expect(Date.parse(gone.revokedAt)).toBeGreaterThan(0)
    expect(first.revokedAt).toBeNull()
  })
})

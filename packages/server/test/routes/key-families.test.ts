import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { aMember } from '../support/people.ts'
import { holdLocks } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

async function listed(owner: Owner) {
  return bodyOf(await owner.get('/api-keys')).data
}

describe('who made a key', () => {
  test('is shown: the operator, or another key', async () => {
    acme = await app.organization()
    const [first] = await listed(acme)
    expect(first?.createdBy).toBe('cli')
    const { key, client } = await aKey(app, acme)
    expect(key.createdBy).toBe(first?.id)
    const { key: grandchild } = await aKey(app, client)
    expect(grandchild.createdBy).toBe(key.id)
    expect((await listed(acme)).map(({ createdBy }) => createdBy)).toEqual([
      key.id,
      first?.id,
      'cli',
    ])
  })

  test('is not known of a key that an older gateway has made', async () => {
    acme = await app.organization()
    const { key } = await aKey(app, acme)
    await app.rows('update api_keys set created_by = null where public_id = $1', [key.prefix])
    expect((await listed(acme))[0]?.createdBy).toBeNull()
  })
})

describe('revoking a key', () => {
  test('takes along the keys that it made, and those that they made, if asked to', async () => {
    acme = await app.organization()
    const parent = await aKey(app, acme)
    const child = await aKey(app, parent.client)
    const grandchild = await aKey(app, child.client)
    const other = await aKey(app, acme)
    // A key between them that is revoked already does not cut the family in two.
    expect(bodyOf(await acme.delete(`/api-keys/${child.key.id}`)).revokedKeys).toBe(1)
    const url = `/api-keys/${parent.key.id}?withDescendants=true`
    expect(bodyOf(await acme.delete(url)).revokedKeys).toBe(2)
    for (const { client } of [parent, grandchild]) {
      await waitUntil(async () => (await client.get('/agents')).status === 401)
    }
    expect((await other.client.get('/agents')).status).toBe(200)
    expect((await listed(acme)).map(({ id }) => id)).toContain(other.key.id)
  })

  test('leaves the keys that it made, unless asked to take them along', async () => {
    acme = await app.organization()
    const parent = await aKey(app, acme)
    const child = await aKey(app, parent.client)
    bodyOf(await acme.delete(`/api-keys/${parent.key.id}`))
    await waitUntil(async () => (await parent.client.get('/agents')).status === 401)
    expect((await child.client.get('/agents')).status).toBe(200)
  })

  test('never touches a key of another organization, whatever made it', async () => {
    acme = await app.organization()
    const globex = await app.organization('Globex')
    const parent = await aKey(app, acme)
    const theirs = await aKey(app, globex)
    await app.rows(
      `update api_keys set created_by = (select id::text from api_keys where public_id = $2)
       where public_id = $1`,
      [theirs.key.prefix, parent.key.prefix],
    )
    const url = `/api-keys/${parent.key.id}?withDescendants=true`
    expect(bodyOf(await acme.delete(url)).revokedKeys).toBe(1)
    expect((await theirs.client.get('/agents')).status).toBe(200)
  })

  test('needs every scope of the key, and of each that is taken along', async () => {
    acme = await app.organization()
    const weak = await aKey(app, acme, { scopes: ['keys:write', 'agents:read'] })
    const [first] = await listed(acme).then((keys) => keys.toReversed())
    const strong = await aKey(app, acme, { scopes: ['agents:write'] })
    const equal = await aKey(app, acme, { scopes: ['keys:read', 'agents:read'] })
    for (const id of [first?.id, strong.key.id]) {
      const { status, body } = await weak.client.delete(`/api-keys/${id}`)
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    }
    await app.rows(
      `update api_keys set created_by = (select id::text from api_keys where public_id = $2)
       where public_id = $1`,
      [strong.key.prefix, equal.key.prefix],
    )
    const url = `/api-keys/${equal.key.id}`
    expect((await weak.client.delete(`${url}?withDescendants=true`)).status).toBe(403)
    expect((await weak.client.delete(url)).status).toBe(200)
  })
})

describe('a key that is revoked', () => {
  test('makes no other, though this process has not heard of it yet', async () => {
    acme = await app.organization()
    const { key, client } = await aKey(app, acme)
    bodyOf(await client.get('/agents'))
    // Nobody is told, so for a moment the key is still admitted.
    await app.rows('update api_keys set revoked_at = now() where public_id = $1', [key.prefix])
    const { status, body } = await client.post('/api-keys', { name: 'Left behind' })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await listed(acme)).map(({ name }) => name)).not.toContain('Left behind')
  })

  test.runIf(usualEngine() === 'postgres')(
    'leaves none behind that it was just making, where those are taken along',
    async () => {
      acme = await app.organization()
      const { key, client } = await aKey(app, acme)
      const { db } = app.database
      const held = await holdLocks(db, { text: 'lock table api_keys in share row exclusive mode' })
      const waits = (statement: string) => async () =>
        (
          await db.query({
            text: `select 1 from pg_stat_activity where datname = current_database()
                   and wait_event_type = 'Lock' and query ~ $1`,
            values: [statement],
          })
        ).length > 0
      const made = client.post('/api-keys', { name: 'Left behind' })
      await waitUntil(waits('insert into api_keys'))
      const revoked = acme.delete(`/api-keys/${key.id}?withDescendants=true`)
      await waitUntil(waits('for no key update|set revoked_at'))
      await held.release()
      await Promise.all([made, revoked])
      expect((await listed(acme)).map(({ createdBy }) => createdBy)).not.toContain(key.id)
    },
  )
})

describe('the last key that can manage keys', () => {
  test('cannot be revoked: the answer says what to do', async () => {
    acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    await aKey(app, acme, { scopes: ['keys:read', 'gateway:write'] })
    await aKey(app, acme, { agentIds: [agentId], scopes: ['keys:write'] })
    const expiring = await aKey(app, acme)
    await app.rows(`update api_keys set expires_at = now() - interval '1 s' where public_id = $1`, [
      expiring.key.prefix,
    ])
    const keys = await listed(acme)
    const url = `/api-keys/${keys.at(-1)?.id}`
    for (const query of ['', '?withDescendants=true']) {
      const { status, body } = await acme.delete(url + query)
      expect([status, body.code]).toEqual([409, 'last_managing_key'])
      expect(body.detail).toContain('Create another one first')
    }
    expect(await listed(acme)).toHaveLength(keys.length)
    await aKey(app, acme, { scopes: ['keys:write'] })
    expect((await acme.delete(url)).status).toBe(200)
  })

  test.each(['owner', 'admin'] as const)('can be revoked while there is an %s', async (role) => {
    acme = await app.organization()
    const first = (await listed(acme)).at(-1)
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const refused = await acme.delete(`/api-keys/${first?.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_managing_key'])
    const member = await aMember(app, acme, { role })
    expect((await viewer.delete(`/api/v1/api-keys/${first?.id}`)).status).toBe(403)
    expect((await member.delete(`/api/v1/api-keys/${first?.id}`)).status).toBe(200)
    // No key can manage keys any more, and members go on revoking and creating them.
    const made = await member.post('/api/v1/api-keys', { name: 'Agents', scopes: ['gateway:read'] })
    expect((await member.delete(`/api/v1/api-keys/${made.body.id}`)).status).toBe(200)
  })

  test('is left by any number of revocations at once', async () => {
    acme = await app.organization()
    const second = usualEngine() === 'postgres' ? await joinTestApp(app) : undefined
    const others = await Promise.all(Array.from({ length: 5 }, () => aKey(app, acme)))
    const [first] = (await listed(acme)).toReversed()
    const clients = [acme, ...others.map(({ client }) => client)]
    const ids = [first?.id, ...others.map(({ key }) => key.id)]
    // Each revokes the next one, so that each could be the last for somebody else.
    const answers = await Promise.all(
      clients.map(({ apiKey }, place) => {
        const through = second && place % 2 === 1 ? second : app
        return through.client(apiKey).delete(`/api-keys/${ids[(place + 1) % ids.length]}`)
      }),
    )
    await second?.stop()
    const revoked = answers.filter(({ status }) => status === 200).length
    const [row] = await app.rows<{ count: string }>(
      `select count(*) from api_keys where organization_id = $1 and revoked_at is null`,
      [acme.organizationId],
    )
    expect(Number(row?.count)).toBe(ids.length - revoked)
    expect(Number(row?.count)).toBeGreaterThanOrEqual(1)
  })

  test('is one of two that are revoked at once: exactly one revocation passes', async () => {
    acme = await app.organization()
    const { key, client } = await aKey(app, acme)
    const first = (await listed(acme)).at(-1)
    const answers = await Promise.all([
      acme.delete(`/api-keys/${key.id}`),
      client.delete(`/api-keys/${first?.id}`),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // The other came too late to be admitted, or to be the one that passes.
    expect(statuses.filter((status) => status === 409 || status === 401)).toHaveLength(1)
  })
})

describe('a key that is bound to agents', () => {
  const SCOPES = ['gateway:read', 'gateway:write', 'transactions:read', 'transactions:write']

  test('gets what an agent needs when it is made without scopes, and the answer says so', async () => {
    acme = await app.organization()
    const { id } = await anAgent(acme)
    for (const fields of [{}, { scopes: null }]) {
      const { key } = await aKey(app, acme, { agentIds: [id], ...fields })
      expect([key.scopes, key.warnings]).toEqual([SCOPES, []])
    }
    expect((await listed(acme))[0]?.scopes).toEqual(SCOPES)
  })

  test('is made only by a key that has those scopes itself', async () => {
    acme = await app.organization()
    const { id } = await anAgent(acme)
    const { client } = await aKey(app, acme, { scopes: ['keys:write'] })
    const { status } = await client.post('/api-keys', { name: 'Bound', agentIds: [id] })
    expect(status).toBe(403)
  })

  test('keeps every scope if it was made with all, and the list marks it', async () => {
    acme = await app.organization()
    const { id } = await anAgent(acme)
    const { key, client } = await aKey(app, acme, { agentIds: [id] })
    await app.rows('update api_keys set scopes = null where public_id = $1', [key.prefix])
    const [marked] = await listed(acme)
    expect([marked?.scopes, marked?.warnings.map(({ code }) => code)]).toEqual([
      null,
      ['bound_key_has_every_scope'],
    ])
    expect((await client.get('/transactions')).status).toBe(200)
  })

  test('reads its own agent, mandate and budget with gateway:read, and no other', async () => {
    acme = await app.organization()
    const own = await anActiveMandate(acme, { budgetTotal: 70 })
    const other = await anActiveMandate(acme)
    const scopes = ['gateway:read']
    const { client } = await aKey(app, acme, { agentIds: [own.agentId], scopes })
    expect(bodyOf(await client.get(`/agents/${own.agentId}?include=mandate`)).mandate?.id).toBe(
      own.id,
    )
    expect(bodyOf(await client.get(`/mandates/${own.id}`)).remainingBudget).toBe(70)
    expect(bodyOf(await client.get('/agents')).data.map(({ id }) => id)).toEqual([own.agentId])
    expect(bodyOf(await client.get('/mandates')).data.map(({ id }) => id)).toEqual([own.id])
    expect((await client.get(`/agents/${other.agentId}`)).status).toBe(404)
    expect((await client.get(`/mandates/${other.id}`)).status).toBe(404)
    const unbound = await aKey(app, acme, { scopes })
    expect((await unbound.client.get(`/agents/${own.agentId}`)).status).toBe(403)
    expect((await unbound.client.get(`/mandates/${own.id}`)).status).toBe(403)
  })
})

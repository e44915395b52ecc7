import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWrite } from '../../src/http/idempotency.ts'
import type { Tx } from '../../src/storage/engine/database.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey, anAgent, bodyOf, DAY_MS } from '../support/builders.ts'
import { dumpTables } from '../support/tables.ts'

let counter = 0
const aFreshKey = () => ({ 'idempotency-key': `key ${counter++} of this file` })

describe('an Idempotency-Key', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const countOf = async (name: string) => {
    const { data } = bodyOf(await acme.get('/agents?limit=200'))
    return data.filter((agent) => agent.name === name).length
  }

  test('gives the first answer again, byte for byte, and creates nothing', async () => {
    const headers = aFreshKey()
    const body = { name: 'Once', metadata: { '2': 'b', '1': 'a', z: 'ä😀' } }
    const first = await acme.post('/agents', body, headers)
    const second = await acme.post('/agents', body, headers)
    expect(first.status).toBe(200)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(await countOf('Once')).toBe(1)
  })

  test('is honoured by every kind of change', async () => {
    const draft = await aDraft(acme)
    const calls = [
      ['PATCH', `/agents/${draft.agentId}`, { name: 'Renamed' }],
      ['PATCH', `/mandates/${draft.id}`, { budgetTotal: 50 }],
      ['POST', `/mandates/${draft.id}/activate`, undefined],
      ['PATCH', `/mandates/${draft.id}/budget`, { budgetTotal: 60 }],
      ['POST', `/mandates/${draft.id}/revoke`, undefined],
      ['POST', '/api-keys', { name: 'Key' }],
      ['PATCH', '/organization', { name: 'Acme 2' }],
    ] as const
    for (const [method, url, body] of calls) {
      const headers = aFreshKey()
      const call = () =>
        method === 'POST' ? acme.post(url, body, headers) : acme.patch(url, body, headers)
      const first = await call()
      const second = await call()
      expect([first.status, second.text], url).toEqual([200, first.text])
      expect(second.headers['idempotent-replayed'], url).toBe('true')
    }
  })

  test('is refused for another body, path or method', async () => {
    const headers = aFreshKey()
    const { id } = bodyOf(await acme.post('/agents', { name: 'First' }, headers))
    const others = [
      await acme.post('/agents', { name: 'Second' }, headers),
      await acme.post('/agents', { name: 'First', tags: [] }, headers),
      await acme.patch(`/agents/${id}`, { name: 'First' }, headers),
      await acme.post('/api-keys', { name: 'First' }, headers),
    ]
    expect(others.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array(4).fill('409 idempotency_key_reused'),
    )
    expect(await countOf('Second')).toBe(0)
  })

  test('belongs to the API key that used it first', async () => {
    const headers = aFreshKey()
    const { client } = await aKey(app, acme)
    await acme.post('/agents', { name: 'Mine' }, headers)
    const { status, body } = await client.post('/agents', { name: 'Mine' }, headers)
    expect([status, body.code]).toEqual([409, 'idempotency_key_reused'])
  })

  test('means nothing to another organization', async () => {
    const headers = aFreshKey()
    const first = bodyOf(await acme.post('/agents', { name: 'Same' }, headers))
    const globex = await app.organization('Globex')
    const other = await globex.post('/agents', { name: 'Same' }, headers)
    expect(other.headers).not.toHaveProperty('idempotent-replayed')
    expect(bodyOf(other).id).not.toBe(first.id)
  })

  test.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['beyond ASCII', 'käse'],
  ])('is refused when it is %s', async (_, key) => {
    const headers = { 'idempotency-key': key }
    const { status, body } = await acme.post('/agents', { name: 'Odd key' }, headers)
    expect([status, body.code]).toEqual([400, 'invalid_idempotency_key'])
    expect(await countOf('Odd key')).toBe(0)
  })

  test('may have 255 characters', async () => {
    const headers = { 'idempotency-key': '~'.repeat(255) }
    expect((await acme.post('/agents', { name: 'Long key' }, headers)).status).toBe(200)
    const again = await acme.post('/agents', { name: 'Long key' }, headers)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('stays free when the request is refused', async () => {
    const headers = aFreshKey()
    await anAgent(acme, { externalId: `taken` })
    const taken = { name: 'Free', externalId: `taken` }
    expect((await acme.post('/agents', { name: 7 }, headers)).status).toBe(400)
    expect((await acme.post('/agents', taken, headers)).status).toBe(409)
    const retried = await acme.post('/agents', { name: 'Free' }, headers)
    expect(retried.status).toBe(200)
    expect(retried.headers).not.toHaveProperty('idempotent-replayed')
  })

  test('keeps its answer sealed: a secret in it is in no table', async () => {
    const headers = aFreshKey()
    const { apiKey } = bodyOf(await acme.post('/api-keys', { name: 'Canary' }, headers))
    const replayed = await acme.post('/api-keys', { name: 'Canary' }, headers)
    expect(replayed.body.apiKey).toBe(apiKey)
    const dump = await dumpTables(app.database.db)
    expect(dump).toContain('"Canary"')
    const secret = apiKey.split('_').at(-1) ?? ''
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('lets 20 requests at once create one agent', async () => {
    const headers = aFreshKey()
    const send = () => acme.post('/agents', { name: 'Rush' }, headers)
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const done = answers.filter(({ status }) => status === 200)
    const running = answers.filter(({ status }) => status !== 200)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    for (const { status, body, headers: sent } of running) {
      expect([status, body.code]).toEqual([409, 'idempotency_in_flight'])
      expect(sent['retry-after']).toBe('1')
    }
    expect((await send()).text).toBe(done[0]?.text)
    expect(await countOf('Rush')).toBe(1)
  })

  test('is forgotten after seven days, and not a moment before', async () => {
    const headers = aFreshKey()
    const start = Date.now()
    const sendAt = async (now: number) => {
      app.clock.now = now
      return acme.post('/agents', { name: 'Weekly' }, headers)
    }
    const first = await sendAt(start)
    const late = await sendAt(start + 7 * DAY_MS - 1)
    const after = await sendAt(start + 7 * DAY_MS)
    const again = await sendAt(start + 7 * DAY_MS + 1)
    app.clock.now = undefined
    expect(late.text).toBe(first.text)
    expect(bodyOf(after).id).not.toBe(first.body.id)
    expect(again.text).toBe(after.text)
  })

  test('and its change are both undone when the transaction does not commit', async () => {
    const db = app.database.db
    const write = createWrite({
      // Everything up to the commit succeeds; then the process "dies".
      db: {
        ...db,
        transaction: (run) =>
          db.transaction(async (tx: Tx) => {
            await run(tx)
            throw new Error('The process died.')
          }),
      },
      sealer: createSealer(Buffer.alloc(32, 7)),
      clock: async () => Date.now(),
    })
    const before = await dumpTables(db)
    const headers = aFreshKey()
    const request = {
      method: 'POST',
      url: '/api/v1/agents',
      headers,
      organizationId: acme.organizationId,
      principal: { id: acme.organizationId, agentIds: null },
      rawBody: undefined,
      routeOptions: { config: {} },
    } as unknown as Parameters<typeof write>[0]
    const reply = { header: () => reply } as unknown as Parameters<typeof write>[1]
    const insert = async (tx: Tx) => {
      await tx.query({
        text: `insert into plan_usage values ($1, '2026-01-01', 1)`,
        values: [acme.organizationId],
      })
      return { done: true }
    }
    await expect(write(request, reply, insert)).rejects.toThrow('The process died.')
    expect(await dumpTables(db)).toBe(before)
    expect((await acme.post('/agents', { name: 'Afterwards' }, headers)).status).toBe(200)
  })

  test('that is not given lets the same request twice be two changes', async () => {
    const [one, two] = [await anAgent(acme), await anAgent(acme)]
    expect(one.id).not.toBe(two.id)
  })
})

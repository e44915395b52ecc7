import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { copyRows } from '../support/copy-rows.ts'
import { seed } from '../support/seed.ts'

let app: TestApp
let acme: Owner
/** The ids of seven agents, newest first. */
let ids: string[]

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  await anAgent(await app.organization('Globex'), { tags: ['red'] })
  const created: string[] = []
  for (let n = 0; n < 7; n++) {
    const { id } = await anAgent(acme, {
      name: `Agent ${n}`,
      externalId: `ext-${n}`,
      status: n % 2 === 0 ? 'active' : 'paused',
      tags: n < 3 ? ['red'] : ['blue'],
    })
    created.unshift(id)
  }
  ids = created
})
afterAll(() => app.stop())

async function idsAt(query: string): Promise<string[]> {
  return bodyOf(await acme.get(`/agents${query}`)).data.map(({ id }) => id)
}

describe('the list of agents', () => {
  test('has the newest first, at most 50, and says how many there are', async () => {
    const body = bodyOf(await acme.get('/agents'))
    expect(body.data.map(({ id }) => id)).toEqual(ids)
    expect(body).toMatchObject({ total: 7, limit: 50, offset: 0, hasMore: false, nextCursor: null })
  })

  test('counts no further than 10,000, and says so', async () => {
    const large = await app.organization('Large')
    const { id } = await anAgent(large)
    expect(bodyOf(await large.get('/agents'))).toMatchObject({ total: 1, totalIsExact: true })
    await seed(
      app,
      copyRows(
        'agents',
        `jsonb_build_object('id', gen_random_uuid())`,
        'generate_series(1, 10000)',
        'r.id = $1',
      ),
      [id],
    )
    const { total, totalIsExact } = bodyOf(await large.get('/agents?limit=1'))
    expect([total, totalIsExact]).toEqual([10_000, false])
  })

  test('can be read page by page with an offset', async () => {
    const body = bodyOf(await acme.get('/agents?limit=3&offset=3'))
    expect(body.data.map(({ id }) => id)).toEqual(ids.slice(3, 6))
    expect(body).toMatchObject({ total: 7, limit: 3, offset: 3, hasMore: true })
    expect(await idsAt('?limit=3&offset=6')).toEqual(ids.slice(6))
    expect(await idsAt('?offset=7')).toEqual([])
  })

  test('can be read page by page with a cursor, each agent once', async () => {
    const seen: string[] = []
    let query = '?limit=2'
    for (let page = 0; page < 4; page++) {
      const body = bodyOf(await acme.get(`/agents${query}`))
      seen.push(...body.data.map(({ id }) => id))
      expect(body.total).toBe(7)
      expect(body.hasMore).toBe(body.nextCursor !== null)
      query = `?limit=2&cursor=${body.nextCursor}`
    }
    expect(seen).toEqual(ids)
  })

  test('says that there is no more when the last page is exactly full', async () => {
    expect(bodyOf(await acme.get('/agents?limit=7'))).toMatchObject({
      hasMore: false,
      nextCursor: null,
    })
  })

  test.each([
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=', '/limit'],
    ['limit=ten', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['offset=-1', '/offset'],
    ['offset=10001', '/offset'],
    ['cursor=short', '/cursor'],
    ['cursor=', '/cursor'],
    ['status=deleted', '/status'],
    ['include=keys', '/include'],
    ['unknown=1', '/unknown'],
    ['externalId=', '/externalId'],
    ['tag=%00', '/tag'],
    ['externalId=a%00b', '/externalId'],
  ])('refuses %s and names the parameter', async (query, path) => {
    const { status, body } = await acme.get(`/agents?${query}`)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error) => error.path)).toContain(path)
  })

  test('refuses a cursor together with an offset', async () => {
    const { nextCursor } = bodyOf(await acme.get('/agents?limit=1'))
    const { status, body } = await acme.get(`/agents?cursor=${nextCursor}&offset=1`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/offset' }])
  })

  test('takes the largest page and the largest offset', async () => {
    expect((await acme.get('/agents?limit=200&offset=10000')).status).toBe(200)
  })

  test('can be filtered by status, externalId, tag, and all together', async () => {
    expect(await idsAt('?status=paused')).toEqual([ids[1], ids[3], ids[5]])
    expect(await idsAt('?externalId=ext-2')).toEqual([ids[4]])
    expect(await idsAt('?tag=red')).toEqual(ids.slice(4))
    expect(await idsAt('?status=paused&tag=red')).toEqual([ids[5]])
    expect(await idsAt('?tag=none')).toEqual([])
    expect(bodyOf(await acme.get('/agents?tag=red&limit=1'))).toMatchObject({ total: 3 })
  })

  test('embeds the active mandate of each agent when asked', async () => {
    const mandate = await anActiveMandate(acme, { agentId: ids[2] })
    const { data } = bodyOf(await acme.get('/agents?include=mandate'))
    expect(data.map((agent) => agent.mandate?.id ?? null)).toEqual(
      ids.map((id) => (id === ids[2] ? mandate.id : null)),
    )
  })

  test('does not show deleted agents', async () => {
    const globex = await app.organization('Globex')
    const { id } = await anAgent(globex)
    await globex.delete(`/agents/${id}`)
    expect(bodyOf(await globex.get('/agents'))).toMatchObject({ data: [], total: 0 })
  })
})

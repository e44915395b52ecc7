import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf, setSpent } from '../support/builders.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

async function namesAt(url: string): Promise<string[]> {
  return bodyOf(await acme.get(url)).data.map(({ name }) => name)
}

/** All names, page by page, in the order of the pages. */
async function namesOfPages(url: string, limit: number): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  do {
    const page = bodyOf(await acme.get(`${url}&limit=${limit}${cursor}`))
    names.push(...page.data.map(({ name }) => name))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    expect(page.hasMore).toBe(page.nextCursor !== null)
  } while (cursor !== '')
  return names
}

describe('agents and mandates', () => {
  beforeAll(async () => {
    const agents = [
      { name: 'Full 100%', used: 100, tags: ['red'] },
      { name: 'Half_used', used: 50, tags: ['red', 'blue'], externalId: 'crew-7' },
      { name: 'Old period', used: 90, tags: ['green'], isOver: true },
      { name: 'Third', used: 30, tags: ['blue'] },
      { name: 'Also half', used: 50, tags: [] },
    ]
    for (const { used, isOver, ...fields } of agents) {
      const { id: agentId } = await anAgent(acme, fields)
      const name = `Mandate of ${fields.name}`
      const budget = { budgetTotal: 100, budgetPeriod: 'monthly', timezone: 'Europe/Berlin' }
      const { id } = await anActiveMandate(acme, { agentId, name, ...budget })
      const start = Date.now() - (isOver ? 40 : 0) * 86_400_000
      await setSpent(app, id, { spent: used, periodStart: new Date(start).toISOString() })
    }
    const { id: agentId } = await anAgent(acme, { name: 'No mandate', tags: ['green'] })
    await aDraft(acme, { agentId, name: 'Draft of No mandate' })
    // A mandate that has ended does not count as the agent's.
    const ended = await anActiveMandate(acme, { agentId, name: 'Ended' })
    await setSpent(app, ended.id, { spent: 99 })
    bodyOf(await acme.post(`/mandates/${ended.id}/revoke`))
  })

  const BY_USE = ['Full 100%', 'Also half', 'Half_used', 'Third', 'Old period', 'No mandate']

  test('are sorted by the used part of their budgets, and those of an ended period count as 0', async () => {
    expect(await namesAt('/agents?sort=percentUsed')).toEqual(BY_USE)
    expect(await namesAt('/mandates?sort=percentUsed&status=active')).toEqual(
      BY_USE.slice(0, 5).map((name) => `Mandate of ${name}`),
    )
    expect(await namesAt('/mandates?sort=percentUsed')).toEqual([
      'Mandate of Full 100%',
      'Ended',
      ...BY_USE.slice(1, 4).map((name) => `Mandate of ${name}`),
      'Draft of No mandate',
      'Mandate of Old period',
    ])
  })

  test.each([1, 2, 4])('are sorted over pages of %i', async (limit) => {
    expect(await namesOfPages('/agents?sort=percentUsed', limit)).toEqual(BY_USE)
    const all = await namesAt('/mandates?sort=percentUsed')
    expect(await namesOfPages('/mandates?sort=percentUsed', limit)).toEqual(all)
  })

  test('are found by a part of a name, whatever the case, and no sign is special', async () => {
    expect(await namesAt('/agents?q=HALF')).toEqual(['Also half', 'Half_used'])
    expect(await namesAt('/agents?q=f_u')).toEqual(['Half_used'])
    expect(await namesAt('/agents?q=%25')).toEqual(['Full 100%'])
    expect(await namesAt('/agents?q=CREW')).toEqual(['Half_used'])
    expect(await namesAt('/agents?q=nothing')).toEqual([])
    expect(await namesAt('/agents?q=half&sort=percentUsed&limit=1')).toEqual(['Also half'])
    expect(await namesAt('/mandates?q=third')).toEqual(['Mandate of Third'])
    expect(await namesAt('/mandates?q=mandate&status=draft')).toEqual(['Draft of No mandate'])
    expect(await namesAt('/mandates?q=no%20man')).toEqual(['Ended', 'Draft of No mandate'])
    expect((await acme.get('/agents?q=')).status).toBe(400)
    expect((await acme.get(`/mandates?q=${'x'.repeat(121)}`)).status).toBe(400)
  })

  test('are found by one of several tags', async () => {
    expect(await namesAt('/agents?tag=red')).toEqual(['Half_used', 'Full 100%'])
    expect(await namesAt('/agents?tag=red,blue')).toEqual(['Third', 'Half_used', 'Full 100%'])
    expect(await namesAt('/agents?tag=nothing')).toEqual([])
    const many = Array.from({ length: 21 }, (_, n) => `t${n}`).join(',')
    const { status, body } = await acme.get(`/agents?tag=${many}`)
    expect([status, body.errors]).toEqual([
      400,
      [{ path: '/tag', code: 'pattern', message: 'must look like research,team:growth' }],
    ])
  })

  test('have the names of their agents beside mandates', async () => {
    const { data } = bodyOf(await acme.get('/mandates?q=third'))
    expect(data).toMatchObject([{ agentName: 'Third' }])
    expect(bodyOf(await acme.get(`/mandates/${data[0]?.id}`))).toMatchObject({ agentName: 'Third' })
  })

  test('are refused in an order that is not known', async () => {
    const { status, body } = await acme.get('/agents?sort=name')
    expect([status, body.errors]).toMatchObject([400, [{ path: '/sort', code: 'not_allowed' }]])
  })
})

test('a search finds nothing of other organizations or of agents that a key is not bound to', async () => {
  const globex = await app.organization('Globex')
  const { agentId } = await anActiveMandate(globex, { name: 'Third of Globex' })
  await anActiveMandate(globex, { name: 'Third, not mine' })
  const { client } = await aKey(app, globex, { agentIds: [agentId] })
  for (const query of ['q=third', 'q=third&sort=percentUsed']) {
    const { data } = bodyOf(await client.get(`/mandates?${query}`))
    expect(data.map(({ name }) => name)).toEqual(['Third of Globex'])
  }
  expect(bodyOf(await client.get('/agents?sort=percentUsed')).data).toHaveLength(1)
})

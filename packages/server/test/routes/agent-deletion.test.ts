import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  aDraft,
  aKey,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  statusOf,
} from '../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

async function remove(agentId: string): Promise<void> {
  const { status, body } = await acme.delete(`/agents/${agentId}`)
  expect([status, body]).toEqual([200, { id: agentId, deleted: true }])
}

describe('deleting an agent', () => {
  test('takes it out of everything, and is refused the second time', async () => {
    const { id } = await anAgent(acme)
    await remove(id)
    const answers = [
      await acme.get(`/agents/${id}`),
      await acme.patch(`/agents/${id}`, { name: 'Back' }),
      await acme.delete(`/agents/${id}`),
      await acme.post('/mandates', { agentId: id, budgetTotal: 1 }),
    ]
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array(4).fill('404 agent_not_found'),
    )
  })

  test('revokes its active mandate with all child mandates', async () => {
    const parent = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId: parent.id })
    const grandchild = await anActiveMandate(acme, { parentMandateId: child.id })
    const unrelated = await anActiveMandate(acme)
    await remove(parent.agentId)
    const after = bodyOf(await acme.get(`/mandates/${parent.id}`))
    expect(after.status).toBe('revoked')
    expect(after.revokedAt).not.toBeNull()
    expect(await statusOf(acme, child.id)).toBe('revoked')
    expect(await statusOf(acme, grandchild.id)).toBe('revoked')
    expect(await statusOf(acme, unrelated.id)).toBe('active')
  })

  test('removes its drafts with the drafts below them', async () => {
    const draft = await aDraft(acme)
    const below = await aDraft(acme, { parentMandateId: draft.id })
    await remove(draft.agentId)
    expect((await acme.get(`/mandates/${draft.id}`)).status).toBe(404)
    expect((await acme.get(`/mandates/${below.id}`)).status).toBe(404)
  })

  test('keeps its ended mandates, which belong to the history', async () => {
    const ended = await aRevokedMandate(acme)
    await remove(ended.agentId)
    expect(bodyOf(await acme.get(`/mandates/${ended.id}`))).toMatchObject(ended)
  })

  test('revokes the keys bound to it alone, and takes it out of the others', async () => {
    const [doomed, staying] = [await anAgent(acme), await anAgent(acme)]
    const alone = await aKey(app, acme, { agentIds: [doomed.id] })
    const shared = await aKey(app, acme, { agentIds: [doomed.id, staying.id] })
    expect((await alone.client.get('/agents')).status).toBe(200)
    await remove(doomed.id)
    await expect.poll(async () => (await alone.client.get('/agents')).status).toBe(401)
    const keys = bodyOf(await acme.get('/api-keys')).data
    expect(keys.find(({ id }) => id === shared.key.id)?.agentIds).toEqual([staying.id])
    expect(keys.find(({ id }) => id === alone.key.id)).toBeUndefined()
    const { data } = (await shared.client.get('/agents')).body
    expect(data.map(({ id }) => id)).toEqual([staying.id])
  })
})

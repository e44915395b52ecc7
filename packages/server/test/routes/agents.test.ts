import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
let acme: Client

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('agents', () => {
  test('are registered with defaults for everything but the name', async () => {
    const { status, body } = await acme.post('/agents', { name: 'Research' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Research', status: 'active', tags: [], metadata: {} })
  })

  test('are listed with their active mandate when asked for', async () => {
    const agent = (await acme.post('/agents', { name: 'Spender' })).body
    const draft = (await acme.post('/mandates', { agentId: agent.id, budgetTotal: 100 })).body
    const before = await acme.get(`/agents/${agent.id}?include=mandate`)
    expect(before.body.mandate).toBeNull()
    await acme.post(`/mandates/${draft.id}/activate`)
    const after = await acme.get(`/agents/${agent.id}?include=mandate`)
    expect(after.body.mandate).toMatchObject({ id: draft.id, status: 'active', budgetTotal: 100 })
  })
})

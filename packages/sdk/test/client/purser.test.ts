import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { NotFoundError, Purser, PurserError, SpendRejectedError } from '../../src/index.ts'

describe('a client', () => {
  let app: TestApp
  let acme: Owner
  let baseUrl: string
  let purser: Purser

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
    purser = new Purser({ apiKey: acme.apiKey, baseUrl })
  })
  afterAll(() => app.stop())

  async function anAgentWithBudget(budgetTotal: number) {
    const agent = await purser.agents.create({ name: 'Buyer' })
    const draft = await purser.mandates.create({ agentId: agent.id, name: 'All', budgetTotal })
    await purser.mandates.activate(draft.id)
    return agent.id
  }

  test('decides on a spend, and gives the rejection as a value or as an error', async () => {
    const agentId = await anAgentWithBudget(10)
    const spend = (amount: number) =>
      purser.gateway.evaluate({ agentId, amount, vendor: 'api.example.com', category: 'llm' })
    expect(await spend(4)).toMatchObject({ decision: 'approved', remainingBudget: 6 })
    expect(await spend(7)).toMatchObject({ decision: 'rejected' })
    const error = await spend(7)
      .orThrow()
      .catch((it: unknown) => it)
    expect(error).toBeInstanceOf(SpendRejectedError)
    expect(error).toMatchObject({ code: 'budget_exceeded', decision: { decision: 'rejected' } })
    expect((await spend(1).orThrow()).transactionId).toMatch(/^txn_/)
  })

  test('sends no body where an optional input is left out', async () => {
    expect((await purser.organization.rotateWebhookSecret()).webhookSecret).toMatch(/^whsec_/)
  })

  test('gives the headers of an answer with it', async () => {
    const { data, response, requestId } = await purser.organization.get().withResponse()
    expect(data.name).toBe('Acme')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(requestId).toBe(response.headers.get('x-request-id'))
  })

  test('reads all pages of a list, each entry once', async () => {
    const other = await app.organization('Many agents')
    const many = new Purser({ apiKey: other.apiKey, baseUrl })
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, n) => many.agents.create({ name: `Agent ${n}` })),
    )
    const found: string[] = []
    for await (const { id } of many.agents.list({ limit: 3 })) found.push(id)
    expect(found.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    expect((await many.agents.list({ limit: 3 }).page()).data).toHaveLength(3)
    expect(await many.agents.list({ limit: 3 }).toArray({ limit: 5 })).toHaveLength(5)
  })

  test('gives an error of its kind, with what the gateway said', async () => {
    const error = await purser.agents
      .get('00000000-0000-4000-8000-000000000000')
      .catch((it: unknown) => it)
    expect(error).toBeInstanceOf(NotFoundError)
    expect(PurserError.is(error)).toBe(true)
    expect(error).toMatchObject({ code: 'agent_not_found', status: 404 })
    expect((error as PurserError).requestId).not.toBeNull()
  })

  test('shows its key in no text', async () => {
    const error = await purser.mandates.get('mnd_none').catch((it: unknown) => it)
    for (const it of [purser, error]) {
      expect(inspect(it, { depth: 9, showHidden: true })).not.toContain(acme.apiKey)
      expect(JSON.stringify(it) ?? '').not.toContain(acme.apiKey)
    }
    expect(() => new Purser({ apiKey: 'psk_secret\nsecond', baseUrl })).toThrow(
      /^(?!.*secret).*Copy it again/,
    )
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../support/app.ts'
import { eventsOf } from '../support/spends.ts'

let app: TestApp
let acme: Client

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

async function anAgentWith(budgetTotal: number, terms: object = {}) {
  const { body: agent } = await acme.post('/agents', { name: 'Spender' })
  const mandateBody = { agentId: agent.id, budgetTotal, ...terms }
  const { body: mandate } = await acme.post('/mandates', mandateBody)
  await acme.post(`/mandates/${mandate.id}/activate`)
  return { agentId: agent.id, mandateId: mandate.id }
}

async function hold(agentId: string, amount: number): Promise<string> {
  const spend = { agentId, amount, vendor: 'a.com', category: 'llm', hold: { expiresIn: '10s' } }
  const { body } = await acme.post('/gateway/evaluate', spend)
  return body.transactionId
}

async function budgetOf(mandateId: string) {
  const { body } = await acme.get(`/mandates/${mandateId}`)
  return body
}

describe('a hold whose time is over', () => {
  test('is given back before a budget is shown, and not only by the sweeper', async () => {
    const { agentId, mandateId } = await anAgentWith(100)
    await hold(agentId, 40)
    app.clock.now = Date.now() + 11_000
    expect(await budgetOf(mandateId)).toMatchObject({ budgetSpent: 0, budgetHeld: 0 })
    app.clock.now = undefined
  })

  test('can still be settled, beyond the budget, because the money has moved', async () => {
    const { agentId, mandateId } = await anAgentWith(100)
    const held = await hold(agentId, 60)
    app.clock.now = Date.now() + 11_000
    await budgetOf(mandateId)
    const other = { agentId, amount: 70, vendor: 'a.com', category: 'llm' }
    await acme.post('/gateway/evaluate', other)
    const { status } = await acme.post(`/transactions/${held}/settle`, { amount: 55 })
    expect(status).toBe(200)
    expect(await budgetOf(mandateId)).toMatchObject({ budgetSpent: 125, budgetHeld: 0 })
    expect(await eventsOf(app, mandateId)).toEqual([
      'mandate.budget.warning',
      'mandate.budget.exhausted',
    ])
    app.clock.now = undefined
  })

  test('cannot be settled with the key of the agent itself', async () => {
    const { agentId, mandateId } = await anAgentWith(100)
    const { body: key } = await acme.post('/api-keys', {
      name: 'Bound',
      agentIds: [agentId],
      scopes: ['transactions:write'],
    })
    const held = await hold(agentId, 60)
    app.clock.now = Date.now() + 11_000
    await budgetOf(mandateId)
    const { status } = await app.client(key.apiKey).post(`/transactions/${held}/settle`)
    expect(status).toBe(409)
    app.clock.now = undefined
  })
})

describe('a change of terms', () => {
  test('leaves what was spent in the current period', async () => {
    const { agentId, mandateId } = await anAgentWith(100, { budgetPeriod: 'daily' })
    await acme.post('/gateway/evaluate', { agentId, amount: 90, vendor: 'a.com', category: 'llm' })
    await acme.patch(`/mandates/${mandateId}`, { name: 'Renamed' })
    expect(await budgetOf(mandateId)).toMatchObject({ budgetSpent: 90 })
  })
})

describe('the price last paid to a vendor', () => {
  const spendOf = (agentId: string, amount: number, held: boolean) => ({
    agentId,
    amount,
    vendor: 'a.com',
    category: 'llm',
    ...(held ? { hold: { expiresIn: '1h' } } : {}),
  })
  const rules = [{ type: 'price_drift', maxIncreasePercent: 25 }]

  test('is not moved by holds that are voided again', async () => {
    const { agentId } = await anAgentWith(100, { rules })
    await acme.post('/gateway/evaluate', spendOf(agentId, 1, false))
    const { body: raised } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.25, true))
    await acme.post(`/transactions/${raised.transactionId}/void`)
    const { body } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.5, false))
    expect(body).toMatchObject({ evaluationDetails: { code: 'price_drift' } })
  })

  test('is not moved by the refund of an earlier spend', async () => {
    const { agentId } = await anAgentWith(100, { rules })
    const { body: dear } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.25, false))
    await acme.post('/gateway/evaluate', spendOf(agentId, 1, false))
    const { status } = await acme.post(`/transactions/${dear.transactionId}/refund`)
    expect(status).toBe(200)
    const { body } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.5, false))
    expect(body).toMatchObject({ evaluationDetails: { code: 'price_drift' } })
  })

  test('is that of a hold once it is settled', async () => {
    const { agentId } = await anAgentWith(100, { rules })
    await acme.post('/gateway/evaluate', spendOf(agentId, 1, false))
    const { body: raised } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.25, true))
    await acme.post(`/transactions/${raised.transactionId}/settle`)
    const { body } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.5, false))
    expect(body).toMatchObject({ decision: 'approved' })
  })
  test('is known to the next mandate, by which nothing was judged before the settlement', async () => {
    const { agentId, mandateId } = await anAgentWith(100)
    const { body: held } = await acme.post('/gateway/evaluate', spendOf(agentId, 1, true))
    await acme.post(`/mandates/${mandateId}/revoke`)
    const terms = { agentId, budgetTotal: 100, rules }
    const { body: next } = await acme.post('/mandates', terms)
    await acme.post(`/mandates/${next.id}/activate`)
    const { status } = await acme.post(`/transactions/${held.transactionId}/settle`)
    expect(status).toBe(200)
    const { body } = await acme.post('/gateway/evaluate', spendOf(agentId, 1.5, false))
    expect(body).toMatchObject({ evaluationDetails: { code: 'price_drift' } })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { NO_AGENT } from '../support/builders.ts'
import { aSpend } from '../support/spends.ts'

describe('an unknown field', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test.each([
    [{ agent_id: NO_AGENT }, '/agent_id', 'agentId'],
    [{ agent: NO_AGENT }, '/agent', 'agentId'],
    [{ hold: { expiresin: '1h' } }, '/hold/expiresin', 'expiresIn'],
  ])('of the body %j names the one that was meant', async (fields, path, known) => {
    const { status, body } = await acme.post('/gateway/evaluate', aSpend(NO_AGENT, fields))
    expect(status).toBe(400)
    const message = `is not a field of this request (did you mean ${known}?)`
    expect(body.errors).toContainEqual({ path, code: 'unknown_field', message })
  })

  test('of a rule names the setting that was meant', async () => {
    const rules = [{ type: 'amount', maximum: 3, Max: 5 }]
    const { body } = await acme.post('/mandates', { agentId: NO_AGENT, budgetTotal: 1, rules })
    expect(body.errors).toMatchObject([
      { path: '/rules/0/maximum', message: 'is not a field of this request (did you mean max?)' },
      { path: '/rules/0/Max', message: 'is not a field of this request (did you mean max?)' },
    ])
  })

  test('of a mandate names the one whose words it shares', async () => {
    const body = { agent: NO_AGENT, budget: 1, period: 'monthly', parent: null }
    const { errors } = (await acme.post('/mandates', body)).body
    expect(errors).toMatchObject([
      { path: '/agentId', code: 'required' },
      { path: '/budgetTotal', code: 'required' },
      { path: '/agent', message: 'is not a field of this request (did you mean agentId?)' },
      { path: '/budget', message: 'is not a field of this request (did you mean budgetTotal?)' },
      { path: '/period', message: 'is not a field of this request (did you mean budgetPeriod?)' },
      { path: '/parent', message: expect.stringContaining('(did you mean parentMandateId?)') },
    ])
  })

  test('of the query names the one that was meant', async () => {
    const { status, body } = await acme.get('/transactions?agent_id=x')
    expect(status).toBe(400)
    expect(body.detail).toBe(
      'In the query, /agent_id is not a field of this request (did you mean agentId?).',
    )
  })

  test('of a query that takes nothing names the one of the body that was meant', async () => {
    const url = '/gateway/evaluate?agent_id=x&colour=blue'
    const { status, body } = await acme.post(url, aSpend(NO_AGENT))
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: '/agent_id',
          code: 'unknown_field',
          message: 'is not a query parameter of this endpoint (did you mean agentId, in the body?)',
        },
        {
          path: '/colour',
          code: 'unknown_field',
          message: 'is not a query parameter of this endpoint',
        },
      ],
    ])
  })

  test('of a query is not looked for where load balancers ask', async () => {
    const { statusCode } = await app.app.inject('/healthz?from=balancer')
    expect(statusCode).toBe(200)
  })

  test('that is like none is only said to be unknown', async () => {
    const { body } = await acme.post('/agents', { name: 'x', [`colour${'r'.repeat(9_000)}`]: 1 })
    expect(body.errors[0]?.message).toBe('is not a field of this request')
  })
})

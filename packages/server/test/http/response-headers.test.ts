import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESPONSE_HEADERS } from '../../src/http/document/response-headers.ts'
import { type Answer, createTestApp, TEST_CONFIG, type TestApp } from '../support/app.ts'
import { namesOfOurs } from '../support/header-check.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp(undefined, {
    limits: { ...TEST_CONFIG.limits, requestsPerMinute: 8 },
  })
})
afterAll(() => app.stop())

// The client of the test app holds every answer to the headers that the document declares for it.
test('every header that the document declares is sent', async () => {
  const acme = await app.organization()
  const again = { 'idempotency-key': 'agent-1' }
  const created = await acme.post('/agents', { name: 'Research' }, again)
  const agentId = created.body.id
  const mandate = await acme.post('/mandates', { agentId, budgetTotal: 100, currency: 'USD' })
  const { id } = mandate.body
  const answers: Answer[] = [
    created,
    await acme.post('/agents', { name: 'Research' }, again),
    await acme.post(`/mandates/${id}/activate`),
    await acme.post(`/mandates/${id}/backtest`, { rules: [] }, { accept: 'application/x-ndjson' }),
    await acme.get('/transactions/export'),
    await app.client('psr_none').get('/agents'),
    await acme.get(`/agents/${agentId}`),
    await acme.get('/agents'),
    await acme.get('/agents'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401, 200, 200, 429])
  const sent = new Set(answers.flatMap(({ headers }) => namesOfOurs(headers)))
  const declared = Object.keys(RESPONSE_HEADERS).map((name) => name.toLowerCase())
  expect([...sent].toSorted()).toEqual(declared.toSorted())
})

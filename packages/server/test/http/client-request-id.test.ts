import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { createTestApp } from '../support/app.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const refused = async (id: string | string[]) => {
  const headers = { authorization: `Bearer ${acme.apiKey}`, 'x-request-id': id }
  const url = '/api/v1/agents/agt_nothing'
  const { headers: sent, body } = await app.app.inject({ method: 'GET', url, headers })
  return { header: sent['x-request-id'], problem: JSON.parse(body) }
}

test.each(['a', 'Root=1-67891233-abcdef', `${'x'.repeat(128)}`, 'job:42/part@7~+_.'])(
  'the id %s of the caller is in the problem, beside ours',
  async (id) => {
    const { header, problem } = await refused(id)
    expect(problem.clientRequestId).toBe(id)
    expect(problem.requestId).toMatch(/^req_/)
    expect(header).toBe(problem.requestId)
  },
)

test.each(['', 'x'.repeat(129), 'two words', 'a"b', 'é', 'a,b', '4242424242424242'])(
  'the id %j is ignored',
  async (id) => {
    const { problem } = await refused(id)
    expect(problem).not.toHaveProperty('clientRequestId')
    expect(problem.requestId).toMatch(/^req_/)
  },
)

test('two ids in one request are ignored', async () => {
  expect((await refused(['a', 'b'])).problem).not.toHaveProperty('clientRequestId')
})

describe('the log', () => {
  test('has both ids', async () => {
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    const frame = createApp(log)
    frame.get('/defect', { schema: { hide: true } }, async () => {
      throw new Error('broken')
    })
    await frame.inject({ method: 'GET', url: '/defect', headers: { 'x-request-id': 'mine-1' } })
    await frame.close()
    const events = lines.map((line) => JSON.parse(line))
    for (const event of ['http.request_failed', 'http.request']) {
      const line = events.find((one) => one.event === event)
      expect(line).toMatchObject({ clientRequestId: 'mine-1' })
      expect(line.requestId).toMatch(/^req_/)
    }
  })
})

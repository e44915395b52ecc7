import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anAgent } from '../support/builders.ts'
import { headOf, openConnection } from '../support/raw-connection.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let url: string

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

/** docs/errors.md says so. */
test.each([
  ['400', 'a head that is not HTTP', 'no such thing\r\n\r\n'],
  ['417', 'an unknown Expect', headOf('GET', '/healthz', 'expect: wonders')],
  ['431', 'headers of more than 16 kB', headOf('GET', '/healthz', `x: ${'y'.repeat(20_000)}`)],
])('%s is answered without a problem document to %s', async (status, _, text) => {
  const client = await openConnection(url)
  client.write(text)
  await waitUntil(() => client.received.isOver)
  expect(client.statuses()).toEqual([status])
  expect(client.received.text).not.toContain('requestId')
  client.end()
})

test.each(['/healthz', '/api/v1/agents', '/nowhere'])(
  'two Host headers are refused at %s, also if they are the same',
  async (path) => {
    const client = await openConnection(url)
    client.write(headOf('GET', path, 'Host: purser', 'connection: close'))
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual(['400'])
    expect(client.received.text).toContain('The request has several Host headers. Send one.')
    client.end()
  },
)

test('a body that is too large is told how large it may be', async () => {
  const { status, body } = await acme.post('/agents', { name: 'x'.repeat(300_000) })
  expect(status).toBe(413)
  expect(body).toMatchObject({
    code: 'body_too_large',
    limit: 262_144,
    detail: 'The body exceeds the maximum of 262144 bytes for this endpoint.',
  })
})

test.each([
  ['amount >', 'Unexpected token: EOF at character 9'],
  ['amount < 3 )', "Unexpected character: ')' at character 12"],
  ['amount +* 2', 'Unexpected token: MULTIPLY at character 9'],
])('the expression %s is refused with the place of the mistake', async (expr, mistake) => {
  const { id: agentId } = await anAgent(acme)
  const rules = [{ type: 'expression', expr }]
  const { status, body } = await acme.post('/mandates', { agentId, budgetTotal: 1, rules })
  expect(status).toBe(400)
  expect(body.errors).toMatchObject([
    { path: '/rules/0/expr', code: 'invalid_expression', message: `is refused: ${mistake}` },
  ])
})

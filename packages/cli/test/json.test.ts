import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../src/program.ts'
import { type Ran, shareGateway } from './support/gateway.ts'
import { callPurser } from './support/in-process.ts'

const gateway = shareGateway()

/** `mcp` speaks a protocol, `serve` writes its log, and `completion` writes a script. */
const WITHOUT = ['purser mcp', 'purser serve', 'purser completion']

function withoutJson(command: Command, name: string): string[] {
  const parts = command.commands.flatMap((part) => withoutJson(part, `${name} ${part.name()}`))
  const hasJson = command.options.some(({ long }) => long === '--json')
  return command.commands.length > 0 || hasJson ? parts : [name]
}

/** Standard error must be one line of JSON. */
function problemOf({ told, out }: Ran) {
  expect(out).toBe('')
  expect(told.split('\n')).toHaveLength(1)
  return JSON.parse(told)
}

test('every command has --json, except those whose output has a format of its own', async () => {
  expect(withoutJson(await createProgram('0.0.0'), 'purser')).toEqual(WITHOUT)
})

test('with --json, a refusal is the problem of the API on standard error', async () => {
  const args = ['evaluate', '--amount', '5', '--vendor', 'a.com', '--category', 'llm']
  const refused = await gateway.run(...args, '--currency', 'dollars', '--json')
  expect(refused.code).toBe(1)
  const { requestId, ...problem } = problemOf(refused)
  expect(requestId).toEqual(expect.any(String))
  expect(problem).toMatchObject({
    type: 'urn:purser:problem:validation_failed',
    title: expect.any(String),
    status: 400,
    code: 'validation_failed',
    detail: expect.any(String),
    errors: expect.arrayContaining([expect.objectContaining({ path: '/currency' })]),
  })
})

test.each([
  ['usage'],
  ['agents', 'list'],
  ['transactions', 'export'],
  ['listen', '--forward-to', '4000'],
  ['tail'],
])('with --json and a wrong key, %s %s writes the problem', async (...args) => {
  const env = { PURSER_BASE_URL: gateway.url(), PURSER_API_KEY: 'psr_test_wrong' }
  const secret = { PURSER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` }
  const { lines, told, exited } = await callPurser([...args, '--json'], { ...env, ...secret })
  expect([await exited(), lines]).toEqual([1, []])
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { status: 401, code: 'unauthenticated' },
  ])
})

test('with --json, an error without an answer has the same fields', async () => {
  const lost = await gateway.run('usage', '--url', 'http://127.0.0.1:2', '--json')
  expect(lost.code).toBe(1)
  expect(problemOf(lost)).toEqual({
    code: 'network_error',
    status: null,
    detail: expect.stringContaining('No answer from http://127.0.0.1:2'),
    requestId: null,
  })
})

test('with --json, an unknown outcome has the key to repeat the command with', async () => {
  const silent = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const args = ['--amount', '1', '--vendor', 'a.com', '--category', 'x', '--idempotency-key', 'k-1']
  const lost = await gateway.run('evaluate', '--url', url, ...args, '--json')
  silent.close()
  expect(lost.code).toBe(4)
  expect(problemOf(lost)).toMatchObject({ outcomeUnknown: true, idempotencyKey: 'k-1' })
})

test('purser openapi --json writes the problem of a gateway that refuses', async () => {
  expect(JSON.parse((await gateway.run('openapi', '--json')).out)).toHaveProperty('openapi')
  const busy = { status: 503, code: 'service_unavailable', detail: 'Later.' }
  const server = createServer((_request, response) => {
    response.writeHead(503).end(JSON.stringify(busy, null, 2))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refused = await gateway.run('openapi', '--url', url, '--json')
  server.close()
  expect(refused.code).toBe(1)
  expect(problemOf(refused)).toEqual(busy)
})

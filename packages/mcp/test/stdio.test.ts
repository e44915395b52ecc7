import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { serveOverStdio } from '../src/stdio.ts'
import { connect } from './support/clients.ts'
import { openToolShop, type Shop } from './support/shop.ts'

const BOOK = { purchaseId: 'book', amount: 20, vendor: 'books.example.com', category: 'books' }
const ABOVE_FIVE = [{ type: 'approval', above: 5, expiresIn: '30m' }] as const

let shop: Shop
beforeAll(async () => {
  shop = await openToolShop()
})
afterAll(() => shop?.stop())

describe.each(['v1', 'v2'] as const)('a client %s that starts `purser mcp`', (generation) => {
  test('gets the tools of its key, asks a person, and buys once', async () => {
    const buyer = await shop.buyer(100, [...ABOVE_FIVE])
    const other = await shop.buyer(100)
    const approver = await shop.approver()
    const target = { baseUrl: shop.baseUrl, apiKey: buyer.apiKey }
    const client = await connect(`${generation} over stdio`, target)
    expect(await client.tools()).toHaveLength(10)
    expect(client.instructions()).toContain('Never split a purchase')
    expect(await client.read('purser://mandate')).toContain('The amount must be at most 5.')
    const asked = await client.call('request_approval', { ...BOOK, waitSeconds: 0 })
    expect(asked.structuredContent).toMatchObject({ status: 'pending' })
    const approvalId = String(asked.structuredContent?.['approvalId'])
    const leaving = new AbortController()
    const wait = { approvalId, waitSeconds: 50 }
    const cancelled = client.call('get_approval', wait, { signal: leaving.signal })
    setImmediate(() => leaving.abort(new Error('Cancelled.')))
    await expect(cancelled).rejects.toThrow()
    const waiting = client.call('get_approval', wait)
    await approver.approvals.decide(approvalId, { decision: 'approve' })
    expect((await waiting).structuredContent).toMatchObject({ status: 'approved' })
    for (const repeated of [false, true]) {
      const bought = await client.call('authorize_spend', BOOK)
      expect(bought.structuredContent).toMatchObject({ decision: 'approved', repeated })
    }
    expect(await client.call('get_budget', { agentId: other.agentId })).toMatchObject({
      isError: true,
      structuredContent: { code: 'agent_not_found' },
    })
    expect(await buyer.spent()).toBe(20)
  })
})

test('a key that is not bound to an agent gets no tool that spends', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const target = { baseUrl: shop.baseUrl, apiKey: shop.owner.apiKey }
  const served = serveOverStdio(target, { version: '0.0.0', input, output })
  let text = ''
  output.on('data', (chunk) => {
    text += chunk
  })
  input.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
  await waitUntil(() => text.endsWith('\n'))
  const { tools } = JSON.parse(text).result
  expect(tools.map(({ name }: { name: string }) => name)).not.toContain('authorize_spend')
  expect(tools).toHaveLength(6)
  input.end()
  await served
})

test.each([
  [
    'a wrong key',
    () => ({ baseUrl: shop.baseUrl, apiKey: 'psr_test_x' }),
    /not a complete API key/,
  ],
  [
    'no gateway',
    () => ({ baseUrl: 'http://127.0.0.1:9', apiKey: 'psr_test_x' }),
    /^No answer from http:\/\/127\.0\.0\.1:9: .+\. Is the gateway running\?$/,
  ],
  [
    'an https address of a plain http port',
    () => ({ baseUrl: shop.baseUrl.replace('http:', 'https:'), apiKey: 'psr_test_x' }),
    /^https:\S+ answers, but not with TLS: use http:\/\/ instead of https:\/\/\.$/,
  ],
  [
    'plain HTTP to a different machine',
    () => ({ baseUrl: 'http://gateway.example', apiKey: 'psr_test_x' }),
    /travel in clear/,
  ],
])('with %s it ends with a sentence', async (_, target, sentence) => {
  const streams = { input: new PassThrough(), output: new PassThrough() }
  const served = serveOverStdio(target(), { version: '0.0.0', ...streams })
  await expect(served).rejects.toThrow(sentence)
  expect(streams.output.read()).toBeNull()
})

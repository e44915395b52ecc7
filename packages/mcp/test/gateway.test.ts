import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { openLimitedShop, openToolShop, postMessage, type Shop, toolCall } from './support/shop.ts'

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const BOOK = { purchaseId: 'book', amount: 20, vendor: 'books.example.com', category: 'books' }
const EVERYTHING = [{ type: 'approval', expiresIn: '30m' }] as const

let shop: Shop
beforeAll(async () => {
  shop = await openToolShop()
})
afterAll(() => shop?.stop())

test('a request without a key, or with a wrong one, gets 401 and says what to send', async () => {
  const missing = await postMessage(shop, undefined, LIST)
  expect(missing.status).toBe(401)
  expect(missing.headers.get('www-authenticate')).toBe('Bearer')
  expect(missing.body).toMatchObject({
    code: 'unauthenticated',
    detail: expect.stringContaining('Send an API key as "Authorization: Bearer psr_…"'),
  })
  const wrong = await postMessage(shop, `${shop.owner.apiKey.slice(0, -1)}x`, LIST)
  expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
})

test('a session cookie does not open /mcp', async () => {
  const answer = await postMessage(shop, undefined, LIST, { cookie: 'purser_session=x' })
  expect(answer.status).toBe(401)
})

test('tools are listed and called without an earlier initialize', async () => {
  const buyer = await shop.buyer(100)
  const listed = await postMessage(shop, buyer.apiKey, LIST)
  expect(listed.status).toBe(200)
  expect((listed.body['result'] as { tools: unknown[] }).tools).toHaveLength(10)
  const called = await postMessage(shop, buyer.apiKey, toolCall('authorize_spend', BOOK))
  expect(called.body).toMatchObject({ result: { structuredContent: { decision: 'approved' } } })
  expect(await buyer.spent()).toBe(20)
})

test('a page of a different origin is refused, and one of the gateway is not', async () => {
  const { apiKey } = shop.owner
  const post = (headers: Record<string, string>) => postMessage(shop, apiKey, LIST, headers)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    expect(await post(headers)).toMatchObject({
      status: 403,
      body: {
        code: 'origin_not_allowed',
        title: 'Pages of other origins cannot call this endpoint',
        detail: expect.stringContaining('/mcp'),
      },
    })
  }
  expect(await post({ origin: shop.baseUrl })).toMatchObject({ status: 200 })
})

test('messages that are no MCP requests are refused', async () => {
  const { apiKey } = shop.owner
  const post = (message: unknown) => postMessage(shop, apiKey, message)
  expect(await post([LIST, LIST])).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', detail: expect.stringContaining('not a batch') },
  })
  expect(await post('{"jsonrpc":')).toMatchObject({ status: 400 })
  expect((await post({ hello: 'world' })).status).toBe(400)
  expect((await post(7)).status).toBe(400)
  expect(await post(' '.repeat(262_145))).toMatchObject({ status: 413 })
  expect(
    (await post({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' })).body,
  ).toMatchObject({ error: { code: expect.any(Number) } })
})

test('only POST is allowed, and no page is at /mcp', async () => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(`${shop.baseUrl}/mcp`, { method, headers: { accept: 'text/html' } })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  }
})

test('a key gets the tools of its scopes, and each of them works', async () => {
  const { agentId } = await shop.buyer(100)
  const SCOPES = [['gateway:read'], ['transactions:read'], ['gateway:write'], ['approvals:read']]
  const offered = await Promise.all(
    SCOPES.map(async (scopes) => {
      const terms = { name: 'Narrow', agentIds: [agentId], scopes: scopes as 'gateway:read'[] }
      const { apiKey } = await shop.people.apiKeys.create(terms)
      const { body } = await postMessage(shop, apiKey, LIST)
      const names = (body['result'] as { tools: { name: string }[] }).tools.map((it) => it.name)
      for (const name of names) {
        const input = INPUTS[name] ?? {}
        const { body: called } = await postMessage(shop, apiKey, toolCall(name, input))
        expect(JSON.stringify(called)).not.toMatch(/insufficient_scope|agent_bound_key/)
      }
      const forbidden = toolCall('settle_spend', { transactionId: 'txn_1' })
      const { body: refused } = await postMessage(shop, apiKey, forbidden)
      expect(refused).toMatchObject({
        result: { isError: true, structuredContent: { code: 'tool_not_offered' } },
      })
      return names
    }),
  )
  const reading = ['get_mandate', 'get_budget', 'check_spend', 'get_approval']
  expect(offered).toEqual([
    reading,
    ['list_transactions', 'explain_transaction'],
    [
      ...['get_mandate', 'get_budget', 'check_spend', 'authorize_spend', 'pay_x402'],
      ...['request_approval', 'get_approval'],
    ],
    ['get_approval'],
  ])
})

const INPUTS: Readonly<Record<string, object>> = {
  check_spend: { amount: 1, vendor: 'books.example.com', category: 'books' },
  authorize_spend: BOOK,
  request_approval: BOOK,
  pay_x402: { purchaseId: 'page', url: 'http://127.0.0.1:1/', maxAmount: 1 },
  get_approval: { approvalId: 'apr_1' },
  explain_transaction: { transactionId: 'txn_1' },
}

test('a tool call counts once against the rate limit, as a call of the API does', async () => {
  const limited = await openLimitedShop(100)
  try {
    const { apiKey, purser } = await limited.buyer(100)
    const left = async () => {
      const { response } = await purser.gateway
        .simulate({ amount: 1, vendor: 'a.example.com', category: 'x' })
        .withResponse()
      return Number(response.headers.get('ratelimit-remaining'))
    }
    const before = await left()
    const called = await postMessage(limited, apiKey, toolCall('authorize_spend', BOOK))
    expect(called.headers.get('ratelimit-remaining')).toBe(String(before - 1))
    await postMessage(limited, apiKey, toolCall('authorize_spend', {}))
    await postMessage(limited, apiKey, LIST)
    expect(await left()).toBe(before - 4)
  } finally {
    await limited.stop()
  }
})

test('a flood is refused with 429 and the time to wait', async () => {
  const limited = await openLimitedShop(5)
  try {
    const { apiKey } = await limited.buyer(100)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => postMessage(limited, apiKey, LIST)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused[0]?.body).toMatchObject({ code: 'rate_limited' })
  } finally {
    await limited.stop()
  }
})

test('a key can have 20 calls at a time, and a client that hangs up frees its calls', async () => {
  const buyer = await shop.buyer(100, [...EVERYTHING])
  // Together these are more waits than the gateway allows a key to have open.
  for (const _ of [1, 2, 3]) {
    const hangUp = new AbortController()
    const waiting = Array.from({ length: 20 }, (_, n) =>
      postMessage(
        shop,
        buyer.apiKey,
        toolCall('request_approval', { ...BOOK, purchaseId: `book ${n}`, amount: 1 + n }),
        {},
        hangUp.signal,
      ).catch(() => 'hung up'),
    )
    await waitUntil(async () => {
      const { status, body } = await postMessage(shop, buyer.apiKey, LIST)
      if (status === 429) expect(body).toMatchObject({ limited: 'mcp_requests', limit: 20 })
      return status === 429 && (await buyer.purser.approvals.list().page()).total === 20
    })
    // Other keys are not held up.
    expect((await postMessage(shop, shop.owner.apiKey, LIST)).status).toBe(200)
    hangUp.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['hung up']))
    await waitUntil(async () => (await postMessage(shop, buyer.apiKey, LIST)).status === 200)
  }
  const input = { ...BOOK, purchaseId: 'book 1', amount: 2, waitSeconds: 1 }
  const { body } = await postMessage(shop, buyer.apiKey, toolCall('request_approval', input))
  expect(body).toMatchObject({ result: { structuredContent: { status: 'pending' } } })
  expect(await buyer.spent()).toBe(0)
})

test('a gateway that stops answers a call that waits for a person', async () => {
  const stopping = await openToolShop()
  const buyer = await stopping.buyer(100, [...EVERYTHING])
  const waiting = postMessage(stopping, buyer.apiKey, toolCall('request_approval', BOOK))
  await waitUntil(async () => (await buyer.purser.approvals.list().page()).total === 1)
  await stopping.stop()
  expect((await waiting).body).toMatchObject({
    result: { isError: false, structuredContent: { status: 'pending' } },
  })
})

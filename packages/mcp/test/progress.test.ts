import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { answerHttp } from '../src/index.ts'
import { openToolShop, type Shop } from './support/shop.ts'

const BOOK = { purchaseId: 'book', amount: 20, vendor: 'books.example.com', category: 'books' }

let shop: Shop
beforeAll(async () => {
  shop = await openToolShop()
})
afterAll(() => shop?.stop())

test('a client with a progress token learns that a person is waited for', async () => {
  const buyer = await shop.buyer(100, [{ type: 'approval', above: 5, expiresIn: '30m' }])
  const approver = await shop.approver()
  const caller = {
    apiKey: buyer.apiKey,
    baseUrl: shop.baseUrl,
    fetch,
    access: { scopes: null, agentIds: [buyer.agentId] },
    version: '0.0.0',
    progressMs: 20,
  }
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (url, init) =>
      answerHttp(new Request(url, init), JSON.parse(String(init?.body)), caller),
  })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(transport)
  const seen: { readonly progress: number; readonly message?: string | undefined }[] = []
  const call = client.callTool(
    { name: 'request_approval', arguments: BOOK },
    { onprogress: (progress) => void seen.push(progress) },
  )
  await waitUntil(() => seen.length > 2)
  await waitUntil(async () => {
    const [open] = (await approver.approvals.list({ status: 'pending' }).page()).data
    if (open) await approver.approvals.decide(open.id, { decision: 'approve' })
    return open !== undefined
  })
  expect((await call).structuredContent).toMatchObject({ status: 'approved' })
  expect(seen[0]?.message).toBe('Waiting for a person to decide.')
  expect(seen.map(({ progress }) => progress)).toEqual(
    seen.map(({ progress }) => progress).sort((a, b) => a - b),
  )
  // A tool that does not wait needs no progress.
  const before = seen.length
  await client.callTool(
    { name: 'get_budget', arguments: {} },
    { onprogress: (it) => void seen.push(it) },
  )
  expect(seen).toHaveLength(before)
  await client.close()
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultProxy } from '../../sdk/test/support/fault-proxy.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { type CalledTool, connect, type McpClient } from './support/clients.ts'
import { openToolShop, type Shop } from './support/shop.ts'

const BOOK = { purchaseId: 'book', amount: 20, vendor: 'books.example.com', category: 'books' }
const ABOVE_FIVE = [{ type: 'approval', above: 5, expiresIn: '30m' }] as const
const SPENDING = ['authorize_spend', 'settle_spend', 'pay_x402', 'request_approval']
const READING = [
  ...['get_mandate', 'get_budget', 'check_spend', 'get_approval'],
  ...['list_transactions', 'explain_transaction'],
]

let shop: Shop
beforeAll(async () => {
  shop = await openToolShop()
})
afterAll(() => shop?.stop())

const factsOf = ({ structuredContent = {} }: CalledTool) => structuredContent

describe.each(['v1', 'v2'] as const)('a client %s over HTTP', (generation) => {
  const open = (apiKey: string): Promise<McpClient> =>
    connect(`${generation} over HTTP`, { baseUrl: shop.baseUrl, apiKey })

  test('finds all tools, their hints, instructions and resources with the key of an agent', async () => {
    const buyer = await shop.buyer(100, [{ type: 'amount', max: 50 }])
    const client = await open(buyer.apiKey)
    const tools = await client.tools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...SPENDING, ...READING].sort())
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: READING.includes(name),
        destructiveHint: ['authorize_spend', 'settle_spend', 'pay_x402'].includes(name),
        openWorldHint: name === 'pay_x402',
      })
      expect(inputSchema.properties).not.toHaveProperty('agentId')
      expect(outputSchema).toMatchObject({ required: ['summary', 'isError'] })
    }
    expect(client.instructions()).toContain('Never split a purchase')
    expect((await client.resources()).map(({ uri }) => uri)).toEqual([
      'purser://mandate',
      'purser://rules',
    ])
    const mandate = await client.read('purser://mandate')
    expect(mandate).toContain('100 USD left, under 1 rule, which must pass.')
    expect(mandate).toContain(
      'The amount of one purchase must be at most 50. Otherwise the spend is rejected.',
    )
    expect(await client.read('purser://rules')).toContain('`amount_above_max`')
    await expect(client.read('purser://secrets')).rejects.toThrow()
  })

  test('finds no tool that spends with any other key, and learns how to make one', async () => {
    const client = await open(shop.owner.apiKey)
    const tools = await client.tools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...READING].sort())
    const needAgent = tools.filter(({ inputSchema }) => inputSchema.required?.includes('agentId'))
    expect(needAgent.map(({ name }) => name).sort()).toEqual([
      ...['check_spend', 'get_budget', 'get_mandate'],
    ])
    expect(client.instructions()).toContain(
      'under API keys, or with POST /api/v1/api-keys and `agentIds`',
    )
    const { agentId } = await shop.buyer(100)
    const refused = await client.call('authorize_spend', { ...BOOK, agentId })
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: 'tool_not_offered', retryable: false },
    })
    expect(factsOf(await client.call('get_budget', { agentId }))).toMatchObject({ spent: 0 })
    await expect(client.call('activate_mandate', {})).rejects.toThrow('There is no tool')
  })

  test('buys once with two equal calls, and says the result as data and as text', async () => {
    const buyer = await shop.buyer(100)
    const client = await open(buyer.apiKey)
    const first = await client.call('authorize_spend', BOOK)
    expect(first.isError).toBe(false)
    expect(factsOf(first)).toMatchObject({ decision: 'approved', repeated: false })
    expect(JSON.parse(first.content[0]?.text ?? '')).toEqual(first.structuredContent)
    // The second one names the agent, which changes nothing.
    const again = await client.call('authorize_spend', { ...BOOK, agentId: buyer.agentId })
    expect(factsOf(again)).toMatchObject({
      repeated: true,
      transactionId: factsOf(first)['transactionId'],
    })
    expect(await buyer.spent()).toBe(20)
  })

  test.each(['reset after', 'stall'] as const)(
    'buys once if it never gets the first answer (%s) and calls again',
    async (fault) => {
      const buyer = await shop.buyer(100)
      const proxy = await startFaultProxy(shop.baseUrl)
      const target = { baseUrl: proxy.url, apiKey: buyer.apiKey }
      const client = await connect(`${generation} over HTTP`, target)
      // Version 1 looks for a stream after it has connected. That request must not get the fault.
      const isQuiet = () => generation === 'v2' || proxy.seen.some(({ method }) => method === 'GET')
      await waitUntil(isQuiet)
      proxy.faults.push(fault)
      const leaving = new AbortController()
      const lost = client.call('authorize_spend', BOOK, { signal: leaving.signal })
      const refused = expect(lost).rejects.toThrow()
      await waitUntil(async () => (await buyer.spent()) === 20)
      leaving.abort(new Error('The client gave up.'))
      await refused
      expect(factsOf(await client.call('authorize_spend', BOOK))).toMatchObject({
        decision: 'approved',
        repeated: true,
      })
      expect(await buyer.spent()).toBe(20)
      expect((await buyer.purser.transactions.list().page()).data).toHaveLength(1)
    },
  )

  test('sees only what belongs to the agent of its key', async () => {
    const [mine, other] = [await shop.buyer(100), await shop.buyer(50)]
    const [client, stranger] = [await open(mine.apiKey), await open(other.apiKey)]
    const { transactionId } = factsOf(await client.call('authorize_spend', BOOK))
    expect(factsOf(await client.call('list_transactions', {}))['transactions']).toHaveLength(1)
    expect(factsOf(await stranger.call('list_transactions', {}))['transactions']).toEqual([])
    expect(await stranger.call('explain_transaction', { transactionId })).toMatchObject({
      isError: true,
      structuredContent: { code: 'transaction_not_found' },
    })
    const foreign = { ...BOOK, purchaseId: 'foreign', agentId: mine.agentId }
    expect(factsOf(await stranger.call('authorize_spend', foreign))).toMatchObject({
      isError: true,
      code: 'agent_not_found',
    })
    await expect(stranger.read(`purser://mandate/${mine.agentId}`)).rejects.toThrow()
    expect(await mine.spent()).toBe(20)
  })

  test('gets a sentence about wrong arguments, and nothing is sent', async () => {
    const buyer = await shop.buyer(100)
    const client = await open(buyer.apiKey)
    const refused = await client.call('authorize_spend', { amount: '20', colour: 'red' })
    expect(refused.isError).toBe(true)
    expect(factsOf(refused)).toMatchObject({ code: 'invalid_arguments' })
    expect(factsOf(refused)['summary']).toContain('`purchaseId` is missing.')
    expect(factsOf(refused)['summary']).toContain('`colour` is not an argument of this tool.')
    expect(await buyer.spent()).toBe(0)
  })

  test('is refused, asks, waits for the person, and buys', async () => {
    const buyer = await shop.buyer(100, [...ABOVE_FIVE])
    const approver = await shop.approver()
    const client = await open(buyer.apiKey)
    expect(factsOf(await client.call('check_spend', SPEND))).toMatchObject({
      decision: 'rejected',
      code: 'approval_required',
    })
    const pending = await client.call('request_approval', { ...BOOK, waitSeconds: 0 })
    expect(factsOf(pending)).toMatchObject({
      status: 'pending',
      approvalId: expect.stringMatching(/^apr_/),
      url: expect.stringContaining('/approvals/apr_'),
    })
    const approvalId = String(factsOf(pending)['approvalId'])
    const waiting = client.call('get_approval', { approvalId, waitSeconds: 50 })
    await approver.approvals.decide(approvalId, { decision: 'approve', comment: 'Fine.' })
    const answered = await waiting
    expect(factsOf(answered)).toMatchObject({ status: 'approved' })
    // Words of others are apart, behind a warning.
    expect(answered.content).toHaveLength(2)
    expect(answered.content[0]?.text).not.toContain('Fine.')
    expect(answered.content[1]?.text).toMatch(/^{"untrusted":{"warning":"These texts/)
    expect(factsOf(await client.call('authorize_spend', BOOK))).toMatchObject({
      decision: 'approved',
    })
    expect(await buyer.spent()).toBe(20)
  })

  test('buys nothing with a call that it cancels while a person decides', async () => {
    const buyer = await shop.buyer(100, [...ABOVE_FIVE])
    const client = await open(buyer.apiKey)
    const leaving = new AbortController()
    const call = client.call('request_approval', BOOK, { signal: leaving.signal })
    const pending = async () => (await buyer.purser.approvals.list().page()).data
    await waitUntil(async () => (await pending()).length === 1)
    leaving.abort(new Error('Cancelled.'))
    await expect(call).rejects.toThrow()
    const again = await client.call('request_approval', { ...BOOK, waitSeconds: 0 })
    expect(factsOf(again)).toMatchObject({
      status: 'pending',
      approvalId: (await pending())[0]?.id,
    })
    expect(await pending()).toHaveLength(1)
    expect(await buyer.spent()).toBe(0)
  })
})

const SPEND = { amount: BOOK.amount, vendor: BOOK.vendor, category: BOOK.category }

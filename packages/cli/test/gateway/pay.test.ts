import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeOnChain } from '../../../server/test/support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../../server/test/support/x402/mall.ts'
import { callPurser } from '../support/in-process.ts'
import { killPursers, startPurser } from '../support/purser.ts'

describeOnChain('purser pay', () => {
  let mall: Mall
  let url: string
  beforeAll(async () => {
    mall = await startMall()
    url = await mall.app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(() => killPursers())
  afterAll(() => mall?.stop())

  async function openShop() {
    const shop = await mall.openShop()
    const env = { PURSER_BASE_URL: url, PURSER_API_KEY: shop.acme.apiKey }
    const args = ['--agent', shop.agentId]
    const run = async (path: string, ...more: readonly string[]) => {
      const purser = await callPurser(['pay', `${shop.vendor.url}${path}`, ...args, ...more], env)
      const [out, told] = [purser.lines.join('\n'), purser.told.join('\n')]
      return { code: await purser.exited(), out, told }
    }
    return { ...shop, env, args, run }
  }

  test('pays once, and standard output has only the resource', async () => {
    const shop = await openShop()
    const args = ['pay', `${shop.vendor.url}/data`, ...shop.args, '--max', '0.05']
    const paid = await startPurser([...args, '--idempotency-key', 'report-1'], shop.env)
    expect(await paid.exited()).toBe(0)
    expect(paid.lines).toEqual(['{"goods":"/data"}'])
    expect(paid.told.join()).toMatch(/^Paid 0\.01 USDC: transaction txn_/)
    const again = await shop.run('/data', '--max', '0.05', '--idempotency-key', 'report-1')
    expect(again.code).toBe(0)
    expect(await shop.moved()).toHaveLength(1)
  })

  test('pays no more than --max, and nothing that the mandate rejects', async () => {
    const shop = await openShop()
    const dear = await shop.run('/data', '--max', '0.001')
    expect(dear).toMatchObject({ code: 1, out: '' })
    expect(dear.told).toContain('nothing was paid')
    await shop.acme.patch(`/agents/${shop.agentId}`, { status: 'paused' })
    const rejected = await shop.run('/data', '--max', '0.05')
    expect(rejected).toMatchObject({ code: 3, told: '' })
    expect(rejected.out).toContain('Rejected: ')
    const json = await shop.run('/data', '--max', '0.05', '--json')
    expect(json.code).toBe(3)
    expect(JSON.parse(json.out)).toMatchObject({ decision: 'rejected' })
    expect(await shop.moved()).toHaveLength(0)
  })

  test('delivers a resource that costs nothing', async () => {
    const free = await (await openShop()).run('/free', '--max', '0.05')
    expect(free).toMatchObject({ code: 0, out: '{"goods":"/free"}' })
    expect(free.told).toContain('The vendor asked for no payment.')
  })

  test('sends the method, the headers and the body', async () => {
    const shop = await openShop()
    const request = ['--method', 'POST', '--header', 'content-type: application/json']
    const body = '{"q":"tides"}'
    const echoed = await shop.run('/echo', '--max', '0.05', ...request, '--data', body)
    expect(echoed).toMatchObject({ code: 0, out: body })
    expect((await shop.run('/echo', '--max', '0.05', '--header', 'nothing')).code).toBe(2)
    const unset = await shop.run('/echo', '--max', '0.05', '--header', 'x-token: @env:NO_TOKEN')
    expect([unset.code, unset.told]).toEqual([2, expect.stringContaining('NO_TOKEN is not set')])
    expect((await shop.run('/echo')).told).toContain('--max <amount>')
  })
})

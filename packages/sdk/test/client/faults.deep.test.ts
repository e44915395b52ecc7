import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import {
  type CallOptions,
  ConnectionError,
  PlanLimitError,
  Purser,
  PurserError,
  RateLimitError,
  ServerError,
} from '../../src/index.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('a client behind a network that fails', () => {
  let app: TestApp
  let acme: Owner
  let gatewayUrl: string
  let agentId: string

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gatewayUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const direct = new Purser({ apiKey: acme.apiKey, baseUrl: gatewayUrl })
    agentId = (await direct.agents.create({ name: 'Buyer' })).id
    const draft = await direct.mandates.create({ agentId, name: 'All', budgetTotal: 1000 })
    await direct.mandates.activate(draft.id)
  })
  afterAll(() => app.stop())

  async function behind(...faults: Fault[]) {
    const proxy = await startFaultProxy(gatewayUrl)
    proxy.faults.push(...faults)
    return { proxy, purser: new Purser({ apiKey: acme.apiKey, baseUrl: proxy.url }) }
  }

  async function spendsOf(reference: string): Promise<number> {
    const direct = new Purser({ apiKey: acme.apiKey, baseUrl: gatewayUrl })
    return (await direct.transactions.list({ reference }).page()).total
  }

  function spend(purser: Purser, reference: string, options?: CallOptions) {
    const input = { agentId, amount: 1, vendor: 'api.example.com', category: 'llm', reference }
    return purser.gateway.evaluate(input, options)
  }

  const PASSING: [string, Fault[]][] = [
    ['is closed before the request', ['reset before']],
    ['is closed after the decision', ['reset after']],
    ['is closed in the middle of the answer', [{ cutAfterBytes: 40 }]],
    ['fails in several ways', ['reset after', { status: 502 }, 'reset before', { status: 408 }]],
    ['has a proxy that answers 503', [{ status: 503, headers: { 'retry-after': '0' } }]],
    ['has a proxy that answers 429', [{ status: 429, headers: { 'retry-after': '1' } }]],
  ]
  test.each(PASSING)('spends once where the connection %s', async (name, faults) => {
    const { proxy, purser } = await behind(...faults)
    const evaluation = await spend(purser, name)
    expect(evaluation.decision).toBe('approved')
    expect(await spendsOf(name)).toBe(1)
    expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(1)
    expect(proxy.seen).toHaveLength(faults.length + 1)
  })

  test('waits while the first request with the key still runs', async () => {
    const body = JSON.stringify({ code: 'idempotency_in_flight', detail: 'Still running.' })
    const { purser } = await behind({ status: 409, body })
    expect((await spend(purser, 'in flight')).decision).toBe('approved')
  })

  test('gives the key where the outcome stays unknown, and goes on with it', async () => {
    const { proxy, purser } = await behind('reset after', 'reset after')
    const error = await spend(purser, 'unknown', { retries: 1 }).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: 'network_error', outcomeUnknown: true })
    const { idempotencyKey } = error as PurserError
    expect(idempotencyKey).toBe(proxy.seen[0]?.key)
    expect(await spendsOf('unknown')).toBe(1)

    const options = { idempotencyKey: idempotencyKey ?? '' }
    const { data, response } = await spend(purser, 'unknown', options).withResponse()
    expect([data.decision, response.headers.get('idempotent-replayed')]).toEqual([
      'approved',
      'true',
    ])
    expect(await spendsOf('unknown')).toBe(1)
  })

  test('gives up where the gateway is silent, and says that the outcome is unknown', async () => {
    const { purser } = await behind('stall')
    const error = await spend(purser, 'stalled', { timeoutMs: 400, retries: 0 }).catch(
      (it: unknown) => it,
    )
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'timeout', outcomeUnknown: true })
  })

  test('ends a call with its signal', async () => {
    const { purser } = await behind('stall')
    const aborting = new AbortController()
    const call = spend(purser, 'aborted', { signal: aborting.signal })
    aborting.abort(new Error('enough'))
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
  })

  test('knows that a request which never left has no effect', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    const purser = new Purser({ apiKey: acme.apiKey, baseUrl: `http://127.0.0.1:${port}` })
    const error = await spend(purser, 'refused', { retries: 0 }).catch((it: unknown) => it)
    expect(error).toMatchObject({ code: 'network_error', outcomeUnknown: false })
  })

  test('does not wait for longer than the caller has', async () => {
    const { proxy, purser } = await behind({ status: 429, headers: { 'retry-after': '3600' } })
    const error = await spend(purser, 'an hour').catch((it: unknown) => it)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterSeconds: 3600 })
    expect(proxy.seen).toHaveLength(1)
  })

  test('does not repeat a request that the plan refuses', async () => {
    const body = JSON.stringify({ code: 'plan_limit_exceeded', detail: 'The plan is used up.' })
    const { proxy, purser } = await behind({ status: 429, body })
    await expect(spend(purser, 'plan')).rejects.toBeInstanceOf(PlanLimitError)
    expect(proxy.seen).toHaveLength(1)
  })

  test('gives up after its retries', async () => {
    const fault = { status: 500, headers: { 'retry-after': '0' } }
    const { proxy, purser } = await behind(fault, fault, fault)
    const error = await purser.organization.get({ retries: 2 }).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: 'http_500', outcomeUnknown: false })
    expect(proxy.seen).toHaveLength(3)
  })

  test('counts a repeated DELETE that finds nothing as done, but not the first', async () => {
    const { purser } = await behind('none', 'reset after')
    const { id } = await purser.agents.create({ name: 'Short-lived' })
    expect(await purser.agents.delete(id)).toMatchObject({ id, deleted: true })
    await expect(purser.agents.delete(UNKNOWN_ID)).rejects.toMatchObject({ status: 404 })
  })

  test('follows no redirect', async () => {
    const headers = { location: 'https://elsewhere.example/?token=abc' }
    const { proxy, purser } = await behind({ status: 307, headers })
    const error = await spend(purser, 'redirect').catch((it: unknown) => it)
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'redirect_refused' })
    expect(String(error)).not.toContain('token')
    expect(proxy.seen).toHaveLength(1)
  })

  test('says that another server answered', async () => {
    const { purser } = await behind({ status: 200, body: '<html>Welcome</html>' })
    const error = await spend(purser, 'portal').catch((it: unknown) => it)
    expect(PurserError.is(error)).toBe(true)
    expect(error).toMatchObject({ code: 'invalid_response' })
    expect(String(error)).toContain('baseUrl')
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../server/test/support/app.ts'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import { Purser } from '../../src/index.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'

// The other faults of a network: faults.deep.test.ts.
describe('a client that loses an answer', () => {
  test('repeats the request with the same key, and spends once', async () => {
    const app = await createTestApp()
    onTestFinished(() => app.stop())
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const proxy = await startFaultProxy(await app.app.listen({ port: 0, host: '127.0.0.1' }))
    proxy.faults.push('reset after')
    const purser = new Purser({ apiKey: acme.apiKey, baseUrl: proxy.url })
    const spend = { agentId, amount: 1, vendor: 'api.example.com', category: 'llm' }
    expect((await purser.gateway.evaluate(spend)).decision).toBe('approved')
    expect((await purser.transactions.list().page()).total).toBe(1)
    expect(proxy.seen[0]?.key).toBe(proxy.seen[1]?.key)
  })
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeRejections } from '../support/bulk-decisions.ts'
import { createCaller } from '../support/caller.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { addTenant, type Tenant } from '../support/tenant.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'

/** Grossly wrong: nearly as long as an attempt at a dead receiver takes. */
const GRAVE_MS = 4_000
/** What a busy machine may add to that, as a multiple of what it takes without dead receivers. */
const NOISE = 10

describeOnPostgres('receivers that hang', () => {
  let database: TestDatabase
  let site: Site
  let gateway: GatewayProcess
  let healthy: Receiver
  let dead: Receiver

  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    const opened = await openSite({ databaseUrl: database.url })
    site = opened.site
    gateway = opened.first
    healthy = await startReceiver()
    dead = await startReceiver(() => {})
  })
  afterEach(async () => {
    await gateway.kill()
    await site.close()
    await database.drop()
    await healthy.close()
    await dead.close()
  })

  const tenants = (count: number, receiver: Receiver): Promise<Tenant[]> =>
    Promise.all(
      Array.from({ length: count }, () => addTenant(database.db, gateway, 'quick', receiver.url)),
    )

  /** More than the share takes, so that there is always more that waits. */
  const keepWaiting = (some: readonly Tenant[], count: number) =>
    Promise.all(
      some.map(({ organizationId, agentIds }) =>
        storeRejections(database.db, organizationId, agentIds[1] ?? '', count),
      ),
    )

  /** How long each decision's event takes to arrive, in milliseconds, shortest first. */
  async function measure(some: readonly Tenant[], rounds: number): Promise<readonly number[]> {
    const askedAt = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      for (const tenant of some) {
        const caller = createCaller(tenant.apiKey)
        const body = {
          agentId: tenant.agentIds[1],
          amount: 1,
          vendor: 'api.example.com',
          category: 'llm',
        }
        const at = Date.now()
        const { text } = await caller.post(gateway.url, { path: '/gateway/evaluate', body })
        askedAt.set(JSON.parse(text).transactionId, at)
        caller.close()
      }
    }
    const arrivals = () =>
      healthy.received.flatMap(({ body, at }) => {
        const askedFor = askedAt.get(JSON.parse(body).data.transactionId)
        return askedFor === undefined ? [] : [at - askedFor]
      })
    await waitUntil(() => arrivals().length === askedAt.size)
    return arrivals().toSorted((a, b) => a - b)
  }

  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0

  function report(name: string, before: readonly number[], after: readonly number[]): void {
    const figures = [0.5, 0.95, 1].map((share) => [at(before, share), at(after, share)] as const)
    const [median, late, last] = figures.map(
      ([a, b]) => `${a} → ${b} ms (×${(b / Math.max(1, a)).toFixed(2)})`,
    )
    console.info(`${name}: median ${median}, 95 % ${late}, longest ${last}`)
  }

  test('hold up nobody else: one of a hundred', async () => {
    const [others, [hanging]] = [await tenants(99, healthy), await tenants(1, dead)]
    await measure(others, 1)
    const alone = await measure(others, 3)
    await keepWaiting(hanging ? [hanging] : [], 200)
    await requestTo(dead, 2)
    const beside = await measure(others, 3)
    report('99 receivers, without and with a dead one', alone, beside)
    expect(at(beside, 1)).toBeLessThan(GRAVE_MS + NOISE * at(alone, 1))
  })

  test('hold up nobody else: ninety of a hundred, once they are known to hang', async () => {
    const [others, hanging] = [await tenants(10, healthy), await tenants(90, dead)]
    await measure(others, 1)
    const alone = await measure(others, 10)
    // Four failures of each, and the shares of all are down to one.
    dead.behave(answerWith(500))
    await keepWaiting(hanging, 4)
    await waitUntil(() => dead.received.length >= 90 * 4)
    dead.behave(() => {})
    await keepWaiting(hanging, 20)
    await requestTo(dead, 90 * 5)
    const beside = await measure(others, 10)
    report('10 receivers, without and with 90 that are known to hang', alone, beside)
    expect(at(beside, 1)).toBeLessThan(GRAVE_MS + NOISE * at(alone, 1))
  })

  test('hold up nobody else: ninety of a hundred that begin to hang at once', async () => {
    const [others, hanging] = [await tenants(10, healthy), await tenants(90, dead)]
    await measure(others, 1)
    const alone = await measure(others, 10)
    await keepWaiting(hanging, 20)
    await requestTo(dead, 100)
    const beside = await measure(others, 10)
    report('10 receivers, without and with 90 that begin to hang', alone, beside)
    expect(at(beside, 1)).toBeLessThan(GRAVE_MS + NOISE * at(alone, 1))
  })
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeRejections } from '../support/bulk-decisions.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { addTenant, type Tenant } from '../support/tenant.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'

const TAKEN_OVER_WITHIN_MS = 20_000
/** As many organizations, so that as many deliveries are under way at once. */
const TENANTS = 10

describeOnPostgres('a real gateway process with deliveries under way', () => {
  let database: TestDatabase
  let site: Site
  let first: GatewayProcess
  let receiver: Receiver
  let tenants: readonly Tenant[]
  let processes: GatewayProcess[]

  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    const delays = { PURSER_WEBHOOK_RETRY_DELAYS: '100ms 200ms 300ms 400ms' }
    const opened = await openSite({ databaseUrl: database.url }, delays)
    site = opened.site
    first = opened.first
    processes = [first]
    receiver = await startReceiver(() => {})
    const add = () => addTenant(database.db, first, 'quick', receiver.url)
    tenants = await Promise.all(Array.from({ length: TENANTS }, add))
  })
  afterEach(async () => {
    await Promise.all(processes.map((gateway) => gateway.kill()))
    await site.close()
    await database.drop()
    await receiver.close()
  })

  /** An event for each of the organizations, or more. */
  const store = (count: number) =>
    Promise.all(
      tenants.map(({ organizationId, agentIds }) =>
        storeRejections(database.db, organizationId, agentIds[1] ?? '', count),
      ),
    )

  /** By webhook-id: how the delivery stands, and how its attempts ended, oldest first. */
  async function readLog() {
    const rows = await database.db.query<{ id: string; status: string; outcomes: string[] }>({
      text: `
        select 'evt_' || replace(d.id::text, '-', '') as id, d.status,
               array_agg(a.outcome order by a.started_at, a.id) as outcomes
        from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
        group by d.id, d.status`,
    })
    return new Map(rows.map(({ id, ...entry }) => [id, entry]))
  }

  const isSettled = async () =>
    [...(await readLog()).values()].every(({ status }) => status !== 'pending')

  test('that is killed leaves them to another within 20 s, and no retry is used up', async () => {
    const second = await site.start()
    processes.push(second)
    // Frozen, so that it is the first one that takes them.
    second.pause()
    await store(1)
    await requestTo(receiver, TENANTS)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    const hopeless = ids[0]
    receiver.behave((response, { headers }) => {
      answerWith(headers['webhook-id'] === hopeless ? 500 : 200)(response, {} as never, 0)
    })
    await first.kill()
    const killedAt = Date.now()
    second.resume()

    const isBack = (id: unknown) =>
      receiver.received.slice(TENANTS).some(({ headers }) => headers['webhook-id'] === id)
    await waitUntil(() => ids.every(isBack))
    const tookMs = Date.now() - killedAt
    await waitUntil(isSettled)
    const log = await readLog()
    console.info(`${TENANTS} deliveries were taken over within ${tookMs} ms of the kill.`)

    expect(tookMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    for (const id of ids) {
      const outcomes = id === hopeless ? Array(5).fill('failed') : ['succeeded']
      const status = id === hopeless ? 'failed' : 'succeeded'
      expect(log.get(String(id))).toEqual({ status, outcomes: ['interrupted', ...outcomes] })
    }
  })

  test('that is asked to stop ends them first, and nothing counts as interrupted', async () => {
    receiver.behave((response) => void setTimeout(() => response.end(), 1_000))
    await store(3)
    await requestTo(receiver, TENANTS)
    await first.stop()
    const log = [...(await readLog()).values()]
    expect(log.length).toBeGreaterThanOrEqual(TENANTS)
    for (const entry of log) expect(entry).toEqual({ status: 'succeeded', outcomes: ['succeeded'] })
    expect(receiver.received).toHaveLength(log.length)
    const left = await database.db.query({ text: 'select 1 from webhook_queue' })
    expect(left).toHaveLength(3 * TENANTS - log.length)
  })
})

import { onTestFinished } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { storeRejections } from '../support/bulk-decisions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openSite } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { addTenant } from '../support/tenant.ts'

/** As many organizations, so that as many deliveries are under way at once. */
export const TENANTS = 10

/** Real gateway processes that deliver to one receiver, which hangs until it is told otherwise. */
export interface TakeoverStage {
  readonly db: Database
  readonly first: GatewayProcess
  readonly receiver: Receiver
  /** Another process on the same database. */
  start(): Promise<GatewayProcess>
  /** So many events for each of the organizations. */
  store(count: number): Promise<unknown>
  /** By webhook-id: how the delivery stands, and how its attempts ended, oldest first. */
  readLog(): Promise<ReadonlyMap<string, { readonly status: string; readonly outcomes: string[] }>>
}

/** Everything of it ends with the test. `database` has a server of its own, if the test needs one. */
export async function openTakeoverStage(
  database?: Pick<TestDatabase, 'db' | 'url' | 'drop'>,
): Promise<TakeoverStage> {
  const { db, url, drop } = database ?? (await createTestDatabase('postgres'))
  onTestFinished(drop)
  const delays = { PURSER_WEBHOOK_RETRY_DELAYS: '100ms 200ms 300ms 400ms' }
  const { site, first } = await openSite({ databaseUrl: url }, delays)
  onTestFinished(site.close)
  onTestFinished(first.kill)
  const receiver = await startReceiver(() => {})
  onTestFinished(receiver.close)
  const add = () => addTenant(db, first, 'quick', receiver.url)
  const tenants = await Promise.all(Array.from({ length: TENANTS }, add))
  return {
    db,
    first,
    receiver,
    async start() {
      const gateway = await site.start()
      onTestFinished(gateway.kill)
      return gateway
    },
    store: (count) =>
      Promise.all(
        tenants.map(({ organizationId, agentIds }) =>
          storeRejections(db, organizationId, agentIds[1] ?? '', count),
        ),
      ),
    async readLog() {
      const rows = await db.query<{ id: string; status: string; outcomes: string[] }>({
        text: `
          select 'evt_' || replace(d.id::text, '-', '') as id, d.status,
                 array_agg(a.outcome order by a.started_at, a.id) as outcomes
          from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
          group by d.id, d.status`,
      })
      return new Map(rows.map(({ id, ...entry }) => [id, entry]))
    },
  }
}

import assert from 'node:assert/strict'
import { toUuid } from '../../src/core/id.ts'
import { createOrganization } from '../../src/process/setup.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { createSealer, type Sealer } from '../../src/storage/secrets/sealed.ts'
import { createCaller } from './caller.ts'
import type { GatewayProcess } from './gateway-process.ts'

/** An organization of a drill, and the kind of its receiver. */
export interface Tenant {
  readonly organizationId: string
  readonly apiKey: string
  readonly temper: 'quick' | 'slow' | 'untrusted' | 'closed'
  /**
   * One agent has a mandate that is used up during the drill. The other has none and is always
   * rejected.
   */
  readonly agentIds: readonly string[]
}

/** Uses the master key of the tests' gateway processes. */
export const sealer: Sealer = createSealer(Buffer.alloc(32, 7))

/**
 * The organization is created in the database, because the API cannot create one; the rest goes
 * through a gateway.
 */
export async function addTenant(
  db: Database,
  gateway: GatewayProcess,
  temper: Tenant['temper'],
  url: string,
): Promise<Tenant> {
  const config = { environment: 'development' } as const
  const { organizationId, apiKey } = await createOrganization({ db, sealer }, config, temper)
  const id = toUuid('org', organizationId)
  assert(id)
  await db.query({
    text: 'update organizations set webhook_url = $2, webhook_url_id = null where id = $1',
    values: [id, url],
  })
  const caller = createCaller(apiKey)
  const must = async (path: string, body?: unknown): Promise<string> => {
    const { status, text } = await caller.post(gateway.url, { path, body })
    assert.equal(status, 200, text)
    return JSON.parse(text).id
  }
  const spender = await must('/agents', { name: 'Spender' })
  const rejected = await must('/agents', { name: 'Rejected' })
  const mandate = await must('/mandates', { agentId: spender, budgetTotal: 0.2 })
  await must(`/mandates/${mandate}/activate`)
  caller.close()
  return { organizationId: id, apiKey, temper, agentIds: [spender, rejected] }
}

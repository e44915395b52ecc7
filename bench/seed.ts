import { toUuid } from '../packages/server/src/core/id.ts'
import type { Config } from '../packages/server/src/process/config.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage } from '../packages/server/src/process/open-storage.ts'
import { createOrganization } from '../packages/server/src/process/setup.ts'
import type { Database } from '../packages/server/src/storage/engine/database.ts'
import { newId } from '../packages/server/src/storage/new-id.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'

export interface Seeded {
  readonly apiKey: string
  readonly agentIds: readonly string[]
}

/** Three plain rules and a budget that never runs out, so that every spend is approved. */
export const RULES = [
  { type: 'amount', id: 'amount', effect: 'reject', max: 50 },
  {
    type: 'vendors',
    id: 'vendors',
    effect: 'reject',
    allow: ['api.openai.com', 'api.anthropic.com', 'serpapi.com', '*.wikipedia.org'],
  },
  { type: 'categories', id: 'categories', effect: 'reject', block: ['gambling'] },
]

/** Creates an organization whose agents each have an active mandate, written in bulk. */
export async function seed(env: Record<string, string>, agents: number): Promise<Seeded> {
  const config: Config = readConfig(env)
  const storage = await openStorage(config, silentLog)
  try {
    const { apiKey, organizationId } = await createOrganization(storage, config, 'Bench')
    const uuid = toUuid('org', organizationId) ?? ''
    const agentIds = await addMandates(storage.db, uuid, agents)
    return { apiKey, agentIds }
  } finally {
    await storage.db.close()
  }
}

async function addMandates(db: Database, organizationId: string, count: number): Promise<string[]> {
  const agentIds = Array.from({ length: count }, () => newId(Date.now()))
  const mandateIds = agentIds.map(() => newId(Date.now()))
  for (let from = 0; from < count; from += 1_000) {
    const agentPart = agentIds.slice(from, from + 1_000)
    const mandatePart = mandateIds.slice(from, from + 1_000)
    await db.query({
      text: `insert into agents (organization_id, id, name, status, tags, metadata, created_at, updated_at)
             select $1, id, 'Agent', 'active', '{}', '{}', now(), now() from unnest($2::uuid[]) as id`,
      values: [organizationId, agentPart],
    })
    await db.query({
      text: `insert into mandates (organization_id, id, agent_id, ancestor_ids, status, version,
                                   budget_total, created_at, activated_at, updated_at)
             select $1, m, a, '{}', 'active', 1, 1000000000000000, now(), now(), now()
             from unnest($2::uuid[], $3::uuid[]) as p (m, a)`,
      values: [organizationId, mandatePart, agentPart],
    })
    await db.query({
      text: `insert into mandate_versions (organization_id, mandate_id, version, name, currency, timezone,
                                           budget_period, budget_total, rules, changed_at, policy_hash)
             select $1, m, 1, 'Bench', 'USD', 'UTC', 'none', 1000000000000000, $3, now(), 'bench'
             from unnest($2::uuid[]) as m`,
      values: [organizationId, mandatePart, JSON.stringify(RULES)],
    })
  }
  return agentIds
}

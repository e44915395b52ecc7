import type { Agent } from '../core/agent.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { lockAgent, markAgentDeleted } from './agents.ts'
import { unbindAgentFromKeys } from './api-keys.ts'
import type { DatabaseClock } from './engine/clock.ts'
import type { Tx } from './engine/database.ts'
import { revokeMandates } from './mandate-changes.ts'
import { lockDescendants } from './mandate-locks.ts'

/**
 * Deletes an agent and ends everything that lets it spend: it revokes the active mandate and all
 * its descendants, removes the drafts, revokes keys bound to this agent alone, and closes its
 * cards. Returns undefined if there is no such agent. It locks the agent first and the mandates
 * second, in the one lock order of the gateway.
 */
export async function deleteAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  by: string,
  clock: DatabaseClock,
): Promise<{ readonly agent: Agent; readonly at: Instant } | undefined> {
  const agent = await lockAgent(tx, organizationId, id)
  if (!agent) return undefined
  const rows = await tx.query<{ id: string }>({
    text: `select id from mandates
           where organization_id = $1 and agent_id = $2 and status in ('active', 'draft')`,
    values: [organizationId, id],
  })
  const open = rows.map((row) => row.id)
  const below = await lockDescendants(tx, organizationId, open)
  const [now] = await Promise.all([clock(tx), deleteDrafts(tx, organizationId, id)])
  await Promise.all([
    revokeMandates(tx, organizationId, [...open, ...below], now, by),
    unbindAgentFromKeys(tx, organizationId, id, now),
    closeCards(tx, organizationId, id, now, by),
    markAgentDeleted(tx, organizationId, id, now),
  ])
  return { agent, at: now }
}

/** The children of a draft are drafts too: a child can be active only while its parent is. */
async function deleteDrafts(tx: Tx, organizationId: string, agentId: string): Promise<void> {
  await tx.query({
    text: `
      with recursive doomed (id) as (
        select id from mandates
        where organization_id = $1 and agent_id = $2 and status = 'draft'
        union
        select down.id from doomed
        join mandates down on down.organization_id = $1 and down.parent_id = doomed.id
      )
      delete from mandates where organization_id = $1 and id in (select id from doomed)`,
    values: [organizationId, agentId],
  })
}

async function closeCards(
  tx: Tx,
  organizationId: string,
  agentId: string,
  now: Instant,
  by: string,
): Promise<void> {
  await tx.query({
    text: `update cards
           set status = 'closed', status_reason = 'agent_deleted', updated_at = $3, updated_by = $4
           where organization_id = $1 and agent_id = $2 and status <> 'closed'`,
    values: [organizationId, agentId, toIso(now), by],
  })
}

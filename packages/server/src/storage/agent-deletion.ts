import type { Instant } from '../core/time/instant.ts'
import { lockAgent, markAgentDeleted } from './agents.ts'
import { unbindAgentFromKeys } from './api-keys.ts'
import type { Tx } from './engine/database.ts'
import { revokeMandates } from './mandate-changes.ts'
import { lockDescendants } from './mandates.ts'

/**
 * Deletes an agent and ends everything that lets it spend: its active mandate is revoked with all
 * below it, its drafts are removed, keys bound to it alone are revoked. False when there is no such
 * agent. The agent is locked first, then mandates by id: the order everything here keeps.
 */
export async function deleteAgent(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Instant,
): Promise<boolean> {
  const agent = await lockAgent(tx, organizationId, id)
  if (!agent) return false
  const rows = await tx.query<{ id: string }>({
    text: `select id from mandates
           where organization_id = $1 and agent_id = $2 and status in ('active', 'draft')`,
    values: [organizationId, id],
  })
  const open = rows.map((row) => row.id)
  const below = await lockDescendants(tx, organizationId, open)
  await revokeMandates(tx, organizationId, [...open, ...below.map((child) => child.id)], now)
  await deleteDrafts(tx, organizationId, id)
  await unbindAgentFromKeys(tx, organizationId, id, now)
  await markAgentDeleted(tx, organizationId, id, now)
  return true
}

/** What stands below a draft is a draft too, since only an active parent lets a child be active. */
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

import type { RecordedDecision } from '../../core/replay/recorded-decision.ts'
import type { Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** An agent whose transactions a replay reads, from after `afterId` on. */
export interface ReadAgent {
  readonly agentId: string
  readonly afterId: string
}

/**
 * If the caller of a replay disconnects, the replay ends within a second, also while a statement
 * waits for a lock or for the disk.
 */
const TIMEOUT_MS = 750

/**
 * The transactions of each agent after one id and before a second one, for a replay. The plan
 * provides the order: one index scan per agent, one after the other. The statement may time out;
 * the caller then retries it.
 */
export function readHistory(
  tx: Tx,
  organizationId: string,
  agents: readonly ReadAgent[],
  { beforeId, perAgent }: { readonly beforeId: string; readonly perAgent: number },
): Promise<RecordedDecision[]> {
  tx.send({ text: `set local statement_timeout = ${TIMEOUT_MS}` })
  return tx.query<RecordedDecision>({
    name: 'read-history',
    text: `
      select past.* from unnest($2::uuid[], $3::uuid[]) as a (agent_id, after_id)
      cross join lateral (
        select id, agent_id as "agentId", mandate_id as "mandateId", path, decision, status, code,
               coalesce(decided_amount, amount) as amount,
               coalesce(is_increment, false) as "isIncrement", currency, vendor, category,
               reference, held_amount as "heldAmount", settled_amount as "settledAmount",
               refunded_amount as "refundedAmount", later_parts as "laterParts",
               created_at as "createdAt", expires_at is not null as "isHold",
               case when details_removed_at is null then inputs end as inputs,
               details_removed_at is not null as "isPruned", steps,
               case when decision = 'rejected' then details->>'firstFailure' end as "firstFailure"
        from transactions
        where organization_id = $1 and agent_id = a.agent_id and id > a.after_id and id < $4
        order by id limit $5) past`,
    values: [
      organizationId,
      plainArray(agents.map(({ agentId }) => agentId)),
      plainArray(agents.map(({ afterId }) => afterId)),
      beforeId,
      perAgent,
    ],
  })
}

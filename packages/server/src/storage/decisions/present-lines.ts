import type { Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'

/** A mandate that governs an agent now, or an ancestor of one that does. */
export interface PresentMandate {
  readonly id: string
  readonly agentId: string
  readonly ancestorIds: readonly string[]
  readonly version: number
}

/** The mandate is null if none of the agents has one. */
type Row = Subscription & (PresentMandate | { readonly id: null })

/**
 * Reads the organization's event settings and the mandates that govern the agents of these
 * transactions now, in one statement. Send it after the locks of the lines: a change that
 * introduces vendor rules locks the same mandates, so either its rules are visible here, or it
 * waits and then sees the payments made here.
 */
export async function readPresent(
  tx: Tx,
  organizationId: string,
  transactionIds: readonly string[],
): Promise<{ readonly subscription: Subscription; readonly present: readonly PresentMandate[] }> {
  const rows = await tx.query<Row>({
    name: 'read-present',
    text: `
      select (o.webhook_url is not null or o.webhook_kinds is not null) as "hasWebhook",
             coalesce(o.webhook_kinds, o.webhook_events) as kinds, m.id, m.agent_id as "agentId", m.ancestor_ids as "ancestorIds", m.version
      from organizations o
      left join mandates m on m.organization_id = $1 and m.id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1 and own.status = 'active' and own.agent_id = any(array(
          select agent_id from transactions
          where organization_id = $1 and id = any($2::uuid[])))))
      where o.id = $1`,
    values: [organizationId, plainArray(transactionIds)],
  })
  const [subscription] = rows
  if (!subscription)
    throw new Error('A transaction belongs to an organization that does not exist.')
  return { subscription, present: rows.flatMap((row) => (row.id === null ? [] : [row])) }
}

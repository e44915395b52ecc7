import type { Mandate } from '../core/mandates/mandate.ts'
import { VENDOR_HISTORY } from '../core/mandates/policy.ts'
import type { Statement, Tx } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import { findMandate } from './mandates.ts'

/**
 * The one order in which mandates are locked: a parent before its children, otherwise by id. It
 * prevents deadlocks whatever the ids are. A mandate's parent never changes, so its depth never
 * changes either.
 */
export const LOCK_ORDER = 'cardinality(ancestor_ids), id'

/**
 * Waits for decisions that are being stored, then locks the mandate and its parent until the end of
 * the transaction, both in one statement. All statements are sent at once, and the caller's next
 * statement joins the round trip.
 */
export async function lockMandate(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const locked = tx.query({
    name: 'lock-mandate',
    text: `
      select 1 from mandates
      where organization_id = $1 and id = any(array(
        select unnest(array[own.id, own.parent_id]) from mandates own
        where own.organization_id = $1 and own.id = $2))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, id],
  })
  // The row is read under the lock, because it may have changed during the wait.
  const [, mandate] = await Promise.all([locked, findMandate(tx, organizationId, id)])
  return mandate
}

/**
 * Locks like `lockMandate`, and also locks the agent's active mandate, which an activation sets to
 * `expired` if its time is over.
 *
 * A vendor rule of the mandate or an ancestor needs to know what the agent paid before, so all
 * earlier mandates of the agent are locked too. A settlement of one of their holds locks that
 * mandate. So either the activation waits for the settlement, or the settlement sees the new
 * mandate (ADR 22).
 */
export async function lockForActivation(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const locked = tx.query({
    name: 'lock-for-activation',
    text: `
      select 1 from mandates
      where organization_id = $1 and id = any(array(
        select unnest(array[own.id, own.parent_id, other.id]) from mandates own
        left join mandates other on other.organization_id = $1
          and other.agent_id = own.agent_id and other.status <> 'draft'
          and (other.status = 'active' or exists (
            select 1 from mandates line join mandate_versions v on v.organization_id = $1
              and v.mandate_id = line.id and v.version = line.version
            where line.organization_id = $1 and line.id = any(own.id || own.ancestor_ids)
              and v.rules::text ~ $3))
        where own.organization_id = $1 and own.id = $2))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, id, VENDOR_HISTORY.source],
  })
  const [, mandate] = await Promise.all([locked, findMandate(tx, organizationId, id)])
  return mandate
}

/**
 * Locks like `lockForActivation`, and also locks the descendants of the agent's active mandate, which
 * are revoked with it. One statement takes all locks in their order. Descendants that appear while it
 * waits are found by `lockDescendants`.
 */
export async function lockForReplacement(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const locked = tx.query({
    name: 'lock-for-replacement',
    text: `
      select 1 from mandates
      where organization_id = $1 and id = any(array(
        with recursive doomed (id) as (
          select other.id from mandates own
          join mandates other on other.organization_id = $1 and other.agent_id = own.agent_id
            and other.status = 'active'
          where own.organization_id = $1 and own.id = $2
          union
          select down.id from doomed
          join mandates down on down.organization_id = $1 and down.parent_id = doomed.id
        )
        select id from doomed
        union
        select unnest(array[own.id, own.parent_id, other.id]) from mandates own
        left join mandates other on other.organization_id = $1
          and other.agent_id = own.agent_id and other.status <> 'draft'
          and exists (
            select 1 from mandates line join mandate_versions v on v.organization_id = $1
              and v.mandate_id = line.id and v.version = line.version
            where line.organization_id = $1 and line.id = any(own.id || own.ancestor_ids)
              and v.rules::text ~ $3)
        where own.organization_id = $1 and own.id = $2))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, id, VENDOR_HISTORY.source],
  })
  const [, mandate] = await Promise.all([locked, findMandate(tx, organizationId, id)])
  return mandate
}

/**
 * Locks like `lockForActivation`, for new vendor rules: they need the payment history of the agent
 * and of the agents whose mandates are descendants.
 */
export async function lockForVendorRules(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const locked = tx.query({
    name: 'lock-for-vendor-rules',
    text: `
      select 1 from mandates
      where organization_id = $1 and id = any(array(
        with recursive tree (id, parent_id, agent_id, status) as (
          select id, parent_id, agent_id, status from mandates
          where organization_id = $1 and id = $2
          union
          select down.id, null::uuid, down.agent_id, down.status from tree
          join mandates down on down.organization_id = $1 and down.parent_id = tree.id
        )
        select unnest(array[tree.id, tree.parent_id, other.id]) from tree
        left join mandates other on other.organization_id = $1 and tree.status = 'active'
          and other.agent_id = tree.agent_id and other.status <> 'draft'))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, id],
  })
  const [, mandate] = await Promise.all([locked, findMandate(tx, organizationId, id)])
  return mandate
}

/**
 * Locks every mandate that the agents ever had, after the locks of the functions here. It finds
 * mandates that appeared while those locks were awaited, and nearly always there are none.
 */
export function lockPastsOf(organizationId: string, agentIds: readonly string[]): Statement {
  return {
    name: 'lock-pasts-of',
    text: `select 1 from mandates
           where organization_id = $1 and agent_id = any($2::uuid[]) and status <> 'draft'
           order by ${LOCK_ORDER} for update`,
    values: [organizationId, plainArray(agentIds)],
  }
}

/**
 * Locks the mandates and all their descendants, and returns the ids of the descendants.
 *
 * Creating a child locks its parent, so no descendant can appear under a locked mandate. Repeating
 * the search finds those that appeared before the lock was held, at most once per level of the
 * tree.
 */
export async function lockDescendants(
  tx: Tx,
  organizationId: string,
  roots: readonly string[],
): Promise<readonly string[]> {
  let below = await findDescendantIds(tx, organizationId, roots)
  for (;;) {
    const [, found] = await Promise.all([
      lockRows(tx, organizationId, [...roots, ...below]),
      findDescendantIds(tx, organizationId, roots),
    ])
    if (found.length === below.length) return below
    below = found
  }
}

async function findDescendantIds(
  tx: Tx,
  organizationId: string,
  roots: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    text: `
      with recursive tree (id) as (
        select id from mandates where organization_id = $1 and parent_id = any($2::uuid[])
        union
        select down.id from tree
        join mandates down on down.organization_id = $1 and down.parent_id = tree.id
      )
      select id from tree`,
    values: [organizationId, roots],
  })
  return rows.map((row) => row.id)
}

async function lockRows(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  await tx.query({
    text: `select 1 from mandates where organization_id = $1 and id = any($2::uuid[])
           order by ${LOCK_ORDER} for update`,
    values: [organizationId, ids],
  })
}

import type { Mandate } from '../core/mandates/mandate.ts'
import { VENDOR_HISTORY } from '../core/mandates/policy.ts'
import type { Statement, Tx } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import { findMandate } from './mandates.ts'

/**
 * The order in which everybody locks mandates: a parent before its children, otherwise by id. So no
 * two transactions wait for each other, whatever the ids are. A mandate never moves, so its depth
 * never changes.
 */
export const LOCK_ORDER = 'cardinality(ancestor_ids), id'

/**
 * Waits for decisions that are being stored, then locks the mandate and its parent until the end of
 * the transaction, both in one statement. All that it sends is sent at once: what the caller sends
 * next joins the round trip.
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
 * The same, and the agent's active mandate, which an activation turns to expired if its time is over.
 *
 * A rule about vendors, here or above, has to know what the agent paid before: then all its earlier
 * mandates are locked too. Whoever settles a hold of one of them has locked that one, so the
 * activation waits for it, or it finds the new mandate.
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
 * The same for new rules about vendors: they have to know what was paid by the agent, and by those
 * that are governed by sub-mandates.
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
 * All that the agents were ever governed by, after the locks above: this finds what has come while those
 * were waited for, and nearly always nothing.
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
 * Locks the mandates and everything below them, and returns the ids of those below.
 *
 * Whoever creates a child locks its parent, so nothing new appears below a locked mandate. Looking
 * again finds what appeared before the lock was held, at most once for each level of the tree.
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

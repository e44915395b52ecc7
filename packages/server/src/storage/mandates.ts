import type { Mandate } from '../core/mandates/mandate.ts'
import type { Queryable, Statement, Tx } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'

export const MANDATE_FROM = `mandates m join mandate_versions v
  on v.organization_id = m.organization_id and v.mandate_id = m.id and v.version = m.version`

export const MANDATE_COLUMNS = `
  m.id, m.agent_id as "agentId", m.parent_id as "parentMandateId", m.status, m.version, v.name,
  v.currency, v.timezone, m.valid_from as "validFrom", m.valid_until as "validUntil",
  v.budget_period as "budgetPeriod", m.budget_total as "budgetTotal",
  m.budget_spent as "budgetSpent", m.budget_held as "budgetHeld",
  m.spent_period_start as "spentPeriodStart", v.rules, v.origins,
  v.disclose_limits as "discloseLimits", m.created_at as "createdAt",
  m.activated_at as "activatedAt", m.revoked_at as "revokedAt", m.archived_at as "archivedAt",
  m.updated_at as "updatedAt", m.updated_by as "updatedBy"`

export async function findMandate(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const [mandate] = await db.query<Mandate>({
    text: `select ${MANDATE_COLUMNS} from ${MANDATE_FROM} where m.organization_id = $1 and m.id = $2`,
    values: [organizationId, id],
  })
  return mandate
}

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
 * The same, and all that the agent was ever governed by. An activation turns active mandates to expired
 * if their time is over. And it learns what the agent has paid: whoever settles a hold of an earlier
 * mandate has locked that one, so it is waited for, or finds the new mandate.
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
        where own.organization_id = $1 and own.id = $2))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, id],
  })
  const [, mandate] = await Promise.all([locked, findMandate(tx, organizationId, id)])
  return mandate
}

/**
 * The same for new rules: they may have to know what was paid by the agent, and by those that are
 * governed by sub-mandates.
 */
export async function lockForRules(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const locked = tx.query({
    name: 'lock-for-rules',
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

/** The active mandate of the agent that this one is for. */
export async function findRival(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [active] = await db.query<{ id: string }>({
    text: `
      select other.id from mandates own
      join mandates other on other.organization_id = $1 and other.agent_id = own.agent_id
        and other.status = 'active'
      where own.organization_id = $1 and own.id = $2 and other.id <> own.id`,
    values: [organizationId, id],
  })
  return active?.id
}

/**
 * The mandates above this one, nearest first. Their number is limited when a mandate is written.
 */
export async function findAncestors(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `
      select ${MANDATE_COLUMNS} from ${MANDATE_FROM}
      join mandates below on below.organization_id = m.organization_id and below.id = $2
        and m.id = any(below.ancestor_ids)
      where m.organization_id = $1 order by array_position(below.ancestor_ids, m.id)`,
    values: [organizationId, id],
  })
}

/** The agent's active mandate and those above it, nearest first. Empty: it has none. */
export function findActiveLine(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `
      select ${MANDATE_COLUMNS} from ${MANDATE_FROM}
      where m.organization_id = $1 and m.id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1 and own.agent_id = $2 and own.status = 'active'))
      order by cardinality(m.ancestor_ids) desc`,
    values: [organizationId, agentId],
  })
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

export function findMandates(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `select ${MANDATE_COLUMNS} from ${MANDATE_FROM} where m.organization_id = $1 and m.id = any($2::uuid[])`,
    values: [organizationId, ids],
  })
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

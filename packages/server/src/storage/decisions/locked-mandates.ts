import type { StoredMandateStatus } from '../../core/mandates/mandate.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { LOCK_ORDER } from '../mandate-locks.ts'

/** A mandate as a decision needs it: the changing figures, and the version that holds its terms. */
export interface LockedMandate {
  readonly id: string
  readonly agentId: string
  /** Ids of the ancestors, nearest first. */
  readonly ancestorIds: readonly string[]
  readonly status: StoredMandateStatus
  readonly version: number
  readonly budgetTotal: Micros
  readonly budgetSpent: Micros
  readonly budgetHeld: Micros
  readonly budgetOverdrawn: Micros
  readonly spentPeriodStart: Instant | null
}

const LOCKED_COLUMNS = `
  id, agent_id as "agentId", ancestor_ids as "ancestorIds", status, version,
  budget_total as "budgetTotal", budget_spent as "budgetSpent", budget_held as "budgetHeld",
  budget_overdrawn as "budgetOverdrawn", spent_period_start as "spentPeriodStart"`

/**
 * Locks the active mandates of the agents and all their ancestors, in the one lock order of
 * mandates. A row that changed during the wait is returned in its new state, so its status must be
 * checked again.
 */
export function lockMandatesOf(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<LockedMandate[]> {
  const [first] = agentIds
  if (first !== undefined && agentIds.length === 1) return lockLineOf(tx, organizationId, first)
  return tx.query<LockedMandate>({
    name: 'lock-mandates-of',
    text: `${MANDATES_OF} order by ${LOCK_ORDER} for update`,
    values: [organizationId, plainArray(agentIds)],
  })
}

function lockLineOf(tx: Tx, organizationId: string, agentId: string): Promise<LockedMandate[]> {
  return tx.query<LockedMandate>({
    name: 'lock-line-of',
    text: `
      select ${LOCKED_COLUMNS} from mandates
      where organization_id = $1 and id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1 and own.agent_id = $2 and own.status = 'active'))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, agentId],
  })
}

/**
 * Reads the same rows without locks, for requests that change nothing and must not delay decisions.
 */
export function readMandatesOf(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<LockedMandate[]> {
  return tx.query<LockedMandate>({
    name: 'read-mandates-of',
    text: MANDATES_OF,
    values: [organizationId, plainArray(agentIds)],
  })
}

/**
 * Reads the same rows, and also this mandate and its ancestors, in any state. Without locks, for a
 * draft that is only tried.
 */
export function readMandatesAlso(
  tx: Tx,
  organizationId: string,
  agentId: string,
  mandateId: string,
): Promise<LockedMandate[]> {
  return tx.query<LockedMandate>({
    name: 'read-mandates-also',
    text: `
      select ${LOCKED_COLUMNS} from mandates
      where organization_id = $1 and id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1
          and (own.agent_id = $2 and own.status = 'active' or own.id = $3)))`,
    values: [organizationId, agentId, mandateId],
  })
}

const MANDATES_OF = `
  select ${LOCKED_COLUMNS} from mandates
  where organization_id = $1 and id = any(array(
    select unnest(own.id || own.ancestor_ids) from mandates own
    where own.organization_id = $1 and own.agent_id = any($2::uuid[]) and own.status = 'active'))`

/** Locks the mandates that these transactions drew on, and all their ancestors, in any state. */
export function lockLinesOf(
  tx: Tx,
  organizationId: string,
  transactionIds: readonly string[],
): Promise<LockedMandate[]> {
  return tx.query<LockedMandate>({
    name: 'lock-lines-of',
    text: `
      select ${LOCKED_COLUMNS} from mandates
      where organization_id = $1 and id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1 and own.id = any(array(
          select mandate_id from transactions
          where organization_id = $1 and id = any($2::uuid[])))))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, plainArray(transactionIds)],
  })
}

/**
 * Locks the same rows as lockMandatesOf, and also these mandates and their ancestors, in any state.
 */
export function lockMandatesAlso(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  mandateIds: readonly string[],
): Promise<LockedMandate[]> {
  return tx.query<LockedMandate>({
    name: 'lock-mandates-also',
    text: `
      select ${LOCKED_COLUMNS} from mandates
      where organization_id = $1 and id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1
          and (own.agent_id = any($2::uuid[]) and own.status = 'active' or own.id = any($3::uuid[]))))
      order by ${LOCK_ORDER} for update`,
    values: [organizationId, plainArray(agentIds), plainArray(mandateIds)],
  })
}

/**
 * The last activated mandate of each agent; none for an agent that never had one. Archived mandates
 * count too: money that moved under them is still spent.
 */
export function findLastMandates(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<{ readonly agentId: string; readonly id: string }[]> {
  return tx.query({
    text: `
      select distinct on (agent_id) agent_id as "agentId", id from mandates
      where organization_id = $1 and agent_id = any($2::uuid[]) and activated_at is not null
      order by agent_id, activated_at desc, id desc`,
    values: [organizationId, plainArray(agentIds)],
  })
}

/** The newest draft of a mandate of each agent; none for an agent without drafts. */
export function findNewestDrafts(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<{ readonly agentId: string; readonly id: string }[]> {
  return tx.query({
    text: `
      select distinct on (agent_id) agent_id as "agentId", id from mandates
      where organization_id = $1 and agent_id = any($2::uuid[]) and status = 'draft'
        and draft_of is null
      order by agent_id, id desc`,
    values: [organizationId, plainArray(agentIds)],
  })
}

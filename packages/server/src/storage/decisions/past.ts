import type { PastTransaction } from '../../core/decision/past.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/** The position of a count. Transactions are counted agent by agent, in id order. */
export interface PastCursor {
  readonly agentId: string
  readonly transactionId: string
}

/** A count of earlier spends that is not finished (ADR 22). */
export interface PastCount extends PastCursor {
  readonly mandateId: string
  /** The version that introduced the counters. */
  readonly version: number
  /** No transaction before this id is inside any of the counters' windows. */
  readonly fromId: string
}

const NIL = '00000000-0000-0000-0000-000000000000'

export const BEFORE_ALL: PastCursor = { agentId: NIL, transactionId: NIL }

/**
 * The transactions of these agents after the cursor, in any state, ordered by agent and id.
 * Rejected ones are included, so that the number of rows bounds the work. The plan provides the
 * order: one index scan per agent, one after the other.
 */
export function readPast(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  { fromId, agentId, transactionId }: Pick<PastCount, 'fromId' | 'agentId' | 'transactionId'>,
  limit: number,
): Promise<PastTransaction[]> {
  const left = agentIds.filter((id) => id >= agentId).sort()
  const after = left.map((id) =>
    id === agentId && transactionId > fromId ? transactionId : fromId,
  )
  return tx.query<PastTransaction>({
    name: 'read-past',
    text: `
      select past.* from unnest($2::uuid[], $3::uuid[]) as a (agent_id, after_id)
      cross join lateral (
        select id, agent_id as "agentId", mandate_id as "mandateId", path, status, amount,
               coalesce(is_increment, false) as "isIncrement", currency, vendor, category, reference, held_amount as "heldAmount",
               settled_amount as "settledAmount", refunded_amount as "refundedAmount",
               later_parts as "laterParts", counted_in as "countedIn", created_at as "createdAt"
        from transactions
        where organization_id = $1 and agent_id = a.agent_id and id > a.after_id
        order by id limit $4) past
      limit $4`,
    values: [organizationId, plainArray(left), plainArray(after), limit],
  })
}

/** The mandate and all its descendants, in any state. */
export function findTree(
  db: Queryable,
  organizationId: string,
  mandateId: string,
): Promise<{ readonly id: string; readonly agentId: string }[]> {
  return db.query({
    text: `select id, agent_id as "agentId" from mandates
           where organization_id = $1 and (id = $2 or $2 = any(ancestor_ids))`,
    values: [organizationId, mandateId],
  })
}

export async function insertPastCount(
  tx: Tx,
  organizationId: string,
  count: PastCount,
  at: Instant,
): Promise<void> {
  const { mandateId, version, agentId, transactionId, fromId } = count
  await tx.query({
    text: `
      insert into past_counts (organization_id, mandate_id, version, agent_id, transaction_id,
                               from_id, started_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [organizationId, mandateId, version, agentId, transactionId, fromId, toIso(at)],
  })
}

/** Unfinished counts of all organizations, oldest first, read without locks. */
export function listPastCounts(
  db: Queryable,
  limit: number,
): Promise<(PastCount & { readonly organizationId: string })[]> {
  return db.query({
    name: 'list-past-counts',
    text: `
      select organization_id as "organizationId", mandate_id as "mandateId", version,
             agent_id as "agentId", transaction_id as "transactionId", from_id as "fromId"
      from past_counts where true /*among organization_id*/ order by started_at limit $1`,
    values: [limit],
  })
}

/** Unfinished counts of these mandates. The caller has locked them. */
export function readPastCounts(
  tx: Tx,
  organizationId: string,
  mandateIds: readonly string[],
): Promise<PastCount[]> {
  return tx.query({
    name: 'read-past-counts',
    text: `
      select mandate_id as "mandateId", version, agent_id as "agentId",
             transaction_id as "transactionId", from_id as "fromId"
      from past_counts where organization_id = $1 and mandate_id = any($2::uuid[])`,
    values: [organizationId, plainArray(mandateIds)],
  })
}

/**
 * Locks one mandate, so that no spend of it or a descendant is decided or changed meanwhile.
 * Returns undefined if it does not exist.
 */
export async function lockOneMandate(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ readonly id: string; readonly version: number } | undefined> {
  const [mandate] = await tx.query<{ id: string; version: number }>({
    text: `select id, version from mandates where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return mandate
}

export function movePastCount(
  organizationId: string,
  { mandateId, version }: PastCount,
  { agentId, transactionId }: PastCursor,
): Statement {
  return {
    text: `update past_counts set agent_id = $4, transaction_id = $5
           where organization_id = $1 and mandate_id = $2 and version = $3`,
    values: [organizationId, mandateId, version, agentId, transactionId],
  }
}

export function removePastCount(
  organizationId: string,
  { mandateId, version }: PastCount,
): Statement {
  return {
    text: `delete from past_counts
           where organization_id = $1 and mandate_id = $2 and version = $3`,
    values: [organizationId, mandateId, version],
  }
}

export function removeCounters(organizationId: string, keys: readonly string[]): Statement {
  return {
    text: `delete from limit_counters where organization_id = $1 and key = any(${texts('$2')})`,
    values: [organizationId, textArray(keys)],
  }
}

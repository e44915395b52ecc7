import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { UNKNOWN_VENDORS } from './read-accounts.ts'

/** The position in the transactions of an agent, which are read from the newest to the oldest. */
export interface VendorCursor {
  readonly agentId: string
  /** The newest transaction that is not read yet. */
  readonly nextId: string
}

/** An agent whose vendor history is still being loaded (ADR 22). */
export interface VendorPast extends VendorCursor {
  /** The mandate that each step locks. */
  readonly mandateId: string
  readonly startedAt: Instant
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function fromNewest(agentId: string): VendorCursor {
  return { agentId, nextId: LAST_ID }
}

/** A stored price is replaced if it may be out of date, or by a later payment. */
const IS_BETTER = `(agent_vendors.last_amount is null or agent_vendors.noted_at is null or agent_vendors.noted_at < excluded.noted_at
                    or agent_vendors.paid_at < excluded.paid_at)`

/**
 * Stores the vendors that each agent paid, since when, and the last price, from the agent's next
 * transactions. Rows that decisions have stored since the start stay.
 */
export function learnPastVendors(
  organizationId: string,
  cursors: readonly VendorCursor[],
  rowsPerAgent: number,
  startedAt: Instant,
): Statement {
  return {
    text: `
      insert into agent_vendors (organization_id, agent_id, vendor, first_at, last_amount, noted_at,
                                 paid_at)
      select $1::uuid, past.agent_id, past.vendor, min(past.created_at),
             (array_agg(past.settled_amount order by past.settled_at desc, past.id desc))[1],
             $5::timestamptz, max(past.settled_at)
      from unnest($2::uuid[], $3::uuid[]) as a (agent_id, next_id)
      cross join lateral (
        select id, agent_id, vendor, status, created_at, settled_at, settled_amount, amount,
               is_increment
        from transactions
        where organization_id = $1 and agent_id = a.agent_id and id <= a.next_id
        order by id desc limit $4) past
      where past.status in ('settled', 'partially_refunded', 'refunded')
        and past.amount > 0 and past.is_increment is not true
      group by past.agent_id, past.vendor
      order by past.agent_id, past.vendor
      on conflict (organization_id, agent_id, vendor) do update
      set first_at = least(agent_vendors.first_at, excluded.first_at),
          last_amount = case when ${IS_BETTER} then excluded.last_amount
                             else agent_vendors.last_amount end,
          noted_at = case when ${IS_BETTER} then excluded.noted_at else agent_vendors.noted_at end,
          paid_at = case when ${IS_BETTER} then excluded.paid_at else agent_vendors.paid_at end`,
    values: [...cursorValues(organizationId, cursors), rowsPerAgent, toIso(startedAt)],
  }
}

/**
 * The positions after the next `rowsPerAgent` transactions of each agent. Agents without further
 * transactions are left out.
 */
export function findRest(
  tx: Tx,
  organizationId: string,
  cursors: readonly VendorCursor[],
  rowsPerAgent: number,
): Promise<VendorCursor[]> {
  return tx.query({
    text: `
      select a.agent_id as "agentId", older.id as "nextId"
      from unnest($2::uuid[], $3::uuid[]) as a (agent_id, next_id)
      cross join lateral (
        select id from transactions
        where organization_id = $1 and agent_id = a.agent_id and id <= a.next_id
        order by id desc offset $4 limit 1) older`,
    values: [...cursorValues(organizationId, cursors), rowsPerAgent],
  })
}

function cursorValues(organizationId: string, cursors: readonly VendorCursor[]): string[] {
  const agentIds = plainArray(cursors.map(({ agentId }) => agentId))
  return [organizationId, agentIds, plainArray(cursors.map(({ nextId }) => nextId))]
}

/**
 * Stores the remaining work for these agents. A load that is already running starts from the
 * beginning.
 */
export function insertVendorPasts(
  organizationId: string,
  mandateId: string,
  cursors: readonly VendorCursor[],
  startedAt: Instant,
): Statement {
  return {
    text: `
      insert into vendor_pasts (organization_id, agent_id, next_id, mandate_id, started_at)
      select $1, a.agent_id, a.next_id, $4, $5
      from unnest($2::uuid[], $3::uuid[]) as a (agent_id, next_id)
      on conflict (organization_id, agent_id) do update
      set next_id = excluded.next_id, mandate_id = excluded.mandate_id,
          started_at = excluded.started_at`,
    values: [...cursorValues(organizationId, cursors), mandateId, toIso(startedAt)],
  }
}

/** From here on vendor rules reject unknown vendors for these agents. */
export function markUnknownVendors(
  organizationId: string,
  cursors: readonly VendorCursor[],
  startedAt: Instant,
): Statement {
  return {
    text: `
      insert into agent_vendors (organization_id, agent_id, vendor, first_at, last_amount)
      select $1, a.agent_id, '${UNKNOWN_VENDORS}', $3, 0 from unnest($2::uuid[]) as a (agent_id)
      on conflict (organization_id, agent_id, vendor) do update set first_at = excluded.first_at`,
    values: [organizationId, plainArray(cursors.map(({ agentId }) => agentId)), toIso(startedAt)],
  }
}

/** Unfinished loads of all organizations, oldest first, read without locks. */
export function listVendorPasts(
  db: Queryable,
  limit: number,
): Promise<(VendorPast & { readonly organizationId: string })[]> {
  return db.query({
    name: 'list-vendor-pasts',
    text: `
      select organization_id as "organizationId", agent_id as "agentId",
             mandate_id as "mandateId", next_id as "nextId", started_at as "startedAt"
      from vendor_pasts where true /*among organization_id*/ order by started_at limit $1`,
    values: [limit],
  })
}

/**
 * Locks the load, so that it is not restarted meanwhile. Returns undefined if it is done, or was
 * restarted under a different mandate.
 */
export async function lockVendorPast(
  tx: Tx,
  organizationId: string,
  { agentId, mandateId }: Pick<VendorPast, 'agentId' | 'mandateId'>,
): Promise<VendorPast | undefined> {
  const [past] = await tx.query<VendorPast>({
    text: `select agent_id as "agentId", mandate_id as "mandateId", next_id as "nextId",
                  started_at as "startedAt"
           from vendor_pasts where organization_id = $1 and agent_id = $2 and mandate_id = $3
           for update`,
    values: [organizationId, agentId, mandateId],
  })
  return past
}

export function moveVendorPast(
  organizationId: string,
  { agentId, mandateId }: VendorPast,
  nextId: string,
): Statement {
  return {
    text: `update vendor_pasts set next_id = $4
           where organization_id = $1 and agent_id = $2 and mandate_id = $3`,
    values: [organizationId, agentId, mandateId, nextId],
  }
}

export function removeVendorPast(
  organizationId: string,
  { agentId, mandateId }: VendorPast,
): Statement {
  return {
    text: `delete from vendor_pasts
           where organization_id = $1 and agent_id = $2 and mandate_id = $3`,
    values: [organizationId, agentId, mandateId],
  }
}

/** From here on the agent's history is complete: an unknown vendor was never paid. */
export function unmarkUnknownVendors(organizationId: string, agentId: string): Statement {
  return {
    text: `delete from agent_vendors
           where organization_id = $1 and agent_id = $2 and vendor = '${UNKNOWN_VENDORS}'`,
    values: [organizationId, agentId],
  }
}

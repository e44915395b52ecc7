import type { Approval, ApprovalDecision } from '../../core/approvals/approval.ts'
import { toUuid } from '../../core/id.ts'
import type { Micros } from '../../core/money.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { APPROVAL_COLUMNS } from './approvals.ts'

/** Locks in id order, so that two callers who decide several approvals at once cannot deadlock. */
export function lockApprovals(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<Approval[]> {
  return tx.query<Approval>({
    name: 'lock-approvals',
    text: `select ${APPROVAL_COLUMNS} from approvals
           where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
    values: [organizationId, plainArray(ids)],
  })
}

/** The new state of an approval that the caller has locked and found pending. */
export interface Answered {
  readonly id: string
  readonly status: 'approved' | 'rejected'
  readonly maxAmount: Micros | null
  /** An approval can be used until this instant; a rejection keeps the old value. */
  readonly expiresAt: Instant
}

export function answerApprovals(organizationId: string, answered: readonly Answered[]): Statement {
  return {
    name: 'answer-approvals',
    text: `
      update approvals a set status = n.status, max_amount = n.max_amount, expires_at = n.expires_at
      from unnest($2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[])
        as n (id, status, max_amount, expires_at)
      where a.organization_id = $1 and a.id = n.id and a.status = 'pending'`,
    values: [
      organizationId,
      plainArray(answered.map(({ id }) => id)),
      plainArray(answered.map(({ status }) => status)),
      plainArray(answered.map(({ maxAmount }) => maxAmount)),
      plainArray(answered.map(({ expiresAt }) => toIso(expiresAt))),
    ],
  }
}

export interface NewDecision extends ApprovalDecision {
  readonly id: string
  readonly approvalId: string
}

/** Each decision is a row of its own, so that an approval may need a second one in the future. */
export function storeApprovalDecision(organizationId: string, decision: NewDecision): Statement {
  return {
    name: 'store-approval-decision',
    text: `
      insert into approval_decisions (organization_id, approval_id, id, decision, actor_kind, actor_id,
                                      actor_name, comment, max_amount, decided_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      decision.approvalId,
      decision.id,
      decision.decision,
      decision.actorKind,
      decision.actorId,
      decision.actorName,
      decision.comment,
      decision.maxAmount,
      toIso(decision.decidedAt),
    ],
  }
}

/**
 * Makes vendors known to agents up to the approved amount, without a price: the next settled spend
 * sets the price. If nothing is settled yet, the amount replaces that of an earlier decision; a
 * vendor known by a payment stays unchanged. Rows are written in the order that all such writes
 * use, so that they cannot deadlock.
 */
export function makeVendorsKnown(
  organizationId: string,
  now: Instant,
  known: readonly KnownVendor[],
): Statement {
  return {
    name: 'make-vendors-known',
    text: `
      insert into agent_vendors (organization_id, agent_id, vendor, first_at, noted_at, approved_amount)
      select $1::uuid, k.agent_id, k.vendor, $4::timestamptz, $4::timestamptz, max(k.approved)
      from unnest($2::uuid[], $3::text[], $5::bigint[]) as k (agent_id, vendor, approved)
      group by k.agent_id, k.vendor
      order by k.agent_id, k.vendor
      on conflict (organization_id, agent_id, vendor) do update
      set approved_amount = excluded.approved_amount, noted_at = excluded.noted_at
      where agent_vendors.last_amount is null`,
    values: [
      organizationId,
      plainArray(known.map(({ agentId }) => agentId)),
      known.map(({ vendor }) => vendor),
      toIso(now),
      plainArray(known.map(({ maxAmount }) => maxAmount)),
    ],
  }
}

/**
 * An approved vendor with its amount. If several approvals are decided at once, the largest amount
 * counts.
 */
type KnownVendor = Pick<Approval, 'agentId' | 'vendor' | 'maxAmount'>

/**
 * The key and the keys that created it, one after the other, revoked ones included, and last the
 * member who created the first of them. Keys are stored in one place, so the query names them by
 * the organization alone.
 */
export async function listMakersOf(
  db: Queryable,
  organizationId: string,
  keyId: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string; createdBy: string | null }>({
    text: `
      with recursive makers as (
        select id, created_by from api_keys where organization_id = $1 and id = $2
        union
        select k.id, k.created_by from makers join api_keys k
          on k.organization_id = $1 and k.id::text = makers.created_by
      )
      select id, created_by as "createdBy" from makers`,
    values: [organizationId, keyId],
  })
  return rows.flatMap(({ id, createdBy }) => {
    const member = toUuid('mem', createdBy ?? '')
    return member === undefined ? [id] : [id, member]
  })
}

import type { ApprovalDecision } from '../../core/approvals/approval.ts'
import type { Budgeted } from '../../core/mandates/mandate.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import { boundsOf } from '../id-bounds.ts'

/*
 * The context that a person sees beside a request, for many requests at once. It is read when it is
 * shown, and none of it is stored with the request.
 */

/**
 * How many of an agent's newest transactions are searched for its spends at a vendor. No index has
 * the vendor, and each transaction is on a page of its own, so a list looks at fewer.
 */
export const HISTORY_MAX = 1_000
export const LISTED_HISTORY_MAX = 100
/** The most that a page looks at for all of its agents together. */
const LISTED_HISTORIES_MAX = 5_000

export function listedHistoryOf(agents: number): number {
  return Math.min(LISTED_HISTORY_MAX, Math.floor(LISTED_HISTORIES_MAX / agents))
}

/** The spend that asked for approval, as far as retention has kept it. */
export interface AskingSpend {
  readonly id: string
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly details: object | null
  readonly external: object | null
}

export function listAskingSpends(
  db: Queryable,
  organizationId: string,
  transactionIds: readonly string[],
): Promise<AskingSpend[]> {
  return db.query<AskingSpend>({
    name: 'list-asking-spends',
    text: `select id, reference, reason, metadata, details, external from transactions
           where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4`,
    values: [organizationId, plainArray(transactionIds), ...boundsOf(transactionIds)],
  })
}

/** Deleted agents are included: their names are kept. */
export function listAgentNames(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  return db.query({
    name: 'list-agent-names',
    text: `select id, name from agents where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(agentIds)],
  })
}

/**
 * A mandate of a line (a mandate and its ancestors), with the id of the mandate that the line
 * starts at.
 */
export interface LineBudget extends Budgeted {
  readonly ownId: string
  readonly id: string
}

export function listLineBudgets(
  db: Queryable,
  organizationId: string,
  mandateIds: readonly string[],
): Promise<LineBudget[]> {
  return db.query<LineBudget>({
    name: 'list-line-budgets',
    text: `
      select own.id as "ownId", m.id, m.budget_total as "budgetTotal", m.budget_spent as "budgetSpent",
             m.budget_held as "budgetHeld", m.spent_period_start as "spentPeriodStart",
             v.budget_period as "budgetPeriod", v.timezone
      from mandates own
      join mandates m on m.organization_id = $1 and m.id = any(own.id || own.ancestor_ids)
      join mandate_versions v on v.organization_id = $1 and v.mandate_id = m.id
        and v.version = m.version
      where own.organization_id = $1 and own.id = any($2::uuid[])`,
    values: [organizationId, plainArray(mandateIds)],
  })
}

/** The earlier spends of an agent at a vendor. */
export interface SpentBefore {
  readonly agentId: string
  readonly vendor: string
  readonly currency: string
  readonly count: bigint
  readonly amount: Micros
  readonly lastAt: Instant
}

/**
 * The spends of each of these agents at each of these vendors, among its newest `most`
 * transactions. They are read once for each agent, however many of its requests are shown.
 */
export function listSpentBefore(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[],
  vendors: readonly string[],
  most: number,
): Promise<SpentBefore[]> {
  return db.query<SpentBefore>({
    name: 'list-spent-before',
    text: `
      select a.id as "agentId", t.vendor, t.currency, count(*) as count,
             sum(t.amount)::bigint as amount, max(t.created_at) as "lastAt"
      from unnest($2::uuid[]) as a (id)
      cross join lateral (
        select vendor, currency, decision, amount, created_at from transactions
        where organization_id = $1 and agent_id = a.id order by id desc limit $4) t
      where t.vendor = any(${texts('$3')}) and t.decision = 'approved'
      group by a.id, t.vendor, t.currency`,
    values: [organizationId, plainArray(agentIds), textArray(vendors), most],
  })
}

/** Returns the decisions oldest first. */
export function listApprovalDecisions(
  db: Queryable,
  organizationId: string,
  approvalIds: readonly string[],
): Promise<(ApprovalDecision & { readonly approvalId: string })[]> {
  return db.query({
    name: 'list-approval-decisions',
    text: `
      select approval_id as "approvalId", decision, actor_kind as "actorKind", actor_id as "actorId",
             actor_name as "actorName", comment, max_amount as "maxAmount", decided_at as "decidedAt"
      from approval_decisions
      where organization_id = $1 and approval_id = any($2::uuid[]) order by id`,
    values: [organizationId, plainArray(approvalIds)],
  })
}

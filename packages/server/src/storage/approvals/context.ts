import type { ApprovalDecision } from '../../core/approvals/approval.ts'
import type { Budgeted } from '../../core/mandates/mandate.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/*
 * What a person is shown beside a request, for many requests at once. All of it is of the moment: it
 * is read when it is shown, and nothing of it is kept with the request.
 */

/** How far back what an agent spent at a vendor is looked for: so many transactions of the agent. */
export const HISTORY_MAX = 1_000

/** The spend that asked, as far as it is still kept. */
export interface AskingSpend {
  readonly id: string
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly details: object | null
}

export function listAskingSpends(
  db: Queryable,
  organizationId: string,
  transactionIds: readonly string[],
): Promise<AskingSpend[]> {
  return db.query<AskingSpend>({
    name: 'list-asking-spends',
    text: `select id, reference, reason, metadata, details from transactions
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(transactionIds)],
  })
}

/** A deleted agent still has its name. */
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

/** A mandate of a line, and whose line it is. */
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

/** What an agent has spent at a vendor before. */
export interface SpentBefore {
  readonly agentId: string
  readonly vendor: string
  readonly currency: string
  readonly count: bigint
  readonly amount: Micros
  readonly lastAt: Instant
}

/** The three lists belong together. Pairs of which nothing is found have no row. */
export function listSpentBefore(
  db: Queryable,
  organizationId: string,
  pairs: readonly Pick<SpentBefore, 'agentId' | 'vendor' | 'currency'>[],
): Promise<SpentBefore[]> {
  return db.query<SpentBefore>({
    name: 'list-spent-before',
    text: `
      select p.agent_id as "agentId", p.vendor, p.currency, count(*) as count,
             sum(t.amount)::bigint as amount, max(t.created_at) as "lastAt"
      from (select distinct * from unnest($2::uuid[], ${texts('$3')}, ${texts('$4')})
              as w (agent_id, vendor, currency)) p
      cross join lateral (
        select vendor, currency, decision, amount, created_at from transactions
        where organization_id = $1 and agent_id = p.agent_id
        order by id desc limit ${HISTORY_MAX}) t
      where t.vendor = p.vendor and t.currency = p.currency and t.decision = 'approved'
      group by p.agent_id, p.vendor, p.currency`,
    values: [
      organizationId,
      plainArray(pairs.map(({ agentId }) => agentId)),
      textArray(pairs.map(({ vendor }) => vendor)),
      textArray(pairs.map(({ currency }) => currency)),
    ],
  })
}

/** Oldest first. */
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

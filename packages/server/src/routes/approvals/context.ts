import { type MayNotDecideReason, readMayDecide } from '../../approvals/may-decide.ts'
import type { Approval, ApprovalDecision } from '../../core/approvals/approval.ts'
import { toApprovalUrl } from '../../core/approvals/request.ts'
import { budgetAt } from '../../core/mandates/mandate.ts'
import type { Micros } from '../../core/money.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type Requester, readRequesters } from '../../storage/actor-names.ts'
import {
  type AskingSpend,
  HISTORY_MAX,
  type LineBudget,
  listAgentNames,
  listApprovalDecisions,
  listAskingSpends,
  listedHistoryOf,
  listLineBudgets,
  listSpentBefore,
  type SpentBefore,
} from '../../storage/approvals/context.ts'
import type { Queryable } from '../../storage/engine/database.ts'

/**
 * Everything that a person needs to decide, beside the request itself, so that they need no other
 * lookup.
 */
export interface ApprovalContext {
  readonly agentName: string | undefined
  readonly spend: AskingSpend | undefined
  readonly spent: SpentBefore | undefined
  readonly decisions: readonly ApprovalDecision[]
  /** The remaining budget of the mandate and its parents, and that of the agent's own mandate. */
  readonly remaining: Micros
  readonly ownRemaining: Micros
  readonly url: string | null
  /** The first sender of the spend; null if it was not stored. */
  readonly requester: Requester | null
  /** Why the viewer may not decide the request; null if the viewer may. */
  readonly mayNotDecide: MayNotDecideReason | null
}

interface ContextParts {
  readonly viewer: Principal
  readonly publicUrl: () => string | undefined
  readonly now: Instant
  /** Whether the requests are a page of a list. */
  readonly isList?: boolean
}

/** Reads the context of many requests with as many statements as for one. */
export async function readContexts(
  db: Queryable,
  organizationId: string,
  approvals: readonly Approval[],
  { viewer, publicUrl, now, isList = false }: ContextParts,
): Promise<(approval: Approval) => ApprovalContext> {
  const distinct = (pick: (approval: Approval) => string) => [...new Set(approvals.map(pick))]
  const agentIds = distinct(({ agentId }) => agentId)
  const [names, spends, spent, decisions, budgets, mayNotDecideOf] =
    approvals.length === 0
      ? [[], [], [], [], [], () => null]
      : await Promise.all([
          listAgentNames(db, organizationId, agentIds),
          listAskingSpends(
            db,
            organizationId,
            distinct(({ transactionId }) => transactionId),
          ),
          listSpentBefore(
            db,
            organizationId,
            agentIds,
            distinct(({ vendor }) => vendor),
            isList ? listedHistoryOf(agentIds.length) : HISTORY_MAX,
          ),
          listApprovalDecisions(
            db,
            organizationId,
            approvals.map(({ id }) => id),
          ),
          listLineBudgets(
            db,
            organizationId,
            distinct(({ mandateId }) => mandateId),
          ),
          readMayDecide(db, viewer, approvals, now),
        ])
  const requestedRow = ({ askedBy, path, transactionId }: Approval) => ({
    requestedBy: askedBy[0] ?? null,
    path,
    external: spends.find(({ id }) => id === transactionId)?.external ?? null,
  })
  const requesterOf = await readRequesters(db, organizationId, approvals.map(requestedRow))
  const base = publicUrl()
  return (approval) => {
    const line = budgets.filter(({ ownId }) => ownId === approval.mandateId)
    return {
      agentName: names.find(({ id }) => id === approval.agentId)?.name,
      spend: spends.find(({ id }) => id === approval.transactionId),
      spent: spent.find((before) => isSame(before, approval)),
      decisions: decisions.filter(({ approvalId }) => approvalId === approval.id),
      remaining: leastOf(line, now),
      ownRemaining: leastOf(
        line.filter(({ id }) => id === approval.mandateId),
        now,
      ),
      url: toApprovalUrl(base, approval.id),
      requester: requesterOf(requestedRow(approval)),
      mayNotDecide: mayNotDecideOf(approval),
    }
  }
}

function isSame(before: SpentBefore, approval: Approval): boolean {
  const { agentId, vendor, currency } = approval
  return before.agentId === agentId && before.vendor === vendor && before.currency === currency
}

function leastOf(budgets: readonly LineBudget[], now: Instant): Micros {
  let least: Micros | undefined
  for (const budget of budgets) {
    const { remaining } = budgetAt(budget, now)
    if (least === undefined || remaining < least) least = remaining
  }
  return least ?? 0n
}

import { figuresAt, type MandateAccount } from './account.ts'
import { type Finding, stands } from './evaluate.ts'
import { toPublicId } from './id.ts'
import { type Micros, percentOf, toUnits } from './money.ts'
import type { PathName } from './path.ts'
import type { Spend } from './spend.ts'
import type { Instant } from './time.ts'

export type DecisionEvent =
  | {
      readonly kind: 'transaction.approved'
      readonly mandateId: string | null
      readonly data: TransactionData
    }
  | {
      readonly kind: 'transaction.rejected'
      readonly mandateId: string | null
      readonly data: RejectionData
    }
  | BudgetEvent

export interface BudgetEvent {
  readonly kind: 'mandate.budget.warning' | 'mandate.budget.exhausted'
  readonly mandateId: string
  readonly data: BudgetData
}

export interface TransactionData {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  readonly remainingBudget: number
  readonly decision: 'approved' | 'rejected'
}

export interface RejectionData extends TransactionData {
  readonly code: string
  readonly reason: string
  readonly reasons: readonly Reason[]
  readonly path: PathName
  readonly approvalId: string | null
}

export interface Reason {
  readonly ruleId: string
  readonly code: string
  readonly message: string
}

export interface BudgetData {
  readonly mandateId: string
  readonly agentId: string
  readonly budgetTotal: number
  readonly budgetSpent: number
  readonly percentUsed: number
}

export function approvedEvent(
  spend: Spend,
  mandate: MandateAccount,
  remainingBudget: Micros,
): DecisionEvent {
  const data: TransactionData = {
    transactionId: toPublicId('txn', spend.transactionId),
    agentId: spend.agentId,
    mandateId: mandate.policy.publicId,
    amount: toUnits(spend.amount),
    vendor: spend.vendor,
    category: spend.category,
    remainingBudget: toUnits(remainingBudget),
    decision: 'approved',
  }
  return { kind: 'transaction.approved', mandateId: mandate.policy.mandateId, data }
}

export function rejectedEvent(
  spend: Spend,
  mandate: MandateAccount | undefined,
  remainingBudget: Micros,
  { code, message }: { readonly code: string; readonly message: string },
  findings: readonly Finding[],
): DecisionEvent {
  const data: RejectionData = {
    transactionId: toPublicId('txn', spend.transactionId),
    agentId: spend.agentId,
    mandateId: mandate?.policy.publicId ?? null,
    amount: toUnits(spend.amount),
    vendor: spend.vendor,
    category: spend.category,
    remainingBudget: toUnits(remainingBudget),
    decision: 'rejected',
    code,
    reason: message,
    reasons: reasonsOf(findings),
    path: spend.path,
    approvalId: null,
  }
  return { kind: 'transaction.rejected', mandateId: mandate?.policy.mandateId ?? null, data }
}

/**
 * What the world is told when a budget is used up to a line: once for each time the line is crossed
 * upwards, the warning first. Comparing before with after needs no memory of what was told already,
 * and is armed again by whatever takes the figures below the line.
 */
export function budgetEvents(
  before: MandateAccount,
  after: MandateAccount,
  now: Instant,
): BudgetEvent[] {
  const from = { spent: figuresAt(before, now).spent, total: before.budgetTotal }
  const to = { spent: figuresAt(after, now).spent, total: after.budgetTotal }
  const events: BudgetEvent[] = []
  if (isWarned(to) && !isWarned(from)) events.push(toEvent('mandate.budget.warning', after, to))
  if (isExhausted(to) && !isExhausted(from)) {
    events.push(toEvent('mandate.budget.exhausted', after, to))
  }
  return events
}

interface Use {
  readonly spent: Micros
  readonly total: Micros
}

function isWarned({ spent, total }: Use): boolean {
  return spent * 5n >= total * 4n
}

function isExhausted({ spent, total }: Use): boolean {
  return spent >= total
}

function toEvent(kind: BudgetEvent['kind'], mandate: MandateAccount, use: Use): BudgetEvent {
  const { policy, agentId } = mandate
  return {
    kind,
    mandateId: policy.mandateId,
    data: {
      mandateId: policy.publicId,
      agentId,
      budgetTotal: toUnits(use.total),
      budgetSpent: toUnits(use.spent),
      percentUsed: Math.min(100, percentOf(use.spent, use.total)),
    },
  }
}

function reasonsOf(findings: readonly Finding[]): Reason[] {
  const reasons: Reason[] = []
  for (const finding of findings) {
    const { id, code, message } = finding
    if (code !== null && stands(finding)) reasons.push({ ruleId: id, code, message })
  }
  return reasons
}

import type { ApprovalStatus } from '../approvals/permit.ts'
import { percentOf, toUnits } from '../money.ts'
import type { PathName } from '../path.ts'
import { type DecisionCode, defineCodes, sharedCodes } from '../rules/codes.ts'
import type { Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { figuresAt, type MandateAccount } from './account.ts'
import type { Advice } from './advice.ts'
import { type Evaluation, type Finding, stands } from './evaluate.ts'

export const summaryCodes = defineCodes({
  approved: {
    meaning: 'The spend is approved, and its amount is deducted from the budget.',
    action:
      'Pay. The same request without the same `Idempotency-Key` would be a second spend. Settle or void a hold afterwards.',
    repeat: 'no',
  },
})

/** The `evaluationDetails` of the API without duration and receipt, which are known only later. */
export interface EvaluationDetails {
  readonly code: DecisionCode
  readonly message: string
  readonly mandateVersion: number | null
  readonly policyHash: string | null
  readonly evaluatedAt: string
  readonly path: PathName
  readonly firstFailure: string | null
  /**
   * The rules that rejected the spend or asked for approval. Rules that only flag are not included.
   */
  readonly failed: readonly string[]
  readonly rules: readonly Finding[]
  /**
   * The budget of the agent's own mandate. All fields except `spentBefore` show the state after the
   * decision.
   */
  readonly budget: BudgetDetails | null
  /** Set when the decision is stored, if a person is asked or has answered. */
  readonly approval: ShownApproval | null
  readonly next: Advice
  /** Set only if the agent has a draft and no active mandate. */
  readonly draftMandateId?: string
}

/** The part of an approval that a decision shows. */
export interface ShownApproval {
  readonly id: string
  readonly status: ApprovalStatus
  /** The page on which a person decides; null if the public URL of the gateway is not set. */
  readonly url: string | null
  readonly expiresAt: string
}

export interface BudgetDetails {
  readonly total: number
  readonly spentBefore: number
  readonly remaining: number
  readonly percentUsed: number
  readonly periodEnd: string | null
}

export interface Summary {
  readonly code: DecisionCode
  /** One plain sentence. */
  readonly message: string
}

export function detailsOf(
  spend: Spend,
  now: Instant,
  evaluation: Evaluation,
  result: {
    readonly summary: Summary
    /** The mandate that the decision names, before and after it; undefined if it names none. */
    readonly before: MandateAccount | undefined
    readonly after: MandateAccount | undefined
    readonly next: Advice
  },
): EvaluationDetails {
  const { summary, before, after, next } = result
  return {
    code: summary.code,
    message: summary.message,
    mandateVersion: before?.policy.version ?? null,
    policyHash: before?.policy.hash ?? null,
    evaluatedAt: toIso(now),
    path: spend.path,
    firstFailure: evaluation.firstFailure?.id ?? null,
    failed: evaluation.firstFailure ? evaluation.findings.filter(stands).map(idOf) : [],
    rules: evaluation.findings,
    budget: before && after ? budgetDetails(before, after, now) : null,
    approval: null,
    next,
  }
}

/** The summary of all findings: the closed gate, the first failure, or the approval. */
export function summaryOf({
  gate,
  firstFailure,
  flaggedBy,
  refusal,
}: Omit<Evaluation, 'findings'>): Summary {
  if (gate) return gate
  if (firstFailure) {
    const { outcome, code, message } = firstFailure
    // If a rule asks for approval, the agent must learn that first, whatever the rule found.
    if (outcome === 'escalate' || code === null)
      return { code: refusal?.code ?? sharedCodes.approval_required.code, message }
    return { code, message }
  }
  // `own-view.ts` writes these sentences again when it reads a stored answer, so they stay as they are.
  if (flaggedBy.length === 0)
    return { code: summaryCodes.approved.code, message: 'The spend is approved.' }
  return {
    code: summaryCodes.approved.code,
    message: `The spend is approved, and flagged by: ${flaggedBy.join(', ')}.`,
  }
}

function idOf({ id }: Finding): string {
  return id
}

function budgetDetails(before: MandateAccount, after: MandateAccount, now: Instant): BudgetDetails {
  const { spent, remaining, period } = figuresAt(after, now)
  return {
    total: toUnits(after.budgetTotal),
    spentBefore: toUnits(figuresAt(before, now).spent),
    remaining: toUnits(remaining),
    percentUsed: percentOf(spent, after.budgetTotal),
    periodEnd: period ? toIso(period.end) : null,
  }
}

import { refusalOf } from '../approvals/permit.ts'
import { type Question, questionOf } from '../approvals/request.ts'
import { addTo, type Counter, EMPTY_COUNTER } from '../counters/counter.ts'
import { isSameCurrency } from '../currency.ts'
import { countedBy, countersOf, needsVendorHistory } from '../mandates/policy.ts'
import { type Micros, toMicros } from '../money.ts'
import type { DecisionCode } from '../rules/codes.ts'
import { defineCodes } from '../rules/codes.ts'
import { countOf, isCheck, partOf, type Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import {
  type Account,
  type MandateAccount,
  smallestRemaining,
  type VendorHistory,
} from './account.ts'
import { adviceFor, NO_ADVICE } from './advice.ts'
import { type BudgetEvent, budgetEvents } from './budget-events.ts'
import { detailsOf, type EvaluationDetails, type Summary, summaryOf } from './details.ts'
import { type Evaluation, evaluate, type Finding } from './evaluate.ts'
import { draw, drawUnasked } from './figures.ts'
import { hasActiveMandate } from './gate.ts'

export type { EvaluationDetails } from './details.ts'

/** The result of judging a spend: the answer, the values to store and the events that follow. */
export interface Decision {
  /**
   * The spend as it was judged. If a card purchase was approved in part, it has the approved amount.
   */
  readonly spend: Spend
  readonly at: Instant
  /**
   * These three are null when the agent has no active mandate, or when the spend is declined at its
   * deadline.
   */
  readonly mandateId: string | null
  readonly mandateVersion: number | null
  readonly policyHash: string | null
  readonly decision: 'approved' | 'rejected'
  readonly status: 'rejected' | 'held' | 'settled'
  readonly code: DecisionCode
  readonly message: string
  readonly currency: string | null
  /** When the hold ends: Infinity for a hold that only its path ends, null if nothing is held. */
  readonly expiresAt: Instant | null
  /**
   * The remaining budget after the decision: the smallest amount that the mandate or one of its
   * parents has left.
   */
  readonly remainingBudget: Micros
  /** The ids of the rules that flagged the spend. */
  readonly flaggedBy: readonly string[]
  readonly details: EvaluationDetails
  /** The mandates after the decision; the same objects as before if nothing changed. */
  readonly mandates: readonly MandateAccount[]
  /** The counters that changed. A hold that is voided later is taken out of exactly these. */
  readonly counters: ReadonlyMap<string, Counter>
  /** The vendor history after the decision, if it changed. */
  readonly vendor: VendorHistory | undefined
  /** These come in addition to the event of the transaction itself, which every decision has. */
  readonly budgetEvents: readonly BudgetEvent[]
  /**
   * Counters that the advice would need besides those that were read. If they are read and the
   * spend is judged again, the decision is the same and its advice is complete.
   */
  readonly unread: readonly string[]
  /**
   * The question for a person. Null unless rules that ask for approval are all that rejects the
   * spend.
   */
  readonly question: Question | null
  /** The approval that the spend used; null for nearly all spends. */
  readonly usedApprovalId: string | null
}

const NO_COUNTERS: ReadonlyMap<string, Counter> = new Map()
const NOTHING_UNREAD: readonly string[] = []

/**
 * Judges one spend and computes everything that follows from it. The caller has locked the rows
 * behind the account. It stores the result, and passes the changed account on to the next spend.
 */
export function decide(spend: Spend, account: Account, now: Instant): Decision {
  const evaluation = evaluate(spend, account, now)
  const [own] = hasActiveMandate(account) ? account.mandates : []
  const stopped = evaluation.gate ?? evaluation.firstFailure
  if (own && !stopped) {
    return approve(spend, account, now, evaluation, summaryOf(evaluation), draw)
  }
  const rejected = reject(spend, account, now, evaluation, own)
  return approvePart(rejected, account, now) ?? rejected
}

/**
 * Approves a card purchase in part, if the merchant accepts that and a smaller amount passes. If a
 * rule asks for approval, nothing is approved in part: the person was asked about the whole amount.
 */
function approvePart(rejected: Decision, account: Account, now: Instant): Decision | undefined {
  const { spend, details } = rejected
  const most = details.next.maxAmountNow
  const isAsked = account.permit !== undefined || details.rules.some(isEscalated)
  if (spend.card === null || most === null || isAsked) return undefined
  const part = partOf(spend, toMicros(most))
  if (!part || !hasBeenRead(part, account)) return undefined
  const evaluation = evaluate(part, account, now)
  if (evaluation.gate || evaluation.firstFailure) return undefined
  return approve(part, account, now, evaluation, summaryOf(evaluation), draw)
}

function isEscalated({ outcome }: Finding): boolean {
  return outcome === 'escalate'
}

/** A counter that was not read may not be empty, so nothing is judged by it or booked with it. */
function hasBeenRead(spend: Spend, { mandates, usage }: Account): boolean {
  return mandates.every(({ policy }) => countersOf(policy, spend).every(usage.isRead))
}

export const recordCodes = defineCodes({
  recorded: {
    meaning: 'The money moved without a decision, and the gateway recorded it.',
    action:
      'Nothing: the money is spent. A person should find out why the gateway was not asked first.',
    repeat: 'no',
  },
})

/**
 * Books a spend that can no longer be refused, because its money has moved. It is approved
 * regardless of the rules. Their findings are still reported, unless a gate is closed: then no rule
 * is evaluated. The mandates are the agent's current ones or, if none is active, its last ones.
 */
export function record(spend: Spend, account: Account, now: Instant): Decision {
  if (isInOtherCurrency(spend, account)) return record(spend, { ...account, mandates: [] }, now)
  const { findings, flaggedBy } = evaluate(spend, account, now)
  const evaluation = { gate: undefined, findings, firstFailure: undefined, flaggedBy }
  const message = 'The money moved without a decision. The gateway recorded it.'
  const summary = { code: recordCodes.recorded.code, message }
  return approve(spend, account, now, evaluation, summary, drawUnasked)
}

/**
 * No budget can include money in a different currency: the path must convert it, or it is only
 * recorded.
 */
function isInOtherCurrency({ currency }: Spend, { mandates: [own] }: Account): boolean {
  return (
    own !== undefined && currency !== null && !isSameCurrency(currency, own.policy.terms.currency)
  )
}

function approve(
  spend: Spend,
  account: Account,
  now: Instant,
  evaluation: Evaluation,
  summary: Summary,
  book: typeof draw,
): Decision {
  const { holdMs } = spend
  // A card check ends with the decision: it is neither booked nor counted.
  const isBooked = !isCheck(spend)
  const isHold = holdMs !== null && isBooked
  const [own] = account.mandates
  const mandates = isBooked
    ? account.mandates.map((mandate) => book(mandate, spend.amount, isHold, now))
    : account.mandates
  const remainingBudget = smallestRemaining(mandates, now)
  const result = { summary, before: own, after: mandates[0], next: NO_ADVICE }
  return {
    spend,
    at: now,
    mandateId: own?.policy.mandateId ?? null,
    mandateVersion: own?.policy.version ?? null,
    policyHash: own?.policy.hash ?? null,
    decision: 'approved',
    status: isHold ? 'held' : 'settled',
    code: summary.code,
    message: summary.message,
    currency: own?.policy.terms.currency ?? spend.currency,
    expiresAt: isHold ? now + holdMs : null,
    remainingBudget,
    flaggedBy: evaluation.flaggedBy,
    details: detailsOf(spend, now, evaluation, result),
    mandates,
    counters: isBooked ? count(spend, account, now) : NO_COUNTERS,
    vendor: isBooked ? vendorAfter(spend, account, now) : undefined,
    budgetEvents: crossings(account.mandates, mandates, now),
    unread: NOTHING_UNREAD,
    question: null,
    usedApprovalId: usedApproval(spend, account, now),
  }
}

/** Nothing changes: only approved spends are booked and counted. */
function reject(
  spend: Spend,
  account: Account,
  now: Instant,
  evaluation: Evaluation,
  own: MandateAccount | undefined,
): Decision {
  const summary = summaryOf(evaluation)
  const { mandates } = account
  const remainingBudget = own ? smallestRemaining(mandates, now) : 0n
  const { next, unread } = adviceFor(spend, account, now)
  const result = { summary, before: own, after: own, next }
  const details = detailsOf(spend, now, evaluation, result)
  const draftMandateId = evaluation.gate?.draftMandateId
  return {
    spend,
    at: now,
    mandateId: own?.policy.mandateId ?? null,
    mandateVersion: own?.policy.version ?? null,
    policyHash: own?.policy.hash ?? null,
    decision: 'rejected',
    status: 'rejected',
    code: summary.code,
    message: summary.message,
    currency: spend.currency ?? own?.policy.terms.currency ?? null,
    expiresAt: null,
    remainingBudget,
    flaggedBy: evaluation.flaggedBy,
    details: draftMandateId === undefined ? details : { ...details, draftMandateId },
    mandates,
    counters: NO_COUNTERS,
    vendor: undefined,
    budgetEvents: [],
    unread,
    question: evaluation.firstFailure ? questionOf(spend, account, evaluation) : null,
    usedApprovalId: null,
  }
}

/**
 * A spend uses up an approval that covers it, even if no rule asks for approval any more: the person
 * allowed one purchase, and this is it.
 */
function usedApproval(spend: Spend, { permit }: Account, now: Instant): string | null {
  return permit && !refusalOf(permit, spend, now) ? permit.approvalId : null
}

/** Rules that count the same thing share a counter, and a spend must be counted in it once. */
function count(spend: Spend, { mandates, usage }: Account, now: Instant): Map<string, Counter> {
  const changed = new Map<string, Counter>()
  const counts = countOf(spend)
  for (const { policy } of mandates) {
    for (const { key, layout } of countedBy(policy, spend)) {
      if (changed.has(key)) continue
      const counter = usage.counter(key) ?? EMPTY_COUNTER
      changed.set(key, addTo(counter, layout, now, spend.amount, counts))
    }
  }
  return changed
}

/**
 * The history changes only if a mandate needs it: otherwise the earlier history was not loaded. A
 * hold does not change it until it is settled. Otherwise an agent could raise the known price step
 * by step with holds that it voids again.
 */
function vendorAfter(spend: Spend, account: Account, now: Instant): VendorHistory | undefined {
  if (spend.holdMs !== null) return undefined
  if (!account.mandates.some(({ policy }) => needsVendorHistory(policy))) return undefined
  return { firstAt: account.usage.vendor?.firstAt ?? now, lastAmount: spend.amount }
}

function crossings(
  before: readonly MandateAccount[],
  after: readonly MandateAccount[],
  now: Instant,
): BudgetEvent[] {
  return after.flatMap((mandate, index) => budgetEvents(before[index] ?? mandate, mandate, now))
}

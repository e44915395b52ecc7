import { toPublicId } from '../id.ts'
import { type Micros, percentOf, toUnits } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { endsByItself } from '../transaction.ts'

/** The kinds of the specification. They are sent unless the organization chooses others. */
export const STANDARD_KINDS = [
  'transaction.approved',
  'transaction.rejected',
  'mandate.budget.warning',
  'mandate.budget.exhausted',
] as const

/** The outcomes of a transaction. They are sent only if the organization chooses them. */
const OUTCOME_KINDS = [
  'transaction.settled',
  'transaction.voided',
  'transaction.expired',
  'transaction.refunded',
] as const

/** Requests that wait for a person. They are sent only if the organization chooses them. */
const APPROVAL_KINDS = ['approval.requested', 'approval.decided'] as const

/** The use of the plan. These kinds are sent only if the organization chooses them. */
const USAGE_KINDS = ['usage.warning', 'usage.exhausted'] as const

/**
 * Issuers' events that a person should look at. They are sent only if the organization chooses them.
 */
const CARD_KINDS = ['card.flagged'] as const

/** Events about the accounts of people. They are sent only if the organization chooses them. */
const SIGN_IN_KINDS = [
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_in.locked',
  'sign_in.refused',
  'sign_in.reset',
] as const

export const EVENT_KINDS = [
  ...STANDARD_KINDS,
  ...OUTCOME_KINDS,
  ...APPROVAL_KINDS,
  ...USAGE_KINDS,
  ...CARD_KINDS,
  ...SIGN_IN_KINDS,
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/**
 * A change to the money of a hold that stays a hold. It is never sent: only the audit log has it, so
 * that the figures of every transaction follow from the audit log (ADR 51).
 */
export const ADJUSTED = 'transaction.adjusted'
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]
export type OutcomeKind = (typeof OUTCOME_KINDS)[number]
export type UsageKind = (typeof USAGE_KINDS)[number]
export type SignInKind = (typeof SIGN_IN_KINDS)[number]

const STANDARD: readonly EventKind[] = STANDARD_KINDS

export function isStandardKind(kind: EventKind): boolean {
  return STANDARD.includes(kind)
}

/** An event as it is stored. Its body is built from this on each request. */
export interface StoredEvent {
  readonly id: string
  /** Its number among the organization's events, in the order of their commits. */
  readonly number: bigint
  readonly kind: EventKind
  readonly occurredAt: Instant
  /** The transaction that raised it; null for a test event, a changed budget and a plan. */
  readonly transactionId: string | null
  /**
   * The data of an event about a transaction's outcome, an approval, a plan, a card's issuer or a
   * sign-in, as it was then.
   */
  readonly outcome: object | null
  /** The data of a test event; null for a real event. */
  readonly sample: object | null
  /** For a budget event: the mandate, and the figures of its budget. */
  readonly mandateId: string | null
  readonly agentId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  /** Null for a test event, and for one that is not about a transaction. */
  readonly transaction: EventTransaction | null
}

/**
 * The transaction in an event. It never changes after the decision, except for the amount of recorded
 * money, which may become known later.
 */
export interface EventTransaction {
  readonly id: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: Micros
  readonly vendor: string
  readonly category: string | null
  readonly remainingBudget: Micros
  readonly decision: 'approved' | 'rejected'
  readonly code: string
  readonly path: string
  /** The status by the decision, without later outcomes. */
  readonly status: 'rejected' | 'held' | 'settled'
  readonly currency: string | null
  readonly reference: string | null
  readonly expiresAt: Instant | null
  readonly flags: readonly string[]
  /** The approval that it requested or presented. */
  readonly approvalId: string | null
  /**
   * Only for a rejection; the event of an approval does not include it. Null also once the details of
   * the transaction are removed.
   */
  readonly details: RejectionDetails | null
}

interface RejectionDetails {
  readonly message: string
  readonly rules: readonly {
    readonly id: string
    readonly code: string | null
    readonly outcome: string
    readonly message: string
  }[]
}

/** The body that a receiver gets: the specification's envelope. */
export interface Envelope {
  readonly event: EventKind
  readonly timestamp: string
  readonly data: object
}

export function envelopeOf(event: StoredEvent): Envelope {
  return { event: event.kind, timestamp: toIso(event.occurredAt), data: dataOf(event) }
}

function dataOf(event: StoredEvent): object {
  if (event.sample !== null) return event.sample
  if (event.kind.startsWith('mandate.')) return budgetData(event)
  if (event.kind.startsWith('usage.')) return usageData(event)
  if (/^(approval|card|sign_in)\./.test(event.kind)) return event.outcome ?? {}
  if (!event.transaction) throw new Error('The event of a transaction has no transaction.')
  if (event.outcome !== null) return outcomeData(event.transaction, event.outcome)
  const data = transactionData(event.transaction)
  return event.kind === 'transaction.rejected' ? { ...data, ...rejection(event.transaction) } : data
}

function outcomeData(transaction: EventTransaction, outcome: object): object {
  return {
    transactionId: toPublicId('txn', transaction.id),
    agentId: transaction.agentId,
    mandateId: publicMandateId(transaction.mandateId),
    amount: toUnits(transaction.amount),
    vendor: transaction.vendor,
    category: transaction.category,
    currency: transaction.currency,
    path: transaction.path,
    reference: transaction.reference,
    ...outcome,
  }
}

function transactionData(transaction: EventTransaction): object {
  return {
    transactionId: toPublicId('txn', transaction.id),
    agentId: transaction.agentId,
    mandateId: publicMandateId(transaction.mandateId),
    amount: toUnits(transaction.amount),
    vendor: transaction.vendor,
    category: transaction.category,
    remainingBudget: toUnits(transaction.remainingBudget),
    decision: transaction.decision,
    status: transaction.status,
    currency: transaction.currency,
    path: transaction.path,
    reference: transaction.reference,
    expiresAt: endOf(transaction),
    flags: transaction.flags,
  }
}

/** Null also for a hold that does not expire by itself. */
function endOf(transaction: EventTransaction): string | null {
  const { expiresAt } = transaction
  return expiresAt === null || !endsByItself(transaction) ? null : toIso(expiresAt)
}

function rejection({ code, details, approvalId }: EventTransaction): object {
  const rules = details?.rules ?? []
  const stood = rules.filter(({ outcome }) => outcome === 'fail' || outcome === 'escalate')
  return {
    code,
    reason: details?.message ?? null,
    reasons: stood.map((rule) => ({ ruleId: rule.id, code: rule.code, message: rule.message })),
    approvalId: approvalId === null ? null : toPublicId('apr', approvalId),
  }
}

function budgetData({ mandateId, agentId, budgetTotal, budgetSpent }: StoredEvent): object {
  if (budgetTotal === null || budgetSpent === null) throw new Error('A budget event has no budget.')
  return {
    mandateId: publicMandateId(mandateId),
    agentId,
    budgetTotal: toUnits(budgetTotal),
    budgetSpent: toUnits(budgetSpent),
    // A card may capture more than was left. The budget is then used up, but the event never shows more
    // than 100 percent.
    percentUsed: Math.min(100, percentOf(budgetSpent, budgetTotal)),
  }
}

function usageData({ outcome }: StoredEvent): object {
  if (outcome === null) throw new Error('The event of a plan does not state the usage.')
  return outcome
}

function publicMandateId(uuid: string | null): string | null {
  return uuid === null ? null : toPublicId('mnd', uuid)
}

import { toPublicId } from '../id.ts'
import { type Micros, percentOf, toUnits } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { endsByItself } from '../transaction.ts'

/** The kinds of the specification. They are told unless others are chosen. */
export const STANDARD_KINDS = [
  'transaction.approved',
  'transaction.rejected',
  'mandate.budget.warning',
  'mandate.budget.exhausted',
] as const

/** What became of a transaction. These are told only where they are chosen. */
const OUTCOME_KINDS = [
  'transaction.settled',
  'transaction.voided',
  'transaction.expired',
  'transaction.refunded',
] as const

/** What waits for a person. These, too, are told only where they are chosen. */
const APPROVAL_KINDS = ['approval.requested', 'approval.decided'] as const

/** How much of the plan is used. These are told only where they are chosen. */
const USAGE_KINDS = ['usage.warning', 'usage.exhausted'] as const

/** What issuers of cards told, and a person should look at. It is told only where it is chosen. */
const CARD_KINDS = ['card.flagged'] as const

/** What happens to the accounts of people. These are told only where they are chosen. */
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
 * What became of the money of a hold that is still one. Nobody is told: the audit log alone has it, so that
 * the figures of every transaction follow from the log.
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

/** An event as it is stored. Its body is made from this whenever somebody asks for it. */
export interface StoredEvent {
  readonly id: string
  /** Its place among the organization's events, in the order in which they were committed. */
  readonly number: bigint
  readonly kind: EventKind
  readonly occurredAt: Instant
  /** The transaction that raised it; null for a test event, a changed budget and a plan. */
  readonly transactionId: string | null
  /** For what became of a transaction, an approval or a plan, of a card's issuer, and of signing in: what is told of it, as it was then. */
  readonly outcome: object | null
  /** The data of a test event; null for a real event. */
  readonly sample: object | null
  /** For a budget event: whose budget it is, and its figures. */
  readonly mandateId: string | null
  readonly agentId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  /** Null for a test event, and for one that is not about a transaction. */
  readonly transaction: EventTransaction | null
}

/**
 * What the event of a transaction says. None of it changes after the decision, but for the amount of
 * money that was recorded: what it comes to may be learned later.
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
  /** As it was decided, whatever became of it since. */
  readonly status: 'rejected' | 'held' | 'settled'
  readonly currency: string | null
  readonly reference: string | null
  readonly expiresAt: Instant | null
  readonly flags: readonly string[]
  /** The approval that it asked for, or presented. */
  readonly approvalId: string | null
  /**
   * For a rejection; the event of an approval does not include it. Null also once the details of
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

/** What a receiver gets: the specification's envelope. */
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

/** Null also for a hold that does not end by itself. */
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
    // A card may capture more than was left. Then the budget is used up, but never by more than 100
    // percent.
    percentUsed: Math.min(100, percentOf(budgetSpent, budgetTotal)),
  }
}

function usageData({ outcome }: StoredEvent): object {
  if (outcome === null) throw new Error('The event of a plan does not say what is used.')
  return outcome
}

function publicMandateId(uuid: string | null): string | null {
  return uuid === null ? null : toPublicId('mnd', uuid)
}

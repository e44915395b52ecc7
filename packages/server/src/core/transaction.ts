import type { Micros } from './money.ts'
import type { PathName } from './path.ts'
import type { CardSpend, Spend } from './spend.ts'
import type { Instant } from './time/instant.ts'

export type TransactionStatus =
  | 'rejected'
  | 'held'
  | 'settled'
  | 'voided'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'

/** The possible flags of a transaction, in the order in which they are shown. */
export const TRANSACTION_FLAGS = {
  ungoverned: 'the money moved without a request to the gateway',
  raised: 'more is held than was requested',
  over_capture: 'more was captured than was held',
  late_capture: 'captured after the hold was released',
  total_unproven:
    'the ACP merchant reports an order total of 0, or more than its payment token allowed',
  rest_unproven:
    'the unused rest of the hold was released only because the ACP merchant reported a lower total',
  over_refund: 'the ACP merchant reports refunds of more than was paid',
  other_currency: 'money moved in a different currency, and its value is unknown',
  merchant_unrecognised: 'the merchant of a card payment is not in the vendor directory',
  merchant_drift: 'the merchant has the name of a known merchant but a different id',
  ended_by_hand: 'a person or key closed the hold manually',
} as const

export type TransactionFlag = keyof typeof TRANSACTION_FLAGS

/**
 * Money that was booked later than the approval; the amounts are in micros. An earlier version did not
 * store the refunded part.
 */
export type LaterPart = readonly [at: Instant, held: string, settled: string, refunded?: string]

/** The record of a spend: the decision, which never changes, and its outcome. */
export interface Transaction {
  readonly id: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly mandateVersion: number | null
  readonly path: PathName
  readonly decision: 'approved' | 'rejected'
  readonly status: TransactionStatus
  readonly code: string
  readonly amount: Micros
  /** An increment of an approved purchase: it is not counted as a spend of its own. */
  readonly isIncrement: boolean
  readonly currency: string | null
  readonly vendor: string
  readonly category: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly remainingBudget: Micros
  /** Null once the details are removed, together with the metadata. */
  readonly details: object | null
  readonly detailsRemovedAt: Instant | null
  readonly heldAmount: Micros
  readonly settledAmount: Micros
  readonly refundedAmount: Micros
  /** Infinity: a hold that does not expire by itself. */
  readonly expiresAt: Instant | null
  readonly settledAt: Instant | null
  readonly external: object | null
  /** The approval that it requested, presented or used up. */
  readonly approvalId: string | null
  /** Its flags. */
  readonly flags: readonly TransactionFlag[]
  /** The ids of the rules that flagged it when it was judged. */
  readonly flaggedBy: readonly string[]
  /** Bookings after the approval; null for nearly all transactions. */
  readonly laterParts: readonly LaterPart[] | null
  /** The counters of limits that count it; a void removes it from exactly these. */
  readonly countedIn: readonly string[] | null
  readonly createdAt: Instant
}

/** The spend of the transaction, with the fields that rules count. */
export function spendOf(
  transaction: Pick<
    Transaction,
    | 'id'
    | 'agentId'
    | 'path'
    | 'amount'
    | 'isIncrement'
    | 'currency'
    | 'vendor'
    | 'category'
    | 'reference'
  >,
  organizationId: string,
): Spend {
  const { id, agentId, path, amount, currency, vendor, category, reference } = transaction
  return {
    transactionId: id,
    organizationId,
    agentId,
    path,
    amount,
    currency,
    vendor,
    category,
    reference,
    payee: null,
    holdMs: null,
    card: transaction.isIncrement ? MORE : null,
  }
}

/** An increment for counting, which needs no other field of a card. */
const MORE: CardSpend = {
  cardId: null,
  mcc: null,
  highRisk: null,
  total: 0n,
  partialUnit: null,
  stop: null,
}

/** Whether it counts in a number of spends, and not only with its money. */
export function isSpendOfItsOwn({
  isIncrement,
  amount,
}: Pick<Transaction, 'isIncrement' | 'amount'>): boolean {
  return !isIncrement && amount > 0n
}

/** Whether a hold expires by time alone. Other holds wait for proof of their outcome. */
export function endsByItself({ expiresAt }: Pick<Transaction, 'expiresAt'>): boolean {
  return expiresAt !== Number.POSITIVE_INFINITY
}

/** An overdue hold reads as expired, even before the sweeper has reached it. */
export function transactionStatusAt(
  { status, expiresAt }: Pick<Transaction, 'status' | 'expiresAt'>,
  now: Instant,
): TransactionStatus {
  return status === 'held' && expiresAt !== null && expiresAt <= now ? 'expired' : status
}

import { toPublicId } from '../../core/id.ts'
import { type Micros, toMicros } from '../../core/money.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { CardRequest, CardVerdict } from './issuers/issuer.ts'
import type { RequestFact } from './ledger/facts.ts'

/**
 * A decline without a transaction: there is no agent to charge, or the store did not answer in time.
 */
export function declined(code: string, request?: CardRequest): CardVerdict {
  return {
    isApproved: false,
    code,
    approvedAmount: 0n,
    currency: request?.currency ?? null,
    isPartial: false,
    transactionId: null,
  }
}

/** The decision as it was stored: a retry gets the same answer, even if its content differs. */
export function verdictOf(decided: Decided, { currency }: CardRequest): CardVerdict {
  const isApproved = decided.decision === 'approved'
  return {
    isApproved,
    code: decided.code,
    approvedAmount: isApproved ? decided.amount : 0n,
    currency: decided.currency ?? currency,
    isPartial: isApproved && decided.amount < requestedOf(decided),
    transactionId: toPublicId('txn', decided.id),
  }
}

/** The amount of the first request, taken from the transaction's record. */
function requestedOf({ noted, amount }: Decided): Micros {
  const { requestedAmount } = (noted?.external ?? {}) as { readonly requestedAmount?: unknown }
  return typeof requestedAmount === 'number' ? toMicros(requestedAmount) : amount
}

/** An approval without judgement. */
export function unjudged(
  { amount, transactionId }: Pick<RequestFact, 'amount' | 'transactionId'>,
  { currency }: CardRequest,
): CardVerdict {
  return {
    isApproved: true,
    code: 'recorded',
    approvedAmount: amount,
    currency,
    isPartial: false,
    transactionId: toPublicId('txn', transactionId),
  }
}

/** Money that comes back, or an inquiry about such money: nothing is spent, so nothing is recorded. */
export function credited({ currency }: CardRequest): CardVerdict {
  return {
    isApproved: true,
    code: 'approved',
    approvedAmount: 0n,
    currency,
    isPartial: false,
    transactionId: null,
  }
}

import { toPublicId } from '../../core/id.ts'
import { type Micros, toMicros } from '../../core/money.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { CardRequest, CardVerdict } from './issuers/issuer.ts'
import type { RequestFact } from './ledger/facts.ts'

/** A decline without a transaction: there is nobody to charge, or nobody could be asked. */
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

/** What was decided, as it was stored: a repeat gets the same, whatever it asks for itself. */
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

/** What was asked for at first, as the record says. */
function requestedOf({ noted, amount }: Decided): Micros {
  const { requestedAmount } = (noted?.external ?? {}) as { readonly requestedAmount?: unknown }
  return typeof requestedAmount === 'number' ? toMicros(requestedAmount) : amount
}

/** Approved without being judged. */
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

/** Money that comes back, or a question about it: nothing is spent, so nothing is recorded. */
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

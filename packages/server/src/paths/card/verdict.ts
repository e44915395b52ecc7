import { toPublicId } from '../../core/id.ts'
import type { Micros } from '../../core/money.ts'
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

/** What was decided, as it was stored: a repeat gets the same. */
export function verdictOf(decided: Decided, { currency }: CardRequest, asked: Micros): CardVerdict {
  const isApproved = decided.decision === 'approved'
  return {
    isApproved,
    code: decided.code,
    approvedAmount: isApproved ? decided.amount : 0n,
    currency,
    isPartial: isApproved && decided.amount < asked,
    transactionId: toPublicId('txn', decided.id),
  }
}

/** Approved without being judged. */
export function unjudged(fact: RequestFact, { currency }: CardRequest): CardVerdict {
  return {
    isApproved: true,
    code: 'recorded',
    approvedAmount: fact.amount,
    currency,
    isPartial: false,
    transactionId: toPublicId('txn', fact.transactionId),
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

import { type DecisionLike, type DetailsLike, hashOfDecision } from './decision-leaf.ts'
import { ProofError } from './error.ts'
import {
  type ProofLike,
  type ProvenInclusion,
  type TrustedKeys,
  verifyInclusion,
} from './verify-inclusion.ts'

export interface ProvenReceipt extends ProvenInclusion {
  /** The status of the transaction at the time of the decision. */
  readonly status: 'rejected' | 'held' | 'settled'
  /** When the gateway decided. */
  readonly decidedAt: string
}

/**
 * Verifies that the audit log, which a trusted key has signed, contains exactly this decision.
 * Rejects with a `ProofError`, whose `code` names the cause. It needs no network.
 *
 * The leaf covers the ids, the amount, currency, vendor and category, the decision with its
 * `evaluationDetails`, and the `reference`, `reason` and `metadata` of the request. It does not
 * cover the fields that change later or repeat the details, such as `status`, `flags` and
 * `remainingBudget`.
 *
 * @param decision a `Transaction`; or an `Evaluation` with the currency and the fields that you sent
 * @example
 * const decision = await purser.transactions.get(transactionId)
 * const { leaf } = decision.evaluationDetails?.receipt ?? {}
 * const proof = await purser.auditLog.proof({ leaf })
 * await verifyReceipt(decision, proof, trustedKeys)
 * // With the answer of evaluate:
 * await verifyReceipt({ ...request, ...evaluation, currency: 'USD' }, proof, trustedKeys)
 */
export async function verifyReceipt(
  decision: DecisionLike,
  proof: ProofLike,
  keys: TrustedKeys,
): Promise<ProvenReceipt> {
  const details = decision.evaluationDetails
  const receipt = details?.receipt
  if (!details || !receipt) {
    throw new ProofError(
      'receipt_missing',
      'The decision has no receipt. Simulations and declines at a deadline have none, and retention removes receipts with their details.',
    )
  }
  const status = await findStatus(decision, details, receipt)
  const inclusion = await verifyInclusion(receipt, proof, keys)
  return { ...inclusion, status, decidedAt: details.evaluatedAt }
}

/**
 * Finds the status that the leaf commits to. A transaction has its current status, so an approved
 * one was either held or settled when the gateway decided.
 */
async function findStatus(
  decision: DecisionLike,
  details: DetailsLike,
  { leaf, salt }: NonNullable<DetailsLike['receipt']>,
): Promise<ProvenReceipt['status']> {
  if (salt === null) {
    throw new ProofError(
      'salt_withheld',
      'The receipt has no salt, because the key may not see the whole decision. Use a key that is not bound to agents, or verifyInclusion.',
    )
  }
  if (decision.currency === undefined) {
    throw new ProofError(
      'currency_missing',
      'The answer of evaluate does not contain the currency. Pass { ...request, ...evaluation, currency }, or the transaction.',
    )
  }
  const candidates =
    decision.decision === 'rejected' ? (['rejected'] as const) : (['held', 'settled'] as const)
  for (const status of candidates) {
    if ((await hashOfDecision(decision, details, salt, status)) === leaf) return status
  }
  throw new ProofError(
    'decision_mismatch',
    'The receipt is not of this decision: the decision or the receipt was changed. Pass both as the gateway answered them. A database that reorders the fields of JSON, such as jsonb in PostgreSQL, changes `evaluationDetails`.',
  )
}

import { actorText } from '../actor.ts'
import type { Approval, ApprovalDecision } from '../approvals/approval.ts'
import { toPublicId } from '../id.ts'
import { toUnits } from '../money.ts'
import { toIso } from '../time/instant.ts'

/** The fields of an approval request that its events contain. */
export type ToldApproval = Pick<
  Approval,
  | 'id'
  | 'agentId'
  | 'mandateId'
  | 'transactionId'
  | 'vendor'
  | 'category'
  | 'amount'
  | 'currency'
  | 'path'
  | 'expiresAt'
>

/** The data of `approval.requested`. */
export function requestedData(approval: ToldApproval): object {
  return {
    approvalId: toPublicId('apr', approval.id),
    status: 'pending',
    transactionId: toPublicId('txn', approval.transactionId),
    agentId: approval.agentId,
    mandateId: toPublicId('mnd', approval.mandateId),
    amount: toUnits(approval.amount),
    currency: approval.currency,
    vendor: approval.vendor,
    category: approval.category,
    path: approval.path,
    expiresAt: toIso(approval.expiresAt),
  }
}

/**
 * A person's or key's answer. People choose their names, so id and e-mail address identify the person.
 */
interface Said
  extends Pick<
    ApprovalDecision,
    'decision' | 'actorKind' | 'actorId' | 'actorName' | 'comment' | 'maxAmount'
  > {
  /** Null for a key. */
  readonly actorEmail: string | null
}

/** The data of `approval.decided`. Without an answer, the request expired. */
export function decidedData(
  approval: ToldApproval & Pick<Approval, 'status'>,
  said: Said | undefined,
): object {
  return {
    ...requestedData(approval),
    status: approval.status,
    decision: said?.decision ?? 'expired',
    decidedBy: said?.actorName ?? null,
    decidedById: said ? actorText({ kind: said.actorKind, id: said.actorId }) : null,
    decidedByEmail: said?.actorEmail ?? null,
    comment: said?.comment ?? null,
    maxAmount: said?.maxAmount ? toUnits(said.maxAmount) : null,
  }
}

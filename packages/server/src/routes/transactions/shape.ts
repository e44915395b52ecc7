import { type Static, Type } from 'typebox'
import { ownFlags, ownView } from '../../core/decision/own-view.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { PATH_NAMES } from '../../core/path.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  type Transaction as CoreTransaction,
  endsByItself,
  TRANSACTION_FLAGS,
  transactionStatusAt,
} from '../../core/transaction.ts'
import { Requester, requesterFor } from '../../http/document/requester.ts'
import {
  AgentId,
  component,
  DecisionCode,
  nullable,
  publicId,
  SpendCategory,
  SpendCurrency,
  SpendReference,
  Sum,
  sumOf,
  Timestamp,
  timeWhen,
  toTimestamp,
  VendorHost,
} from '../../http/document/schemas.ts'
import type { Requester as StoredRequester } from '../../storage/actor-names.ts'
import type { ShownTransaction } from '../../storage/transactions.ts'
import { LISTED_EXAMPLE, TRANSACTION_EXAMPLE } from './examples.ts'

export const TransactionId = publicId('txn', 'the transaction')
const MandateId = publicId('mnd', 'the mandate that applied')

export const Decision = Type.Enum(['approved', 'rejected'], { type: 'string' })
export const PathName = Type.Enum([...PATH_NAMES], { type: 'string' })
export const STATUSES = [
  ...(['rejected', 'held', 'settled', 'voided', 'expired'] as const),
  ...(['partially_refunded', 'refunded'] as const),
]
export const TransactionStatus = Type.Enum(STATUSES, { type: 'string' })

const UNUSUAL = Object.entries(TRANSACTION_FLAGS)
  .map(([flag, meaning]) => `${flag} (${meaning})`)
  .join(', ')

/** Other responses leave the names out, so that a settlement sends no further statement. */
const ONLY_READS = 'Responses to settle, void and refund leave it out.'

export const Transaction = Type.Object(
  {
    transactionId: TransactionId,
    agentId: AgentId,
    agentName: Type.Optional(
      nullable(
        Type.String({
          description: `The current or last name of the agent, also of a deleted one. ${ONLY_READS}`,
        }),
      ),
    ),
    requestedBy: Type.Optional(
      Type.Union([Requester, Type.Null()], {
        description: `The key, member or card issuer that sent the spend. Null if it was not recorded. An agent-bound key sees only itself, and null for other senders. ${ONLY_READS}`,
      }),
    ),
    mandateId: nullable(MandateId),
    amount: Sum,
    vendor: VendorHost,
    category: SpendCategory,
    remainingBudget: Type.Number({
      description: 'The budget that remained after the decision, in units of the currency.',
    }),
    decision: Decision,
    status: TransactionStatus,
    path: PathName,
    currency: SpendCurrency,
    reference: SpendReference,
    reason: nullable(
      Type.String({ description: 'Why the agent spends. Null if it was not sent.' }),
    ),
    metadata: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Your own key-value data. Null if there is none, or retention removed it.',
      }),
    ),
    code: DecisionCode,
    evaluationDetails: Type.Union([component<object>('EvaluationDetails'), Type.Null()], {
      description:
        'The details of the decision, as in the response to the evaluation. Null once retention has removed them.',
    }),
    detailsRemovedAt: nullable({
      ...Timestamp,
      description:
        "When the organization's retention removed `evaluationDetails` and `metadata` (ISO 8601, UTC). Null while they are stored.",
    }),
    heldAmount: sumOf('The amount that is held now'),
    settledAmount: sumOf('The settled amount'),
    refundedAmount: sumOf('The refunded amount'),
    expiresAt: nullable(
      timeWhen('When the hold expires', 'Null if there is no hold that expires on its own.'),
    ),
    approvalId: nullable(
      publicId('apr', 'the approval that the spend requested, presented or used'),
    ),
    external: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Data of the payment path, such as the transaction on the chain, the order or the card authorization. Null if there is none.',
        },
      ),
    ),
    flags: Type.Array(Type.String(), {
      description: `Flags for anything unusual about the transaction, followed by the ids of the rules that flagged the spend. The flags are: ${UNUSUAL}.`,
    }),
    createdAt: timeWhen('When the spend was decided'),
    settledAt: nullable(timeWhen('When the spend was settled')),
  },
  { title: 'Transaction', examples: [TRANSACTION_EXAMPLE] },
)

/** The view `summary` leaves out the details. */
export const ListedTransaction = Type.Object(
  {
    ...Transaction.properties,
    evaluationDetails: Type.Optional(Transaction.properties.evaluationDetails),
  },
  { title: 'ListedTransaction', examples: [LISTED_EXAMPLE] },
)

/** The transaction with the names that only reads show. */
export function toShownShape(
  transaction: ShownTransaction,
  now: Instant,
  viewer: Viewer,
  requester: StoredRequester | null,
): Static<typeof Transaction> {
  const { transactionId, agentId, ...rest } = toTransactionShape(transaction, now, viewer)
  const { agentName } = transaction
  const requestedBy = requesterFor(viewer, requester)
  return { transactionId, agentId, agentName, requestedBy, ...rest }
}

export function toSummaryShape(
  ...shown: Parameters<typeof toShownShape>
): Static<typeof ListedTransaction> {
  const { evaluationDetails: _, ...summary } = toShownShape(...shown)
  return summary
}

type Viewer = Pick<Principal, 'agentIds' | 'id'>

/**
 * The transaction as the key may see it. An agent-bound key sees only its own mandate's part of a
 * decision.
 */
export function toTransactionShape(
  transaction: CoreTransaction,
  now: Instant,
  viewer: Pick<Principal, 'agentIds'>,
): Static<typeof Transaction> {
  const shape = toWholeShape(transaction, now)
  if (viewer.agentIds === null) return shape
  const { evaluationDetails: details, remainingBudget, amount } = shape
  const flags = ownFlags(shape.flags)
  if (details === null) return { ...shape, flags }
  const seen = ownView({ details, remainingBudget, amount, flags })
  return {
    ...shape,
    evaluationDetails: seen.details,
    remainingBudget: seen.remainingBudget,
    flags,
  }
}

function toWholeShape(transaction: CoreTransaction, now: Instant): Static<typeof Transaction> {
  const status = transactionStatusAt(transaction, now)
  return {
    transactionId: toPublicId('txn', transaction.id),
    agentId: transaction.agentId,
    mandateId: transaction.mandateId === null ? null : toPublicId('mnd', transaction.mandateId),
    amount: toUnits(transaction.amount),
    vendor: transaction.vendor,
    category: transaction.category,
    remainingBudget: toUnits(transaction.remainingBudget),
    decision: transaction.decision,
    status,
    path: transaction.path,
    currency: transaction.currency,
    reference: transaction.reference,
    reason: transaction.reason,
    metadata: transaction.metadata,
    code: transaction.code,
    evaluationDetails: transaction.details,
    detailsRemovedAt: toTimestamp(transaction.detailsRemovedAt),
    heldAmount: status === 'held' ? toUnits(transaction.heldAmount) : 0,
    settledAmount: toUnits(transaction.settledAmount),
    refundedAmount: toUnits(transaction.refundedAmount),
    expiresAt: toTimestamp(endsByItself(transaction) ? transaction.expiresAt : null),
    approvalId: transaction.approvalId === null ? null : toPublicId('apr', transaction.approvalId),
    external: transaction.external,
    flags: [...transaction.flags, ...transaction.flaggedBy],
    createdAt: toTimestamp(transaction.createdAt),
    settledAt: toTimestamp(transaction.settledAt),
  }
}

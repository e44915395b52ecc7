import type {
  ListedTransaction,
  ListTransactionsQuery,
  Transaction,
} from '../generated/types/index.ts'
import { defineTool, READS } from './define-tool.ts'
import { ownTransaction, signalOf } from './own.ts'
import { explainRejection } from './rejection.ts'
import { AGENT_ID, inputSchema } from './schema.ts'
import type { Tool } from './types.ts'
import { untrusted } from './untrusted.ts'

const ROWS_MAX = 50
const ROWS = 20

export const listTransactions: Tool = defineTool({
  name: 'list_transactions',
  title: 'List transactions',
  description:
    'List your spends, newest first: approved ones, rejected ones and holds. Use it to see whether you have bought something already.',
  inputSchema: inputSchema({
    limit: {
      type: 'integer',
      description: `How many to return. Default: ${ROWS}.`,
      minimum: 1,
      maximum: ROWS_MAX,
    },
    cursor: {
      type: 'string',
      description: 'The nextCursor of the previous call, to read on.',
      minLength: 1,
      maxLength: 1000,
    },
    decision: {
      type: 'string',
      description: 'Only these decisions.',
      enum: ['approved', 'rejected'],
    },
    status: {
      type: 'string',
      description: 'Only this status. `held` are open holds.',
      enum: ['rejected', 'held', 'settled', 'voided', 'expired', 'partially_refunded', 'refunded'],
    },
    vendor: { type: 'string', description: 'Only this host.', minLength: 1, maxLength: 300 },
    category: { type: 'string', description: 'Only this category.', minLength: 1, maxLength: 200 },
    reference: {
      type: 'string',
      description: 'Only this reference of yours.',
      minLength: 1,
      maxLength: 500,
    },
    from: {
      type: 'string',
      description: 'Only since this date (`2026-11-01`) or time (`2026-11-01T09:00:00Z`).',
      maxLength: 40,
    },
    to: { type: 'string', description: 'Only before this date or time.', maxLength: 40 },
    agentId: AGENT_ID,
  }),
  hints: READS,
  async work(purser, input, context) {
    const query: ListTransactionsQuery = { limit: ROWS, ...input, view: 'summary' }
    const { data, hasMore, nextCursor } = await purser.transactions
      .list(query, signalOf(context))
      .page()
    const texts = data.map((row) => [row.transactionId, textsOf(row)] as const)
    return {
      isError: false,
      transactions: data.map(factsOf),
      hasMore,
      nextCursor,
      summary: `${data.length} transactions${hasMore ? ', and there are more: call again with nextCursor' : ''}. Their references and reasons are in \`untrusted\`, by transactionId.`,
      untrusted: untrusted(Object.fromEntries(texts)),
    }
  },
})

export const explainTransaction: Tool = defineTool({
  name: 'explain_transaction',
  title: 'Explain a transaction',
  description:
    'Explain one spend: the decision, the rules that decided, its state now, and what to do next.',
  inputSchema: inputSchema(
    {
      transactionId: {
        type: 'string',
        description: 'The id of the transaction (`txn_…`).',
        minLength: 1,
        maxLength: 100,
      },
    },
    ['transactionId'],
  ),
  hints: READS,
  async work(purser, input, context) {
    const transaction = await ownTransaction(purser, String(input['transactionId']), context)
    const { evaluationDetails: details, decision } = transaction
    return {
      isError: false,
      ...factsOf(transaction),
      remainingBudgetThen: transaction.remainingBudget,
      ...(details && decision === 'rejected'
        ? explainRejection(details)
        : { summary: stateWords(transaction) }),
      untrusted: untrusted({ ...textsOf(transaction), external: transaction.external }),
    }
  },
})

function factsOf(row: ListedTransaction) {
  const { transactionId, agentId, decision, code, status, amount, currency, vendor } = row
  const { category, path, createdAt, settledAt, expiresAt, approvalId, flags } = row
  const { heldAmount, settledAmount, refundedAmount } = row
  return {
    ...{ transactionId, agentId, decision, code, status, amount, currency, vendor, category },
    ...{ path, createdAt, settledAt, expiresAt, approvalId, flags },
    ...{ heldAmount, settledAmount, refundedAmount },
  }
}

/** Undefined if the row has no texts of others. */
function textsOf({ reference, reason, metadata }: ListedTransaction) {
  if (reference === null && reason === null && metadata === null) return undefined
  return {
    ...(reference !== null && { reference }),
    ...(reason !== null && { reason }),
    ...(metadata !== null && { metadata }),
  }
}

function stateWords({
  decision,
  status,
  code,
  settledAmount,
  heldAmount,
  ...rest
}: Transaction): string {
  if (decision === 'rejected') {
    return `Rejected (${code}). The details were removed by the retention of the organization.`
  }
  switch (status) {
    case 'held':
      return `Approved; ${heldAmount} is reserved${rest.expiresAt ? ` until ${rest.expiresAt}` : ''}. Call settle_spend once you know what was paid.`
    case 'voided':
      return 'Approved, then released because no money moved. Nothing is spent.'
    case 'expired':
      return 'Approved, but the hold was not settled in time, and its budget was released. If money moved, tell a person.'
    case 'rejected':
    case 'settled':
    case 'partially_refunded':
    case 'refunded':
      return `Approved; ${settledAmount} was spent, and ${rest.refundedAmount} came back.`
  }
}

import type { ListedTransaction } from '@purser/sdk'
import type { LiveEvent } from '../../../data/stream/events.ts'
import { type TransactionQuery, valuesOf } from '../filters/filters.ts'

/** The row of a decision that the stream announces; null for other events. */
export function rowOfEvent(event: LiveEvent): ListedTransaction | null {
  const { kind, data, at } = event
  if (kind !== 'transaction.approved' && kind !== 'transaction.rejected') return null
  if (typeof data['transactionId'] !== 'string' || typeof data['amount'] !== 'number') return null
  const { reasons, ...fields } = data
  return {
    ...{ mandateId: null, category: null, reference: null, metadata: null, external: null },
    ...{ remainingBudget: 0, heldAmount: 0, settledAmount: 0, refundedAmount: 0, flags: [] },
    ...{ expiresAt: null, approvalId: null, detailsRemovedAt: null, settledAt: null },
    code: 'approved',
    ...fields,
    ...amountsOf(data),
    // `reason` of an event is the gateway's sentence; of a transaction, the agent's words.
    reason: null,
    createdAt: at ?? new Date(event.receivedAt).toISOString(),
  } as unknown as ListedTransaction
}

function amountsOf({ status, amount }: LiveEvent['data']): object {
  if (status === 'held') return { heldAmount: amount }
  return status === 'settled' ? { settledAmount: amount } : {}
}

/** The change of a row that an outcome announces; null for other events. */
export function patchOfEvent({ kind, data }: LiveEvent): Partial<ListedTransaction> | null {
  if (!OUTCOMES.has(kind) || typeof data['status'] !== 'string') return null
  const fields = ['status', 'settledAmount', 'refundedAmount', 'flags']
  const known = fields.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]]))
  return { ...Object.fromEntries(known), heldAmount: 0 }
}

const OUTCOMES = new Set([
  'transaction.settled',
  'transaction.voided',
  'transaction.expired',
  'transaction.refunded',
])

/** Whether an event is a bare hint that a transaction changed: the page asks for it again. */
export function isOutcomeHint(event: LiveEvent): boolean {
  return OUTCOMES.has(event.kind) && patchOfEvent(event) === null
}

/** Whether the list with these filters shows the row. The gateway would say the same. */
export function matches(row: ListedTransaction, query: TransactionQuery): boolean {
  return Object.entries(query).every(([name, value]) => {
    const test = TESTS[name]
    return test ? test(row, value) : true
  })
}

type Test = (row: ListedTransaction, value: string | number | boolean) => boolean

/** One of the values that the filter names. */
function isOneOf(field: (row: ListedTransaction) => string | null): Test {
  return (row, value) => valuesOf(String(value)).includes(field(row) ?? '')
}

const TESTS: Readonly<Record<string, Test>> = {
  agentId: isOneOf(({ agentId }) => agentId),
  mandateId: isOneOf(({ mandateId }) => mandateId),
  decision: isOneOf(({ decision }) => decision),
  status: isOneOf(({ status }) => status),
  path: isOneOf(({ path }) => path),
  vendor: isOneOf(({ vendor }) => vendor),
  category: isOneOf(({ category }) => category),
  code: isOneOf(({ code }) => code),
  approvalId: isOneOf(({ approvalId }) => approvalId),
  flagged: ({ flags }, value) => flags.length > 0 === value,
  minAmount: ({ amount }, value) => amount >= Number(value),
  maxAmount: ({ amount }, value) => amount <= Number(value),
  q: ({ vendor, reference }, value) => {
    const text = String(value).toLowerCase()
    return `${vendor}\n${reference ?? ''}`.toLowerCase().includes(text)
  },
  // New rows are from the present: only a list that ends in the past, or of one card, has none.
  to: ({ createdAt }, value) => Date.parse(createdAt) < Date.parse(String(value)),
  cardId: () => false,
  rule: () => false,
}

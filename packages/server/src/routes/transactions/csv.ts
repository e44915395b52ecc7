import { toUnits } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'
import { toCsvLine } from '../../http/csv.ts'
import type { NameOf } from '../../storage/names.ts'
import type { toShownShape } from './shape.ts'

/**
 * The columns of the CSV, in order. Programs read them by position, so new ones come last. Only NDJSON
 * has the evaluation details.
 */
const COLUMNS = [
  'transactionId',
  'createdAt',
  'agentId',
  'mandateId',
  'path',
  'vendor',
  'category',
  'amount',
  'currency',
  'decision',
  'status',
  'code',
  'remainingBudget',
  'heldAmount',
  'settledAmount',
  'refundedAmount',
  'reference',
  'reason',
  'expiresAt',
  'settledAt',
  'agentName',
  'mandateName',
  'approvalId',
  'flags',
  'externalId',
  'netAmount',
  'requestedBy',
  'requestedByName',
] as const

export const CSV_HEADER = toCsvLine(COLUMNS)

/** A row: the transaction, and the parts of it that the key may see. */
export function toCsvRow(
  transaction: Transaction,
  shape: ReturnType<typeof toShownShape>,
  nameOf: NameOf,
): string {
  const { mandateId, settledAmount, refundedAmount } = transaction
  const cells = {
    ...shape,
    mandateName: mandateId === null ? null : nameOf('mandate', mandateId),
    flags: shape.flags.join(' '),
    externalId: externalIdOf(transaction),
    netAmount: toUnits(settledAmount - refundedAmount),
    requestedBy: shape.requestedBy?.id ?? null,
    requestedByName: shape.requestedBy?.name ?? null,
  }
  return toCsvLine(COLUMNS.map((column) => cells[column]))
}

/**
 * The other party's id: the hash of an x402 payment on its chain; the order of an ACP checkout, or its
 * session; the authorization of a card. It allows a comparison with the other party's statements.
 */
function externalIdOf({ path, external }: Transaction): string | null {
  switch (path) {
    case 'x402':
      return textIn(external, ['transaction'])
    case 'acp':
      return textIn(external, ['order', 'id']) ?? textIn(external, ['checkout', 'sessionId'])
    case 'card':
      return textIn(external, ['authorizationId'])
    default:
      return null
  }
}

function textIn(value: unknown, names: readonly string[]): string | null {
  const found = names.reduce<unknown>((at, name) => Object(at)[name], value)
  return typeof found === 'string' ? found : null
}

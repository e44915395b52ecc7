import { differingColumns } from '../../core/audit/row-state.ts'
import { toUnits } from '../../core/money.ts'
import type { Pruned } from '../../storage/reconcile/log-rows.ts'
import { listTransactionRows, type TransactionRow } from '../../storage/reconcile/transactions.ts'
import { FIRST_ID } from './pages.ts'
import { atMoment, type Moment, type Place } from './place.ts'

const ROWS_AT_ONCE = 500

/** Compares each transaction with its last leaf. Returns the first difference. */
export async function compareTransactions(place: Place): Promise<string | undefined> {
  let after = FIRST_ID
  for (;;) {
    const page = await atMoment(place, async (moment) => {
      const rows = await listTransactionRows(moment.tx, place.organizationId, after, ROWS_AT_ONCE)
      return { rows, moment, pruned: await moment.pruned() }
    })
    for (const row of page.rows) {
      const difference = compareOne(place, page, row)
      if (difference !== undefined) return `${difference} (transaction ${row.subject})`
      place.counts.transactions += 1
    }
    place.tell()
    const last = page.rows.at(-1)?.id
    if (last === undefined || page.rows.length < ROWS_AT_ONCE) return undefined
    after = last
  }
}

function compareOne(
  { counts }: Place,
  { moment: { unsealed, log }, pruned }: { readonly moment: Moment; readonly pruned: Pruned },
  transaction: TransactionRow,
): string | undefined {
  const { id, decidedAs, decidedAt, createdAt, decision } = transaction
  if (unsealed.has(id)) {
    counts.unsealed += 1
    return undefined
  }
  if (decidedAs === null) {
    if (log.isLate && (log.begunAt === null || createdAt <= log.begunAt)) {
      counts.older += 1
      return undefined
    }
    return 'The decision has no leaf in the audit log.'
  }
  if (decidedAt !== createdAt) return 'transactions.created_at differs from the time of its leaf.'
  if (decidedAs !== `transaction.${decision}`) return 'transactions.decision differs from its leaf.'
  const told = compareTold(transaction)
  if (told !== undefined) return told
  if (isAdjustedUntold(transaction, pruned)) {
    counts.older += 1
    return undefined
  }
  return transaction.isLast ? compareAtFirst(transaction) : compareOutcome(counts, transaction)
}

/** Whether an older gateway raised the hold, or captured part of it, without leaving a leaf. */
function isAdjustedUntold(transaction: TransactionRow, { adjustedBefore }: Pruned): boolean {
  const { isHold, isLast, state, createdAt, row } = transaction
  const isCovered = adjustedBefore !== null && createdAt < adjustedBefore
  if (!isCovered || !isHold || row['status'] !== 'held') return false
  if (!isLast) return state === null
  const marks = ['steps', 'later_parts', 'decided_amount'].map((column) => row[column] ?? null)
  return marks.some((mark) => mark !== null) || row['settled_amount'] !== '0'
}

/** Compares columns whose values are also in the details, which the decision's leaf commits to. */
function compareTold(transaction: TransactionRow): string | undefined {
  const { hasDetails, approvalId, toldApproval, flaggedBy, toldFlags } = transaction
  if (!hasDetails || transaction.row['code'] === 'deadline_passed') return undefined
  if (approvalId !== toldApproval)
    return 'transactions.approval_id differs from the details of the decision.'
  return (flaggedBy ?? '') === (toldFlags ?? '')
    ? undefined
    : 'transactions.flagged_by differs from the details of the decision.'
}

/** For a transaction without later changes: its figures follow from the decision. */
function compareAtFirst(transaction: TransactionRow): string | undefined {
  const { decision, isHold, row, path, decidedAt } = transaction
  const isRejected = decision === 'rejected'
  const status = isRejected ? 'rejected' : isHold ? 'held' : 'settled'
  const amount = row['amount'] ?? ''
  const expected: Readonly<Record<string, string | null>> = {
    status,
    held_amount: status === 'held' ? amount : '0',
    settled_amount: status === 'settled' ? amount : '0',
    refunded_amount: '0',
    decided_amount: null,
    later_parts: null,
    steps: null,
    // A card transaction can have flags from the start.
    ...(path !== 'card' && { flags: null }),
  }
  const wrong = Object.entries(expected).find(([column, text]) => row[column] !== text)
  if (wrong) return `transactions.${wrong[0]} differs from the decision.`
  const settledAt = row['settled_at']
  const at = settledAt == null ? null : Date.parse(settledAt)
  return at === (status === 'settled' ? decidedAt : null)
    ? undefined
    : 'transactions.settled_at differs from the decision.'
}

function compareOutcome(counts: Place['counts'], transaction: TransactionRow): string | undefined {
  const { row, state, salt, outcome, eventNumber, lastKind } = transaction
  if (eventNumber === null) {
    counts.pruned += 1
    return undefined
  }
  if (state !== null && salt !== null) {
    const [column] = differingColumns(state, row, salt)
    return (
      column && `transactions.${column} differs from the state after its last leaf (${lastKind}).`
    )
  }
  counts.older += 1
  if (outcome === null || !('status' in outcome)) return undefined
  const figures = [
    ['status', row['status'], outcome['status']],
    ['settled_amount', units(row['settled_amount']), outcome['settledAmount']],
    ['refunded_amount', units(row['refunded_amount']), outcome['refundedAmount']],
  ] as const
  const wrong = figures.find(([, is, was]) => is !== was)
  return wrong && `transactions.${wrong[0]} differs from its last leaf (${lastKind}).`
}

function units(micros: string | null | undefined): number {
  return toUnits(BigInt(micros ?? '0'))
}

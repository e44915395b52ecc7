import { Readable } from 'node:stream'
import { exportProofs } from '../../audit/export-proofs.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { SignedHead } from '../../storage/audit/logs.ts'
import type { Database } from '../../storage/engine/database.ts'
import { listTransactions, type TransactionFilter } from '../../storage/transactions.ts'
import { toTransactionShape } from './shape.ts'

const ROWS_AT_ONCE = 500

/** The columns of the CSV, in order. The details of the evaluation are only in NDJSON. */
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
] as const

export interface Export {
  readonly organizationId: string
  readonly filter: TransactionFilter
  readonly format: 'csv' | 'ndjson'
  readonly at: Instant
  readonly viewer: Pick<Principal, 'agentIds'>
  /** The id of the transaction that it goes on behind. */
  readonly after: string | undefined
}

/**
 * All transactions of a filter as a stream. Pages are read only as fast as the receiver takes them.
 * Each page is its own query, so that a slow download holds no connection and no transaction open.
 */
export function exportTransactions(db: Database, request: Export) {
  const { format, at } = request
  return {
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    name: `transactions-${new Date(at).toISOString().slice(0, 10)}.${format}`,
    stream: Readable.from(toLines(db, request), { objectMode: false }),
  }
}

async function* toLines(db: Database, wanted: Export): AsyncGenerator<string> {
  const { at, format, viewer } = wanted
  const toLine = format === 'csv' ? toCsv : toNdjson
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`
  for await (const rows of readPages(db, wanted)) {
    const text = rows.map((row) => toLine(toTransactionShape(row, at, viewer))).join('')
    if (text !== '') yield text
  }
}

async function* readPages(db: Database, wanted: Export): AsyncGenerator<readonly Transaction[]> {
  const { organizationId, filter, at } = wanted
  let { after } = wanted
  do {
    const request = { limit: ROWS_AT_ONCE, offset: 0, after }
    const page = await listTransactions(db, organizationId, filter, at, request, {
      isCounted: false,
    })
    yield page.rows
    after = page.hasMore ? page.rows.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** The decisions of a filter with their proofs, in lines that `purser verify` reads. */
export function exportProven(db: Database, request: Export, head: SignedHead): Readable {
  const { organizationId } = request
  const lines = exportProofs(db, organizationId, idsOf(readPages(db, request)), head)
  return Readable.from(lines, { objectMode: false })
}

async function* idsOf(pages: AsyncIterable<readonly Transaction[]>): AsyncGenerator<string[]> {
  for await (const rows of pages) yield rows.map(({ id }) => id)
}

type Shape = ReturnType<typeof toTransactionShape>

function toNdjson(shape: Shape): string {
  return `${JSON.stringify(shape)}\n`
}

function toCsv(shape: Shape): string {
  return `${COLUMNS.map((column) => toCell(shape[column])).join(',')}\r\n`
}

/**
 * A cell that begins like a formula is shown as text: spreadsheets would run it. Some drop white
 * space before they look, and some take the signs of full width for the plain ones.
 */
function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

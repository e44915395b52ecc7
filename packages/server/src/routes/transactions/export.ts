import { Readable } from 'node:stream'
import { exportProofs } from '../../audit/export-log.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { CSV_TYPE } from '../../http/csv.ts'
import { readRequesters } from '../../storage/actor-names.ts'
import type { SignedHead } from '../../storage/audit/logs.ts'
import type { Database } from '../../storage/engine/database.ts'
import { listTransactions, type TransactionFilter } from '../../storage/list-transactions.ts'
import { readNames } from '../../storage/names.ts'
import { nextAfter } from '../../storage/page.ts'
import type { ShownTransaction } from '../../storage/transactions.ts'
import { CSV_HEADER, toCsvRow } from './csv.ts'
import { toShownShape } from './shape.ts'

const ROWS_AT_ONCE = 500

export interface Export {
  readonly organizationId: string
  readonly filter: TransactionFilter
  readonly format: 'csv' | 'ndjson'
  readonly at: Instant
  readonly viewer: Pick<Principal, 'agentIds' | 'id'>
  /** The id of the transaction after which the export continues. */
  readonly after: string | undefined
}

/**
 * All transactions that match a filter, as a stream. It reads pages only as fast as the receiver takes
 * them. Each page is its own query, so that a slow download keeps no connection or transaction open.
 */
export function exportTransactions(db: Database, request: Export) {
  const { format, at } = request
  return {
    type: format === 'csv' ? CSV_TYPE : 'application/x-ndjson; charset=utf-8',
    name: `transactions-${new Date(at).toISOString().slice(0, 10)}.${format}`,
    stream: Readable.from(toLines(db, request), { objectMode: false }),
  }
}

async function* toLines(db: Database, wanted: Export): AsyncGenerator<string> {
  const { format } = wanted
  if (format === 'csv') yield CSV_HEADER
  for await (const rows of readPages(db, wanted)) {
    if (rows.length > 0) yield await toText(db, wanted, rows)
  }
}

async function toText(
  db: Database,
  { organizationId, at, format, viewer }: Export,
  rows: readonly ShownTransaction[],
): Promise<string> {
  const requesterOf = await readRequesters(db, organizationId, rows)
  const toShape = (row: ShownTransaction): Shape => toShownShape(row, at, viewer, requesterOf(row))
  if (format === 'ndjson') return rows.map((row) => toNdjson(toShape(row))).join('')
  const nameOf = await readNames(db, organizationId, {
    agents: [],
    mandates: [...new Set(rows.flatMap(({ mandateId }) => mandateId ?? []))],
    vendors: [],
  })
  return rows.map((row) => toCsvRow(row, toShape(row), nameOf)).join('')
}

async function* readPages(
  db: Database,
  wanted: Export,
): AsyncGenerator<readonly ShownTransaction[]> {
  const { organizationId, filter, at } = wanted
  let { after } = wanted
  do {
    const request = { limit: ROWS_AT_ONCE, offset: 0, after }
    const page = await listTransactions(db, organizationId, filter, at, request, {
      isCounted: false,
    })
    yield page.rows
    after = nextAfter(page)
  } while (after !== undefined)
}

/** The decisions that match a filter with their proofs, in the format that `purser verify` reads. */
export function exportProven(db: Database, request: Export, head: SignedHead): Readable {
  const { organizationId } = request
  const lines = exportProofs(db, organizationId, idsOf(readPages(db, request)), head)
  return Readable.from(lines, { objectMode: false })
}

async function* idsOf(pages: AsyncIterable<readonly ShownTransaction[]>): AsyncGenerator<string[]> {
  for await (const rows of pages) yield rows.map(({ id }) => id)
}

type Shape = ReturnType<typeof toShownShape>

function toNdjson(shape: Shape): string {
  return `${JSON.stringify(shape)}\n`
}

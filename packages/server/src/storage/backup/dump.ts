import type { Database, Queryable, Tx } from '../engine/database.ts'
import { quoted, type Table } from './catalog.ts'

/** The values of a row as text, as PostgreSQL writes them, in the order of the columns. */
export type TextRow = readonly (string | null)[]

/** Rows are read in pages, so that memory does not grow with the table. */
const ROWS_PER_PAGE = 500
/** A page of a table waits for the disk of the reader, and a large store takes hours. */
const PAGE_TIMEOUT_MS = 600_000

/** Reads everything from one snapshot, while gateways go on writing. */
export function readSnapshot<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    await tx.query({
      text: `select set_config(name, '0', true)
             from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`,
    })
    // On a distributed store each connection to a worker has a snapshot of its own, so each worker gets
    // only one (ADR 64). Without Citus the setting has no effect.
    await tx.query({ text: 'set local citus.max_adaptive_executor_pool_size = 1' })
    return run(tx)
  })
}

/**
 * Passes all rows of a table on, page by page. Columns are read as text, which each engine writes
 * alike and reads back exactly.
 */
export async function dumpTable(
  tx: Queryable,
  { name, columns }: Table,
  onRows: (rows: readonly TextRow[]) => Promise<void>,
): Promise<void> {
  const texts = columns.map((column, at) => `${quoted(column.name)}::text as c${at}`).join(', ')
  await tx.query({
    text: `declare backup no scroll cursor for select ${texts} from ${quoted(name)}`,
  })
  for (;;) {
    const rows = await tx.query<Record<string, string | null>>({
      text: `fetch ${ROWS_PER_PAGE} from backup`,
      timeoutMs: PAGE_TIMEOUT_MS,
    })
    if (rows.length > 0) await onRows(rows.map((row) => Object.values(row)))
    if (rows.length < ROWS_PER_PAGE) break
  }
  await tx.query({ text: 'close backup' })
}

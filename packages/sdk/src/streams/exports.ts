import type { CallOptions } from '../client/call.ts'
import { readJsonLines } from '../client/lines.ts'
import { resume } from '../client/open-stream.ts'
import type { Settings } from '../client/options.ts'
import type { ExportTransactionsQuery, ListedTransaction } from '../generated/types/index.ts'

const NDJSON = 'application/x-ndjson'

/** Yields every transaction that the filters find, newest first. Resumes after a lost connection. */
export function exportTransactions(
  settings: Settings,
  query: Omit<ExportTransactionsQuery, 'format'> = {},
  options: CallOptions = {},
): AsyncGenerator<ListedTransaction> {
  let { cursor } = query
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<ListedTransaction> {
    for await (const { value } of readJsonLines<ListedTransaction>(body)) {
      cursor = value.transactionId
      yield value
    }
  }
  const request = () => ({
    method: 'GET',
    path: '/transactions/export',
    query: { ...query, format: 'ndjson', cursor },
    accept: NDJSON,
  })
  return resume(settings, { request, read, isEndless: false }, options)
}

/** Where an export of the audit log begins. */
export interface AuditExportOptions {
  /** The index of the first leaf. Default: 0. */
  readonly cursor?: number | undefined
}

/**
 * Yields the lines of an export of the audit log, in the format that `purser verify` reads: write
 * each to a file, followed by a line feed. Resumes after a lost connection with a further header.
 */
export function exportAuditLog(
  settings: Settings,
  { cursor = 0 }: AuditExportOptions = {},
  options: CallOptions = {},
): AsyncGenerator<string> {
  let next = cursor
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
    for await (const { line, value } of readJsonLines<{ type?: string }>(body)) {
      if (value.type === 'leaf') next += 1
      yield line
    }
  }
  const request = () => ({
    method: 'GET',
    path: '/audit-log',
    query: { cursor: next },
    accept: NDJSON,
  })
  return resume(settings, { request, read, isEndless: false }, options)
}

import type { Queryable } from '../engine/queryable.ts'
import { LONG_MS } from './long-transaction.ts'

/**
 * Lets Citus know a table that stays on the coordinator. Only then does it commit a transaction that
 * writes this table and a worker in two phases. Otherwise a coordinator that crashes between the commit
 * of the worker and its own would keep one part without the other (ADR 67).
 */
export async function registerTable(tx: Queryable, name: string): Promise<void> {
  await tx.query({
    text: 'select citus_add_local_table_to_metadata($1::text::regclass)',
    values: [name],
    timeoutMs: LONG_MS,
  })
}

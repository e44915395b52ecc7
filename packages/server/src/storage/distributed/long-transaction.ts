import type { Database, Tx } from '../engine/queryable.ts'

/** A table with years of transactions takes hours to copy. */
export const LONG_MS = 24 * 3_600_000

/** Runs a transaction whose statements may take hours. */
export function takingLong<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: `select set_config(name, '0', true)
             from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`,
    })
    return run(tx)
  })
}

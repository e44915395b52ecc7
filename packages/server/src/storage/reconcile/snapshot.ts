import type { Database, Tx } from '../engine/database.ts'

/** A longer one would keep versions of rows that every decision replaces. */
const SECONDS_MAX = 5

/**
 * Runs in one committed moment: what a transaction has written and its place in the feed are seen together,
 * or neither is. Nothing is written, and nothing is waited for.
 */
export function inSnapshot<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction((tx) => {
    tx.send({ text: 'set transaction isolation level repeatable read, read only' })
    tx.send({ text: `set local statement_timeout = '${SECONDS_MAX}s'` })
    return run(tx)
  })
}

import type { Database, Tx } from '../engine/database.ts'

/** A longer snapshot would keep old versions of rows that every decision replaces. */
const SECONDS_MAX = 5

/**
 * Runs in one committed snapshot: it sees both a transaction's writes and their place in the feed,
 * or neither. It writes nothing and waits for no lock.
 */
export function inSnapshot<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction((tx) => {
    tx.send({ text: 'set transaction isolation level repeatable read, read only' })
    tx.send({ text: `set local statement_timeout = '${SECONDS_MAX}s'` })
    return run(tx)
  })
}

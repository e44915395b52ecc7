import type { Stop } from './connection-places.ts'
import { type Database, type Tx, transactionFor } from './queryable.ts'
import { isDeadlock } from './storage-error.ts'

/** The first run and its retries. Locks have one order, so a second deadlock in a row is rare. */
const TRIES_MAX = 5

/**
 * Runs a requested change in a transaction, and retries it after a deadlock, so that the caller does not
 * have to. `run` may therefore run several times: its effects outside of the transaction must be
 * idempotent.
 */
export function repeatedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  organizationId: string,
  run: (tx: Tx) => Promise<T>,
  /** Set if the change is a stop. */
  stop?: Stop,
): Promise<T> {
  return retryDeadlocks(() => transactionFor(db, organizationId, run, stop))
}

/** The same for a transaction of all organizations. */
export async function retryDeadlocks<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact()
    } catch (error) {
      if (tries === TRIES_MAX || !isDeadlock(error)) throw error
    }
  }
}

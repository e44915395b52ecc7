import type { Stop } from './connection-places.ts'
import { type Database, type Tx, transactionFor } from './queryable.ts'
import { isDeadlock } from './storage-error.ts'

/** Once, and so often again. Locks have one order, so a second deadlock in a row is rare. */
const TRIES_MAX = 5

/**
 * A transaction for a change that somebody asked for. If it and another one waited for each other,
 * the database has undone it, and it runs again: nobody is told to come back for that. What `run`
 * does outside of the transaction must bear being done again.
 */
export async function repeatedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  organizationId: string,
  run: (tx: Tx) => Promise<T>,
  /** Set where the change stops spending. */
  stop?: Stop,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactionFor(db, organizationId, run, stop)
    } catch (error) {
      if (tries === TRIES_MAX || !isDeadlock(error)) throw error
    }
  }
}

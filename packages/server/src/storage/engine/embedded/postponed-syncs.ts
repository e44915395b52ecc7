import type { Queryable } from '../queryable.ts'

/**
 * Lets commits return before they are on disk, until the returned function is called. Only the demo
 * calls it, while it makes its past: a past that is not finished is made again. The setting belongs
 * to the only session of the embedded database, and a new session syncs again.
 */
export async function postponeSyncs(db: Queryable): Promise<() => Promise<void>> {
  await db.query({ text: 'set synchronous_commit = off' })
  return async () => {
    await db.query({ text: 'set synchronous_commit = on' })
  }
}

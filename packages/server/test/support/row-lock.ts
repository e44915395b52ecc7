import type { Database, Statement } from '../../src/storage/engine/database.ts'

/** For a transaction that does nothing on purpose, and for as long as the test likes. */
export const STAYS_OPEN: Statement = {
  text: 'set local idle_in_transaction_session_timeout = 0',
}

/** Runs a statement in a transaction of its own, which stays open until the test lets it go. */
export async function holdLocks(
  db: Database,
  statement: Statement,
): Promise<{ release(): Promise<void> }> {
  let letGo: () => void = () => {}
  const end = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let held: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    held = db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query(statement)
      resolve()
      await end
    })
    held.catch(reject)
  })
  return {
    async release() {
      letGo()
      await held
    },
  }
}

/** Keeps everybody else from changing a mandate; its id is the API's. */
export function lockMandateRow(db: Database, mandateId: string) {
  const values = [mandateId.replace(/^mnd_/, '')]
  return holdLocks(db, { text: 'select 1 from mandates where id = $1 for update', values })
}

/** How many connections of this database wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const text = `select 1 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`
  return (await db.query({ text })).length
}

/** How many advisory locks of this database are held; other tests lock in databases of their own. */
export async function countAdvisoryLocks(db: Database): Promise<number> {
  const text = `select 1 from pg_locks l join pg_database d on d.oid = l.database
                where d.datname = current_database() and l.locktype = 'advisory'`
  return (await db.query({ text })).length
}

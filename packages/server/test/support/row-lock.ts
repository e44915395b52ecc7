import type { Database, Statement } from '../../src/storage/engine/database.ts'

/** For a transaction that is deliberately idle for as long as the test needs. */
export const STAYS_OPEN: Statement = {
  text: 'set local idle_in_transaction_session_timeout = 0',
}

/** Runs a statement in its own transaction, which stays open until the test releases it. */
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

/** Blocks all other changes of a mandate; its id is the public one. */
export function lockMandateRow(db: Database, mandateId: string) {
  const values = [mandateId.replace(/^mnd_/, '')]
  return holdLocks(db, { text: 'select 1 from mandates where id = $1 for update', values })
}

/** Counts the connections of this database that wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const text = `select 1 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`
  return (await db.query({ text })).length
}

/** Counts the advisory locks held in this database; other tests use their own databases. */
export async function countAdvisoryLocks(db: Database): Promise<number> {
  const text = `select 1 from pg_locks l join pg_database d on d.oid = l.database
                where d.datname = current_database() and l.locktype = 'advisory'`
  return (await db.query({ text })).length
}

import type { Database, Session, Statement, Tx } from '../../src/storage/engine/database.ts'

/**
 * Wraps the database: a caller that has sent a matching statement in a transaction continues only
 * after the hook. So other work can happen in between, however quick the caller is.
 */
export function pauseAfter(
  db: Database,
  isLike: (text: string) => boolean,
  hook: () => Promise<void>,
): Database {
  return {
    ...db,
    async transaction(run, afterwards, organizationId) {
      let isPaused = false
      const watched = watchDatabase(db, (text) => {
        isPaused ||= isLike(text)
      })
      const result = await watched.transaction(run, afterwards, organizationId)
      if (isPaused) await hook()
      return result
    },
  }
}

/** Wraps the database so that it reports every statement. */
export function watchDatabase(
  db: Database,
  onStatement: (text: string, statement: Statement) => void,
): Database {
  const told = (statement: Statement): Statement => {
    onStatement(statement.text, statement)
    return statement
  }
  const watchTx = (tx: Tx): Tx => ({
    isTransaction: true,
    query: (statement) => tx.query(told(statement)),
    send: (statement) => tx.send(told(statement)),
    sendLast: (statement) => tx.sendLast(told(statement)),
  })
  const watchSession = (session: Session): Session => ({
    query: (statement) => session.query(told(statement)),
    transaction: (run) => session.transaction((tx) => run(watchTx(tx))),
  })
  return {
    ...db,
    query: (statement) => db.query(told(statement)),
    transaction: (run, afterwards, organizationId) =>
      db.transaction(
        (tx) => run(watchTx(tx)),
        afterwards && ((session, isCommitted) => afterwards(watchSession(session), isCommitted)),
        organizationId,
      ),
  }
}

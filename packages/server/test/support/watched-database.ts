import type { Database, Session, Statement, Tx } from '../../src/storage/engine/database.ts'

/** The same database, which reports every statement that is sent to it. */
export function watchDatabase(db: Database, onStatement: (text: string) => void): Database {
  const told = (statement: Statement): Statement => {
    onStatement(statement.text)
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

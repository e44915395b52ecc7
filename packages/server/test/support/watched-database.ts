import type { Database, Statement, Tx } from '../../src/storage/engine/database.ts'

/** The same database, of which somebody is told every statement that it is sent. */
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
  return {
    ...db,
    query: (statement) => db.query(told(statement)),
    transaction: (run) => db.transaction((tx) => run(watchTx(tx))),
  }
}

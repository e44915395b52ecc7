import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Statement, Tx } from '../../src/storage/engine/database.ts'
import { createTestAppOn, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { aSubscriber } from '../support/webhooks.ts'

/** The same database, which tells what each transaction sent once it has ended. */
function tellTransactions(db: Database, tell: (names: readonly string[]) => void): Database {
  return {
    ...db,
    transaction: async (run, afterwards) => {
      const names: string[] = []
      const noted = (statement: Statement): Statement => {
        names.push(statement.name ?? '')
        return statement
      }
      const watch = (tx: Tx): Tx => ({
        isTransaction: true,
        query: (statement) => tx.query(noted(statement)),
        send: (statement) => tx.send(noted(statement)),
        sendLast: (statement) => tx.sendLast(noted(statement)),
      })
      const result = await db.transaction((tx) => run(watch(tx)), afterwards)
      tell(names)
      return result
    },
  }
}

describe('the events of a decision', () => {
  let app: TestApp
  let receiver: Receiver
  let decisions: (readonly string[])[] = []

  beforeAll(async () => {
    receiver = await startReceiver()
    const database = await createTestDatabase()
    const db = tellTransactions(database.db, (names) => {
      if (names.includes('store-decision'))
        decisions.push(names.filter((name) => /event/.test(name)))
    })
    app = await createTestAppOn(database, db)
  })
  afterAll(async () => {
    await app.stop()
    await receiver.close()
  })
  beforeEach(() => {
    decisions = []
  })

  test('are one statement where nobody receives them', async () => {
    const acme = await app.organization()
    await evaluate(acme, (await anActiveMandate(acme)).agentId)
    expect(decisions).toEqual([['store-transaction-event']])
  })

  test('are one more where they are queued, and none more for those of budgets', async () => {
    const acme = await aSubscriber(app, receiver)
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await evaluate(acme, agentId, { amount: 70 })
    expect(decisions).toEqual([
      ['store-transaction-event', 'queue-events'],
      ['store-transaction-event', 'store-events', 'queue-events'],
    ])
  })
})

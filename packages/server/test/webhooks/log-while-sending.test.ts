import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Queryable, Statement } from '../../src/storage/engine/database.ts'
import { findDelivery } from '../../src/storage/webhooks/deliveries.ts'
import { listDeliveries } from '../../src/storage/webhooks/list-deliveries.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { queueForLater, takeUp } from '../support/webhook-queue.ts'

const EVERYTHING = {
  ...{ status: undefined, kind: undefined, from: undefined, to: undefined },
  ...{ eventIds: undefined, isTest: undefined, endpointId: undefined },
}
const FIRST_PAGE = { limit: 50, offset: 0, after: undefined }

/**
 * Deliveries that nobody has got to yet and those that were tried are read from different tables. One
 * that moves from the first to the second while somebody looks must be seen, and once.
 */
describe('the delivery log', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    acme = await app.organization()
  })

  /** A database that answers one query at a time, and on which all is taken up after this many. */
  function takingUpAfter(answers: number): Queryable {
    let answered = 0
    let last: Promise<unknown> = Promise.resolve()
    async function answer<Row>(statement: Statement): Promise<Row[]> {
      const rows = await app.database.db.query<Row>(statement)
      answered += 1
      if (answered === answers) await takeUp(app, acme)
      return rows
    }
    return {
      query: <Row>(statement: Statement): Promise<Row[]> => {
        const rows = last.then(() => answer<Row>(statement))
        last = rows
        return rows
      },
    }
  }

  test.each([1, 2, 3])('lists one that is taken up after answer %d, once', async (answers) => {
    const id = await queueForLater(app, acme)
    const db = takingUpAfter(answers)
    const { rows } = await listDeliveries(db, acme.organizationId, EVERYTHING, FIRST_PAGE)
    expect(rows.map((row) => row.id)).toEqual([id])
  })

  test('finds one that is taken up after the first answer', async () => {
    const id = await queueForLater(app, acme)
    const found = await findDelivery(takingUpAfter(1), acme.organizationId, id)
    expect(found).toMatchObject({ id, status: 'pending' })
  })
})

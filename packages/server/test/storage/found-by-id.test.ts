import { afterAll, beforeAll, expect, test } from 'vitest'
import { idAt } from '../../src/core/id.ts'
import { listAskingSpends } from '../../src/storage/approvals/context.ts'
import { findDecisionFacts } from '../../src/storage/audit/sources.ts'
import type { Queryable, Statement } from '../../src/storage/engine/database.ts'
import { ensurePartitions } from '../../src/storage/engine/partitions.ts'
import { findEvents } from '../../src/storage/webhooks/read-events.ts'
import {
  createTestDatabase,
  describeOnUsualEngine,
  type TestDatabase,
} from '../support/database.ts'
import { readWork } from '../support/read-plans.ts'

/*
 * PostgreSQL keeps a plan for each named statement. It may not know the ids of a page, and would
 * then look for each of them in every month of the history.
 */
const ORGANIZATION = '019a8561-7c5e-7d40-9b5e-000000000001'
const MONTH = Date.UTC(2041, 0, 10)
const KEPT_PLAN: Statement = { text: 'set local plan_cache_mode = force_generic_plan' }

const FOUND_BY_ID: readonly [
  rows: string,
  find: (db: Queryable, organizationId: string, ids: readonly string[]) => Promise<unknown>,
  partitions: readonly string[],
][] = [
  ['the facts of decisions', findDecisionFacts, ['transactions_2041_01']],
  ['the events of deliveries', findEvents, ['webhook_events_2041_01', 'transactions_2041_01']],
  ['the spends of approvals', listAskingSpends, ['transactions_2041_01']],
]

describeOnUsualEngine('rows of a page that are read by id', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(engine)
    for (const month of [-2, 0]) await ensurePartitions(database.db, Date.UTC(2041, month))
  })
  afterAll(() => database.drop())

  test.each(FOUND_BY_ID)('read %s from their month alone', async (_rows, find, partitions) => {
    const sent: Statement[] = [KEPT_PLAN]
    const ids = [idAt(MONTH + 2), idAt(MONTH), idAt(MONTH + 1)]
    const { db } = database
    await find(
      {
        query: (statement) => {
          sent.push(statement)
          return db.query(statement)
        },
      },
      ORGANIZATION,
      ids,
    )
    const work = await readWork(db, sent)
    const read = work.flatMap(({ plan }) => plan.match(/(?<="Relation Name": ")\w+/g) ?? [])
    expect(read.toSorted()).toEqual(partitions.toSorted())
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable, Statement } from '../../../src/storage/engine/database.ts'
import { listDeliveries } from '../../../src/storage/webhooks/list-deliveries.ts'
import { countFailed, listNextFailed } from '../../../src/storage/webhooks/redeliveries.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { readWork } from '../../support/read-plans.ts'

const SUCCEEDED = 20_000
const FAILED = 3
const FIRST = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const RANGE = { from: null, to: Date.parse('2100-01-01'), afterId: FIRST, endId: LAST }

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  const text = `
    insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at)
    select $1, gen_random_uuid(), 'transaction.approved', '{}', $2, 1, now()
    from generate_series(1, $3)`
  await app.rows(text, [acme.organizationId, 'succeeded', SUCCEEDED])
  await app.rows(text, [acme.organizationId, 'failed', FAILED])
  await app.rows('analyze webhook_deliveries')
})
afterAll(() => app.stop())

/** The pages that the statements touch in the database, and the result. */
async function workOf<Result>(run: (db: Queryable) => Promise<Result>) {
  const { db } = app.database
  const sent: Statement[] = []
  const result = await run({
    query: (statement) => {
      sent.push(statement)
      return db.query(statement)
    },
  })
  const work = await readWork(db, sent)
  return { result, pages: Math.max(...work.map(({ pages }) => pages)) }
}

test('failed deliveries are found without a look at the others', async () => {
  const { organizationId } = acme
  const filter = { status: 'failed', kind: undefined, from: undefined, to: undefined } as const
  const any = { eventIds: undefined, isTest: undefined, endpointId: undefined }
  const page = { limit: 50, offset: 0, after: undefined }
  const listed = await workOf((db) =>
    listDeliveries(db, organizationId, { ...filter, ...any }, page),
  )
  expect(listed.result.total).toBe(FAILED)
  const counted = await workOf((db) =>
    countFailed(db, organizationId, RANGE, [organizationId], 100),
  )
  expect(counted.result).toBe(FAILED)
  const next = await workOf((db) =>
    listNextFailed(db, organizationId, RANGE, [organizationId], 100),
  )
  expect(next.result).toHaveLength(FAILED)
  // The whole table has more than 200 pages.
  for (const { pages } of [listed, counted, next]) expect(pages).toBeLessThan(60)
})

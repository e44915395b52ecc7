import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDeliveryBacklog, readPausedBacklog } from '../../../src/storage/backlogs.ts'
import type { Queryable, Statement } from '../../../src/storage/engine/database.ts'
import { listDueLanes } from '../../../src/storage/webhooks/lanes.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { readWork } from '../../support/read-plans.ts'

/* Long queues of paused endpoints: one of an only endpoint, one of a second endpoint. */

const LENGTH = 10_000
/** In the future, so that the dispatcher of the app takes none of the entries. */
const DUE_AT = '2090-11-01T00:00:00Z'
const NOW = Date.parse('2090-11-18T00:00:00Z')

let app: TestApp
let only: Owner
let several: Owner
let busy: Owner
beforeAll(async () => {
  app = await createTestApp()
  ;[only, several, busy] = [
    await app.organization('Only'),
    await app.organization('Several'),
    await app.organization('Busy'),
  ]
  const second = '00000000-0000-4000-8000-000000000002'
  await app.rows('update organizations set webhook_kinds = $2 where id = $1', [
    several.organizationId,
    ['transaction.approved'],
  ])
  for (const [{ organizationId }, id] of [
    [only, only.organizationId],
    [several, second],
  ] as const) {
    await app.rows(
      `insert into webhook_endpoints (organization_id, id, is_paused, paused_at)
       values ($1, $2, true, now())`,
      [organizationId, id],
    )
  }
  await queue(only, null, LENGTH)
  await queue(several, second, LENGTH)
  await queue(busy, null, 1)
  await app.rows('analyze webhook_queue')
})
afterAll(() => app.stop())

async function queue({ organizationId }: Owner, endpointId: string | null, count: number) {
  await app.rows(
    `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at,
                                endpoint_id)
     select $1, gen_random_uuid(), gen_random_uuid(), n, false,
            $2::timestamptz + n * interval '1 second', $3
     from generate_series(1, $4::integer) n`,
    [organizationId, DUE_AT, endpointId, count],
  )
}

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

test('long queues of paused endpoints cost the dispatcher nothing, and only active lanes are due', async () => {
  const { result, pages } = await workOf((db) => listDueLanes(db, NOW))
  const { organizationId } = busy
  expect(result).toEqual([{ organizationId, endpointId: null, isShared: false }])
  // The queue has hundreds of pages.
  expect(pages).toBeLessThan(60)
})

test('the metrics show their length up to a bound, and the age of the oldest', async () => {
  const { db } = app.database
  const since = Date.parse(DUE_AT) + 1_000
  expect(await readPausedBacklog(db)).toEqual({ count: 10_001, since })
  expect(await readDeliveryBacklog(db, NOW)).toEqual({ count: 10_001, since })
  await app.rows('delete from webhook_queue where number > 3')
  expect(await readPausedBacklog(db)).toEqual({ count: 6, since })
  await app.rows('update webhook_endpoints set paused_at = null, is_paused = false')
  expect(await readPausedBacklog(db)).toEqual({ count: 0, since: null })
})

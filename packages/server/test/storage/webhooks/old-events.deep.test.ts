import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database, Statement } from '../../../src/storage/engine/database.ts'
import { listRetentions, type OrganizationRetention } from '../../../src/storage/retention.ts'
import { sweepEvents } from '../../../src/upkeep/sweep-events.ts'
import { countAll } from '../../support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { leavesOf, sealAll } from '../../support/audit-log.ts'
import { anActiveMandate, DAY_MS } from '../../support/builders.ts'
import { storeRejections } from '../../support/bulk-decisions.ts'
import { readWork } from '../../support/read-plans.ts'
import { evaluate } from '../../support/spends.ts'

/* Old events that a paused endpoint keeps, because they are still to be sent. */

/** After the retention period of a new organization. */
const LATER = Date.now() + 500 * DAY_MS
const HOUR_MS = 3_600_000
/** A second endpoint. */
const SECOND = '00000000-0000-4000-8000-000000000002'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await anOrganization()
})

/** Its endpoints are paused, so the dispatcher leaves all entries alone. */
async function anOrganization(): Promise<Owner> {
  const owner = await app.organization()
  await app.rows(
    `insert into webhook_endpoints (organization_id, id, is_paused, paused_at)
     values ($1, $1, true, now()), ($1, $2, true, now())`,
    [owner.organizationId, SECOND],
  )
  return owner
}

/** Stores old events in a multiple of 500, with the entries of a paused first endpoint. */
async function queueOld(count: number) {
  const { agentId } = await anActiveMandate(acme)
  for (let stored = 0; stored < count; stored += 500) {
    await storeRejections(app.database.db, acme.organizationId, agentId, 500)
  }
  await sealAll(app)
  await countAll(app)
  await app.rows('analyze webhook_events, webhook_queue')
}

/** Adds an entry of a further endpoint for each entry of a decision. Its id is as old. */
async function queueForFurther() {
  await app.rows(
    `insert into webhook_queue (organization_id, id, delivery_id, endpoint_id, event_id, number,
                                is_manual, due_at)
     select q.organization_id, n.id, n.id, $2, q.event_id, q.number, false, q.due_at
     from webhook_queue q, lateral (
       select (left(q.id::text, 24) || right(md5(q.id::text), 12))::uuid as id) n
     where q.organization_id = $1`,
    [acme.organizationId, SECOND],
  )
  await app.rows('analyze webhook_queue')
}

async function retentionOfAcme(): Promise<OrganizationRetention> {
  const all = await listRetentions(app.database.db, '00000000-0000-0000-0000-000000000000', 100)
  const mine = all.find(({ organizationId }) => organizationId === acme.organizationId)
  if (!mine) throw new Error('The organization has no retention period.')
  return mine
}

/** One turn, with the statements that it sent outside of transactions. */
async function sweep(now = LATER, isGoingOn = false) {
  const { db } = app.database
  const sent: Statement[] = []
  const watched: Database = {
    ...db,
    query: (statement) => {
      sent.push(statement)
      return db.query(statement)
    },
  }
  const removed = { attempts: 0, urls: 0, deliveries: 0, events: 0 }
  const turn = { removed, isGoingOn, isStopping: () => false }
  const isDone = await sweepEvents(watched, await retentionOfAcme(), now, turn)
  return { isDone, removed, sent }
}

async function countEvents(): Promise<number> {
  const text = 'select count(*)::int as count from webhook_events where organization_id = $1'
  const [row] = await app.rows<{ count: number }>(text, [acme.organizationId])
  return row?.count ?? 0
}

async function countPruned(): Promise<number> {
  const leaves = await leavesOf(app, acme)
  return leaves.filter(({ kind }) => kind === 'change.organization.pruned').length
}

test('a statement reads a bounded number of pages, however long the queue is', async () => {
  const pagesAt = async (count: number) => {
    await queueOld(count)
    await queueForFurther()
    const { sent } = await sweep()
    const work = await readWork(app.database.db, sent)
    expect(work.flatMap(({ wholeTables }) => wholeTables)).not.toContain('webhook_queue')
    return Math.max(...work.map(({ pages }) => pages))
  }
  const short = await pagesAt(1_000)
  acme = await anOrganization()
  const long = await pagesAt(4_000)
  expect(long).toBeLessThan(1.5 * short)
})

test('a further turn reads none of the events that were kept, and records no removal', async () => {
  await queueOld(1_500)
  const first = await sweep()
  expect(first).toMatchObject({ isDone: true, removed: { events: 0 } })
  const second = await sweep(LATER + HOUR_MS - 1)
  // One statement found that no event is behind the position.
  expect(second.sent).toHaveLength(1)
  await sealAll(app)
  expect(await countPruned()).toBe(0)
})

test('events behind those that were kept are removed at once', async () => {
  await queueOld(500)
  await sweep()
  const { agentId } = await anActiveMandate(acme, { name: 'Later' })
  await storeRejections(app.database.db, acme.organizationId, agentId, 500)
  await app.rows('delete from webhook_queue where organization_id = $1 and number > 600', [
    acme.organizationId,
  ])
  await sealAll(app)
  await countAll(app)
  const before = await countEvents()
  const { removed } = await sweep(LATER + 1)
  expect(removed.events).toBeGreaterThan(300)
  expect(await countEvents()).toBe(before - removed.events)
})

test('events that were sent meanwhile are removed an hour later', async () => {
  await queueOld(1_000)
  await queueForFurther()
  await sweep()
  const kept = await countEvents()
  const { organizationId } = acme
  // The first endpoint has got its events; a further one still waits.
  await app.rows('delete from webhook_queue where organization_id = $1 and id = event_id', [
    organizationId,
  ])
  await sweep(LATER + HOUR_MS)
  expect(await countEvents()).toBe(kept)
  await app.rows('delete from webhook_queue where organization_id = $1', [organizationId])
  await sweep(LATER + 2 * HOUR_MS - 1)
  expect(await countEvents()).toBe(kept)
  const { removed } = await sweep(LATER + 2 * HOUR_MS)
  expect([removed.events, await countEvents()]).toEqual([kept, 0])
  expect(await retentionOfAcme()).toMatchObject({ eventsTo: null, againAt: null })
  await sealAll(app)
  expect(await countPruned()).toBe(1)
})

test('a turn has a bounded length, and the next one continues where it ended', async () => {
  await queueOld(10_500)
  const first = await sweep()
  expect(first.isDone).toBe(false)
  const { eventsTo } = await retentionOfAcme()
  expect(eventsTo).not.toBeNull()
  // The pass goes on, even if it lasts for more than an hour.
  const second = await sweep(LATER + HOUR_MS, true)
  expect(second.isDone).toBe(true)
  expect((await retentionOfAcme()).eventsTo?.localeCompare(eventsTo ?? '')).toBe(1)
})

test('deliveries that are still to be sent stay with their events', async () => {
  await queueOld(500)
  await queueForFurther()
  const { organizationId } = acme
  // Each entry has been tried; those of the first endpoint are queued again by a person.
  await app.rows(
    `insert into webhook_deliveries (organization_id, id, kind, status, attempts, created_at,
                                     event_id, endpoint_id)
     select q.organization_id, q.id, 'transaction.rejected', 'pending', 1, now(),
            case when q.delivery_id is not null then q.event_id end, q.endpoint_id
     from webhook_queue q where q.organization_id = $1`,
    [organizationId],
  )
  await app.rows(
    `update webhook_queue set id = gen_random_uuid(), is_manual = true
     where organization_id = $1 and id = event_id`,
    [organizationId],
  )
  expect((await sweep()).removed).toMatchObject({ deliveries: 0, events: 0 })
  await app.rows(
    'delete from webhook_queue where organization_id = $1 and delivery_id is not null',
    [organizationId],
  )
  const next = await sweep(LATER + HOUR_MS)
  expect(next.removed).toMatchObject({ deliveries: await countEntries(), events: 0 })
})

async function countEntries(): Promise<number> {
  const text = 'select count(*)::int as count from webhook_queue where organization_id = $1'
  const [row] = await app.rows<{ count: number }>(text, [acme.organizationId])
  return row?.count ?? 0
}

test('a decision writes nothing into the index that removal needs', async () => {
  const pages = async () => {
    const [row] = await app.rows<{ size: number }>(
      "select pg_relation_size('webhook_queue_by_event')::int as size",
    )
    return row?.size
  }
  await app.rows('delete from webhook_queue')
  await app.rows('reindex index webhook_queue_by_event')
  const empty = await pages()
  const { agentId } = await anActiveMandate(acme)
  await evaluate(acme, agentId)
  await storeRejections(app.database.db, acme.organizationId, agentId, 500)
  expect(await pages()).toBe(empty)
  await queueForFurther()
  expect(await pages()).toBeGreaterThan(empty ?? 0)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OPERATOR } from '../../src/core/actor.ts'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { type Reconciled, reconcile } from '../../src/operator/reconcile.ts'
import { recordChange } from '../../src/storage/changes.ts'
import { readMigrations } from '../../src/storage/engine/migrate.ts'
import { lockOrganization, updateOrganization } from '../../src/storage/organizations.ts'
import { startRetention } from '../../src/upkeep/retention.ts'
import { units } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { createPathGateway, inPlace } from '../support/path-gateway.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  acme = await app.organization()
})

function run(): Promise<Reconciled> {
  return reconcile(app.database, toPublicId('org', acme.organizationId))
}

/** Makes unsealed rows look as if an older gateway had stored them. */
async function asIfOlder(): Promise<void> {
  const own = [acme.organizationId]
  const after = `(select coalesce(max(last_number), 0) from audit_logs where organization_id = $1)`
  await app.rows(
    `delete from webhook_events
     where organization_id = $1 and kind = 'transaction.adjusted' and number > ${after}`,
    own,
  )
  await app.rows(
    `update webhook_events set state = null, salt = null, commitment = null
     where organization_id = $1 and state is not null and number > ${after}`,
    own,
  )
  await app.rows(
    `update changes set state = null, salt = null, commitment = null
     where organization_id = $1 and number > ${after}`,
    own,
  )
}

async function update(): Promise<void> {
  await asIfOlder()
  const { sql = '' } = (await readMigrations()).find(({ name }) => name === 'what-was-pruned') ?? {}
  await app.rows(sql)
  await sealAll(app)
}

const LIMIT = { type: 'limit', maxAmount: 900, window: 'day' }

test('versions from before an update are counted, and later versions are compared', async () => {
  const { id } = await anActiveMandate(acme)
  await update()
  for (const maxAmount of [800, 700]) {
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ ...LIMIT, maxAmount }] }))
  }
  await sealAll(app)
  const { kind, text, counts } = await run()
  expect({ kind, text }).toEqual({ kind: 'agrees', text: null })
  expect(counts.older).toBeGreaterThan(0)

  const edit = (version: number) =>
    app.rows(`update mandate_versions set rules = '[]' where mandate_id = $1 and version = $2`, [
      toUuid('mnd', id),
      version,
    ])
  await edit(2)
  expect((await run()).text).toMatch(/^Version 2 of mnd_/)
})

test('a version that no change created differs', async () => {
  const { id } = await anActiveMandate(acme)
  bodyOf(await acme.patch(`/mandates/${id}`, { rules: [LIMIT] }))
  await sealAll(app)
  await app.rows(
    `insert into mandate_versions select (jsonb_populate_record(v, '{"version": 3}')).*
     from mandate_versions v where v.mandate_id = $1 and v.version = 2`,
    [toUuid('mnd', id)],
  )
  expect((await run()).text).toMatch(/^Version 3 of mnd_/)
})

test('a version that an older gateway made beside a newer one is counted', async () => {
  const { id } = await anActiveMandate(acme)
  await sealAll(app)
  bodyOf(await acme.patch(`/mandates/${id}`, { rules: [LIMIT] }))
  await asIfOlder()
  await sealAll(app)
  bodyOf(await acme.patch(`/mandates/${id}`, { rules: [] }))
  await sealAll(app)
  const { kind, text, counts } = await run()
  expect({ kind, text, older: counts.older }).toEqual({ kind: 'agrees', text: null, older: 1 })
})

test('a row that an older gateway changed last is counted', async () => {
  const agent = bodyOf(await acme.post('/agents', { name: 'First' }))
  await sealAll(app)
  bodyOf(await acme.patch(`/agents/${agent.id}`, { name: 'Second' }))
  await asIfOlder()
  await sealAll(app)
  const { kind, text, counts } = await run()
  expect({ kind, text, older: counts.older }).toEqual({ kind: 'agrees', text: null, older: 1 })
})

test('holds that were raised or partially captured before an update are counted', async () => {
  const { agentId } = await anActiveMandate(acme)
  const hold = { amount: 10, hold: { expiresIn: '1h' } }
  const held = [await evaluate(acme, agentId, hold), await evaluate(acme, agentId, hold)]
  const [raised, captured] = held.map(({ transactionId }) => toUuid('txn', transactionId) ?? '')
  const gateway = createPathGateway(app)
  await inPlace(app, acme, raised ?? '', (place) => gateway.raise(place, units(3)))
  await inPlace(app, acme, captured ?? '', (place) =>
    gateway.capture(place, { amount: units(4), isFinal: false }),
  )
  await gateway.stop()
  await update()
  const { kind, text, counts } = await run()
  expect({ kind, text }).toEqual({ kind: 'agrees', text: null })
  expect(counts.older).toBeGreaterThanOrEqual(2)

  const untouched = await evaluate(acme, agentId, hold)
  await sealAll(app)
  await app.rows('update transactions set held_amount = 1 where id = $1', [
    toUuid('txn', untouched.transactionId),
  ])
  expect((await run()).text).toMatch(/^transactions\.held_amount/)
})

test('counters agree if an older gateway stored parts without their refunds', async () => {
  const { agentId } = await anActiveMandate(acme, { rules: [{ ...LIMIT, window: '24h' }] })
  const spend = { amount: 10, hold: { expiresIn: '1d' } }
  const { transactionId } = await evaluate(acme, agentId, spend)
  const id = toUuid('txn', transactionId) ?? ''
  const gateway = createPathGateway(app)
  app.clock.now = Date.now() + DAY_MS / 4
  await inPlace(app, acme, id, (place) => gateway.raise(place, units(3)))
  await gateway.stop()
  bodyOf(await acme.post(`/transactions/${transactionId}/settle`))
  bodyOf(await acme.post(`/transactions/${transactionId}/refund`, { amount: 1 }))
  app.clock.now = undefined
  await app.rows(
    `update transactions t
     set later_parts = (select jsonb_agg(p.part - 3) from jsonb_array_elements(t.later_parts) as p (part))
     where t.id = $1`,
    [id],
  )
  await asIfOlder()
  await sealAll(app)
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
})

test('retention that runs during a change of the organization commits to the final state', async () => {
  const { agentId } = await anActiveMandate(acme)
  await evaluate(acme, agentId)
  bodyOf(await acme.patch('/organization', { retention: { eventsDays: 7 } }))
  await sealAll(app)
  const { db } = app.database
  const { organizationId } = acme
  // Analytics does not run here, and retention keeps events that a book has not counted.
  await app.rows('delete from analytics_books where organization_id = $1', [organizationId])
  const clock = async () => Date.now() + 500 * DAY_MS
  const retention = startRetention({ db, clock, log: silentLog })
  let sweeping: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    const at = Date.now()
    const name = 'Renamed'
    const before = await lockOrganization(tx, organizationId)
    await updateOrganization(tx, before, { name }, at, 'cli')
    recordChange(tx, organizationId, OPERATOR, {
      operation: 'organization.updated',
      subjectId: toPublicId('org', organizationId),
      at,
      before: { name: before.name },
      after: { name },
    })
    await tx.query({
      text: 'select 1 from event_feeds where organization_id = $1 for update',
      values: [organizationId],
    })
    sweeping = retention.round()
    await waitUntil(async () => {
      const waiting = await app.rows(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    })
  })
  await sweeping
  await retention.stop()
  await sealAll(app)
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
})

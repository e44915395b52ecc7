import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { type Reconciled, reconcile } from '../../src/reconcile.ts'
import { readMigrations } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'

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

/** What was stored and is not sealed yet looks as an older gateway would have stored it. */
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

test('versions of before an update are counted, and those of after it are compared', async () => {
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

test('a version that nobody made differs', async () => {
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

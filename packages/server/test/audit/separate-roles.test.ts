import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { ensurePartitions } from '../../src/storage/engine/partitions.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { startRetention } from '../../src/upkeep/retention.ts'
import { countAll } from '../support/analytics.ts'
import { createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { headOf, leavesOf, rootOf, sealAll } from '../support/audit-log.ts'
import { anActiveMandate, DAY_MS } from '../support/builders.ts'
import {
  createEmptyPostgresDatabase,
  describeOnPostgres,
  onServer,
  type TestDatabase,
} from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'

const GUIDE = new URL('../../../../docs/guide-audit.md', import.meta.url)

describeOnPostgres('with the roles of docs/guide-audit.md', () => {
  let database: TestDatabase
  let service: Database
  let app: TestApp
  let acme: Owner
  let names: { readonly service: string; readonly log: string }

  beforeAll(async () => {
    database = await createEmptyPostgresDatabase()
    const name = new URL(database.url).pathname.slice(1)
    // Roles belong to the server, which other tests use meanwhile.
    names = { service: `service_${name}`, log: `log_${name}` }
    await asOperator(`create role ${names.service} login`)
    await asOperator(`alter database ${name} owner to ${names.service}`)
    await asOperator(`grant usage, create on schema public to ${names.service}`)
    const url = Object.assign(new URL(database.url), { username: names.service, password: '' })
    service = await openPostgres({ url: url.href }, silentLog)
    await migrate(service)
    await asOperator(statementsOfTheGuide(name, names))
    app = await createTestAppOn(database, service)
    acme = await app.organization()
    await spendAndSeal()
  })

  afterAll(async () => {
    await app.stop()
    await service.close()
    await onServer(`drop role ${names.service}`)
    await onServer(`drop role ${names.log}`)
  })

  async function asOperator(text: string): Promise<void> {
    await database.db.query({ text })
  }

  async function spendAndSeal(): Promise<void> {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const held = await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })
    await acme.post(`/transactions/${held.transactionId}/void`)
    await sealAll(app, service)
  }

  test.each([
    'update audit_leaves set kind = kind',
    'update audit_leaves set hash = commitment, nodes = null',
    'delete from audit_leaves',
    'truncate audit_leaves',
    `insert into audit_leaves select * from audit_leaves
     on conflict (organization_id, index) do update set kind = excluded.kind`,
    'alter table audit_leaves disable trigger all',
    'drop trigger audit_leaves_stay on audit_leaves',
    `create or replace function audit_leaves_stay() returns trigger language plpgsql
     as $$ begin return new; end $$`,
    'drop table audit_leaves',
    'alter table audit_leaves rename to other_leaves',
    'drop schema public cascade',
    'delete from audit_logs',
    'truncate audit_logs',
    'drop table audit_logs',
    'update audit_logs set begun_after = 0',
  ])('the database refuses the service: %s', async (text) => {
    await expect(service.query({ text })).rejects.toThrow(/permission denied|must be owner/)
  })

  test('spending, sealing and reading go on', async () => {
    const before = await leavesOf(app, acme)
    await spendAndSeal()
    const leaves = await leavesOf(app, acme)
    expect(leaves.slice(0, before.length)).toEqual(before)
    expect(leaves.length).toBeGreaterThan(before.length)
    expect(await headOf(app, acme, service)).toMatchObject({ root: rootOf(leaves) })
    expect((await acme.get('/audit-log')).status).toBe(200)
    expect((await acme.get('/audit-log/proof?index=1')).status).toBe(200)
  })

  test('retention and the months of history go on', async () => {
    await acme.patch('/organization', { retention: { detailsDays: 90, eventsDays: 7 } })
    await sealAll(app, service)
    await countAll(app)
    const later = Date.now() + 500 * DAY_MS
    await ensurePartitions(service, later)
    const clock = async (): Promise<number> => later
    const retention = startRetention({ db: service, clock, log: silentLog })
    await retention.round()
    await retention.stop()
    const { organizationId } = acme
    expect(
      await app.rows('select 1 from webhook_events where organization_id = $1', [organizationId]),
    ).toEqual([])
    expect((await leavesOf(app, acme)).length).toBeGreaterThan(5)
  })

  test('a newer version may change the tables for as long as it is let', async () => {
    const text = 'alter table audit_leaves add column another text'
    await expect(service.query({ text })).rejects.toThrow('must be owner')
    await asOperator(`grant ${names.log} to ${names.service}`)
    await service.query({ text })
    await asOperator(`revoke ${names.log} from ${names.service}`)
    const back = 'alter table audit_leaves drop column another'
    await expect(service.query({ text: back })).rejects.toThrow('must be owner')
  })
})

/** What the guide says, for these roles and this database. */
function statementsOfTheGuide(name: string, { service, log }: { service: string; log: string }) {
  const [, block = ''] = /^```sql\n(.+?)^```$/ms.exec(readFileSync(GUIDE, 'utf8')) ?? []
  expect(block).toContain('create role purser_log')
  return block
    .replaceAll('database purser ', `database ${name} `)
    .replaceAll('purser_log', log)
    .replace(/\bpurser\b/g, service)
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { type Reconciled, reconcile } from '../../src/operator/reconcile.ts'
import { readMigrations } from '../../src/storage/engine/migrate.ts'
import { startRetention } from '../../src/upkeep/retention.ts'
import { WITHOUT_NODE } from '../paths/x402/payments.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { aKey, anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import { apply, type Edit } from './edits.ts'
import { someInstallation } from './some-installation.ts'

function run({ database }: TestApp, { organizationId }: Owner): Promise<Reconciled> {
  return reconcile(database, toPublicId('org', organizationId))
}

describe('an installation in which everything has happened', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp(undefined, { ...WITHOUT_NODE, publicUrl: 'https://purser.example' })
    acme = await someInstallation(app)
  })
  afterAll(() => app?.stop())

  test('agrees with its audit log', async () => {
    const { kind, text, counts } = await run(app, acme)
    expect({ kind, text }).toEqual({ kind: 'agrees', text: null })
    expect(counts).toMatchObject({ unsealed: 0, pruned: 0, older: 0, large: 0 })
    expect(counts.counters).toBeGreaterThan(0)
  })

  const text = { type: 'text', row: 0 }
  const bigint = { type: 'bigint', row: 0 }
  const EDITS: readonly Edit[] = [
    { table: 'mandates', column: 'budget_spent', ...bigint },
    { table: 'mandate_versions', column: 'rules', type: 'jsonb', row: 0 },
    { table: 'api_keys', column: 'scopes', type: 'text[]', row: 0 },
    { table: 'api_keys', column: 'secret_hash', type: 'bytea', row: 0 },
    { table: 'authenticators', column: 'secret', ...text },
    { table: 'members', column: 'role', ...text },
    { table: 'passkeys', column: 'public_key', type: 'bytea', row: 0 },
    { table: 'recovery_codes', column: 'code_hash', type: 'bytea', row: 0 },
    { table: 'member_links', column: 'made_at', type: 'timestamp with time zone', row: 0 },
    { table: 'organizations', column: 'require_four_eyes', type: 'boolean', row: 0 },
    { table: 'organizations', column: 'frozen', type: 'boolean', row: 0 },
    { table: 'acp_instruments', column: 'payment_method', ...text },
    { table: 'approvals', column: 'vendor', ...text },
    { table: 'transactions', column: 'held_amount', ...bigint },
    { table: 'transactions', column: 'settled_at', type: 'timestamp with time zone', row: 0 },
    { table: 'limit_counters', column: 'buckets', type: 'bigint[]', row: 0 },
    { table: 'changes', column: 'actor_name', ...text },
    { table: 'webhook_events', column: 'occurred_at', type: 'timestamp with time zone', row: 0 },
  ]

  test.each(EDITS)('whose $table.$column was edited differs', async (edit) => {
    const takeBack = await apply(app, acme.organizationId, edit)
    const found = await run(app, acme)
    await takeBack?.()
    expect(takeBack).toBeDefined()
    expect(found.kind).toBe('differs')
  })
})

describe('an organization', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    acme = await app.organization()
  })

  test('without an audit log cannot be compared', async () => {
    expect(await run(app, acme)).toMatchObject({ kind: 'undecided' })
  })

  test('agrees if its last changes are not sealed yet, and counts them', async () => {
    const { agentId } = await anActiveMandate(acme)
    await sealAll(app)
    await evaluate(acme, agentId)
    const { client } = await aKey(app, acme)
    expect(client).toBeDefined()
    const { kind, counts } = await run(app, acme)
    expect({ kind, unsealed: counts.unsealed }).toEqual({ kind: 'agrees', unsealed: 2 })
  })

  test('with a key that no change created differs', async () => {
    await sealAll(app)
    await app.rows(
      `insert into api_keys (organization_id, id, public_id, secret_hash, name, created_at)
       select $1, gen_random_uuid(), 'forged', '\\x00', 'Forged', now()`,
      [acme.organizationId],
    )
    const { text } = await run(app, acme)
    expect(text).toMatch(/api_keys has no leaf/)
  })

  test('with a different number on its first version differs', async () => {
    await anActiveMandate(acme)
    await sealAll(app)
    await app.rows('update mandate_versions set version = 7 where organization_id = $1', [
      acme.organizationId,
    ])
    expect((await run(app, acme)).kind).toBe('differs')
  })

  test.each([
    ['has the number 0', 'update mandate_versions set version = 0', /Version 0 of/],
    ['was removed', 'delete from mandate_versions', /Version 1 of .* is missing/],
  ])('with an earlier version that %s differs', async (_what, edit, message) => {
    const { id } = await anActiveMandate(acme)
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'amount', max: 5 }] }))
    await sealAll(app)
    const one = 'where organization_id = $1 and version = 1'
    await app.rows(`${edit} ${one}`, [acme.organizationId])
    expect((await run(app, acme)).text).toMatch(message)
  })

  test('with a transaction removed from the database differs', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await sealAll(app)
    await app.rows('delete from transactions where organization_id = $1', [acme.organizationId])
    expect((await run(app, acme)).text).toMatch(/the transaction is missing/)
  })

  test('agrees after child mandates, cards and keys ended with something else', async () => {
    const parent = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId: parent.id })
    const { key } = await aKey(app, acme, { agentIds: [parent.agentId, child.agentId] })
    expect(key).toBeDefined()
    bodyOf(await acme.post(`/mandates/${parent.id}/revoke`))
    bodyOf(await acme.delete(`/agents/${child.agentId}`))
    await sealAll(app)
    expect(await run(app, acme)).toMatchObject({ kind: 'agrees', text: null })
  })

  test('agrees after retention, and differs if something else is missing', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    bodyOf(await acme.patch('/organization', { retention: { detailsDays: 90, eventsDays: 7 } }))
    await sealAll(app)
    const clock = async () => Date.now() + 500 * DAY_MS
    const retention = startRetention({ db: app.database.db, clock, log: silentLog })
    await retention.round()
    await retention.stop()
    await sealAll(app)
    const { kind, text, counts } = await run(app, acme)
    expect({ kind, text }).toEqual({ kind: 'agrees', text: null })
    expect(counts.pruned).toBeGreaterThan(0)

    const other = await app.organization()
    const spender = await anActiveMandate(other)
    await evaluate(other, spender.agentId)
    await sealAll(app)
    await app.rows('delete from webhook_events where organization_id = $1', [other.organizationId])
    expect((await run(app, other)).text).toMatch(/no leaf of retention says/)
  })

  test('agrees after an update, even if data was removed before it', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await sealAll(app)
    const own = [acme.organizationId]
    await app.rows('delete from webhook_events where organization_id = $1', own)
    await app.rows(
      `insert into removals (organization_id, events_before, details_to)
       select $1, now() + interval '1 day', max(id::text)::uuid from transactions where organization_id = $1`,
      own,
    )
    const { sql = '' } =
      (await readMigrations()).find(({ name }) => name === 'what-was-pruned') ?? {}
    await app.rows(sql)
    await sealAll(app)
    expect(await run(app, acme)).toMatchObject({ kind: 'agrees', text: null })
  })
})

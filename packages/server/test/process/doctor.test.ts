import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Config, readConfig } from '../../src/process/config.ts'
import { checkAddresses } from '../../src/process/doctor/addresses.ts'
import type { Check } from '../../src/process/doctor/check.ts'
import { examineDatabase } from '../../src/process/doctor/examine.ts'
import { checkDisk, checkNode } from '../../src/process/doctor/machine.ts'
import { checkStore } from '../../src/process/doctor/store.ts'
import {
  checkAnalytics,
  checkHolds,
  checkPausedEndpoints,
  checkSealing,
} from '../../src/process/doctor/work.ts'
import { noteBackup } from '../../src/storage/backup/last-backup.ts'
import type { StoreState } from '../../src/storage/backup/store-state.ts'
import { readClock } from '../../src/storage/engine/clock.ts'
import { openSealer } from '../../src/storage/secrets/master-key.ts'
import { countAll } from '../support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { describeOnUsualEngine } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'

const KEY = Buffer.alloc(32, 7)
const config = readConfig({ PURSER_MASTER_KEY: KEY.toString('hex') })

describeOnUsualEngine('purser doctor', (engine) => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp(engine)
    await openSealer(app.database.db, { given: KEY, previous: undefined, dataDir: '' })
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    acme = await app.organization()
  })

  const examine = (change: Partial<Config> = {}) =>
    examineDatabase(app.database.db, { ...config, ...change })
  const find = async (name: Check['name'], change: Partial<Config> = {}) =>
    (await examine(change)).find((check) => check.name === name)

  test('finds nothing wrong with a store that works, but has no backup', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await sealAll(app, app.database.db)
    const checks = await examine()
    // The server of the tests does not sync its commits to disk, to save time.
    const wrong = checks.filter(({ name, status }) => status !== 'ok' && name !== 'engine')
    expect(wrong.map(({ name, status }) => [name, status])).toEqual([['backups', 'warn']])
    expect(checks.find(({ name }) => name === 'master key')?.text).toMatch(
      /opens every sealed value that was tried \(\d+\)/,
    )
  })

  test.skipIf(engine === 'embedded')('warns if the server does not sync its commits', async () => {
    const [setting] = await app.rows<{ fsync: string }>('show fsync')
    expect(setting?.fsync).toBe('off')
    const check = await find('engine')
    expect(check).toMatchObject({
      status: 'warn',
      action: 'Set fsync and synchronous_commit to on.',
    })
    expect(check?.text).toContain('It confirms commits before they are on disk')
  })

  test('knows the last backup, and warns after a day', async () => {
    await noteBackup(app.database.db)
    expect(await find('backups')).toMatchObject({ status: 'ok', action: null })
    await app.rows(`update store_backup set taken_at = taken_at - interval '26 hours'`)
    const late = await find('backups')
    expect(late).toMatchObject({ status: 'warn' })
    expect([late?.text, late?.action]).toEqual([
      expect.stringMatching(/^The last backup was taken at \d{4}-/),
      expect.stringContaining('Run purser backup'),
    ])
    await app.rows('delete from store_backup')
  })

  test('fails if the master key is not the one of the database', async () => {
    const given = Buffer.alloc(32, 8)
    const check = await find('master key', { masterKeys: { given, previous: undefined } })
    expect(check).toMatchObject({ status: 'fail' })
    expect(check?.action).toContain('PURSER_MASTER_KEY')
  })

  test('fails if a sealed value cannot be opened', async () => {
    const secrets = app.rows<{ webhook_secret: Buffer }>(
      'select webhook_secret from organizations where id = $1',
      [acme.organizationId],
    )
    const [before] = await secrets
    const set = (value: unknown) =>
      app.rows('update organizations set webhook_secret = $2 where id = $1', [
        acme.organizationId,
        value,
      ])
    await set(Buffer.from('damaged'))
    expect(await find('master key')).toMatchObject({ status: 'fail' })
    await set(before?.webhook_secret)
    expect(await find('master key')).toMatchObject({ status: 'ok' })
  })

  // The embedded database has the clock of its process.
  test.skipIf(engine === 'embedded').each([
    ['ahead of', 10_000],
    ['behind', -10_000],
  ])('warns if the clock of the machine is %s that of the database', async (direction, ms) => {
    expect(await find('clock')).toMatchObject({ status: 'ok' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    const check = await find('clock').finally(() => vi.useRealTimers())
    expect(check).toMatchObject({ status: 'warn', action: 'Run NTP on both machines.' })
    expect(check?.text).toMatch(new RegExp(`(9\\.\\d|10\\.\\d) s ${direction} `))
  })

  test('warns about work that has waited for more than a minute', async () => {
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })
    const { db } = app.database
    const now = await readClock(db)
    // At this later time, the sweepers should have released the hold, and sealed the events.
    const later = now + 400 * DAY_MS
    for (const check of [checkHolds, checkSealing, checkAnalytics]) {
      const at = (now: number, state?: StoreState) => check({ db, now, state })
      expect((await at(now)).status).toBe('ok')
      const { status, text, action } = await at(later)
      expect(status).toBe('warn')
      expect(text).toMatch(/^\d+ .*; the oldest has waited for \d+ h\.$/)
      expect(action).toContain('Check that a gateway runs')
      expect((await at(later, 'holding')).action).toBe(action)
      expect((await at(later, 'restored')).action).toContain('once the store is open')
      expect((await at(later, 'moved')).action).toBe('The new store does this work.')
    }
    await sealAll(app, db)
    expect((await checkSealing({ db, now: later, state: undefined })).status).toBe('ok')
  })

  test('warns about an organization whose spend totals were never begun', async () => {
    const { db } = app.database
    await countAll(app)
    const check = async () =>
      checkAnalytics({ db, now: (await readClock(db)) + DAY_MS, state: undefined })
    expect((await check()).status).toBe('ok')
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    await app.rows('delete from analytics_books where organization_id = $1', [acme.organizationId])
    const { status, text } = await check()
    expect([status, text]).toEqual(['warn', expect.stringMatching(/^1 organization has events /)])
    await countAll(app)
    expect((await check()).status).toBe('ok')
  })

  test('fails if an audit log has stopped', async () => {
    const values = [acme.organizationId]
    await app.rows(
      `insert into audit_stops (organization_id, last_leaf, next_number, stopped_at)
       values ($1, 1, 1, now())`,
      values,
    )
    expect(await find('audit log')).toMatchObject({ status: 'fail' })
    await app.rows('delete from audit_stops where organization_id = $1', values)
  })

  test('says which webhook receivers cannot be reached, without their path', async () => {
    const receiver = await startReceiver()
    bodyOf(await acme.patch('/organization', { webhookUrl: `${receiver.url}/secret-path` }))
    expect(await find('webhooks')).toMatchObject({ status: 'ok' })
    await receiver.close()
    const check = await find('webhooks')
    expect(check).toMatchObject({ status: 'warn' })
    const { host } = new URL(receiver.url)
    expect(check?.text).toBe(
      `1 of 1 webhook receiver cannot be reached. ${host}: Could not connect (ECONNREFUSED).`,
    )
    bodyOf(await acme.patch('/organization', { webhookUrl: null }))
  })

  test('warns about deliveries that wait for a paused webhook endpoint', async () => {
    expect(await find('paused queue')).toMatchObject({ status: 'ok' })
    bodyOf(await acme.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/' }))
    await app.rows(
      `insert into webhook_endpoints (organization_id, id, is_paused, paused_at)
       values ($1, $1, false, now())`,
      [acme.organizationId],
    )
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const check = await find('paused queue')
    expect(check).toMatchObject({ status: 'warn' })
    expect(check?.text).toMatch(
      /^1 delivery waits for a paused webhook endpoint; the oldest has waited for \d+ s\.$/,
    )
    expect(check?.action).toContain('Repair and resume the endpoint')
    const { db } = app.database
    const inRestored = await checkPausedEndpoints({ db, now: Date.now(), state: 'restored' })
    expect(inRestored.action).toContain('once the store is open')
    expect(await find('webhook queue')).toMatchObject({ status: 'ok' })
    await evaluate(acme, agentId)
    expect((await find('paused queue'))?.text).toMatch(/^2 deliveries wait for a paused/)
    bodyOf(await acme.patch('/organization', { webhookUrl: null }))
    await app.rows('delete from webhook_endpoints where organization_id = $1', [
      acme.organizationId,
    ])
  })

  test('names a missing migration, and reads no table then', async () => {
    const last = '(select max(id) from schema_migrations)'
    const [row] = await app.rows<{ id: number; name: string; checksum: string }>(
      `delete from schema_migrations where id = ${last} returning id, name, checksum`,
    )
    const checks = await examine()
    expect(checks.at(-1)).toMatchObject({ name: 'migrations', status: 'warn' })
    await app.rows(
      `insert into schema_migrations (id, name, checksum, applied_at) values ($1, $2, $3, now())`,
      [row?.id, row?.name, row?.checksum],
    )
    expect(await find('migrations')).toMatchObject({ status: 'ok' })
  })

  test('fails if the database is ahead of this program', async () => {
    await app.rows(
      `insert into schema_migrations (id, name, checksum, applied_at) values (9999, 'x', 'y', now())`,
    )
    expect(await find('migrations')).toMatchObject({ status: 'fail' })
    await app.rows('delete from schema_migrations where id = 9999')
  })
})

test('says for each state of a store how it opens', () => {
  const actionOf = (state: StoreState) => checkStore({ state, since: 0, note: 'Why.' })
  const actions: readonly (readonly [StoreState, string, string])[] = [
    ['restored', 'fail', 'purser restore --finish'],
    ['behind', 'fail', 'purser restore --finish'],
    ['restoring', 'fail', 'into an empty database or data folder'],
    ['moving', 'fail', 'purser backup --cancel-move'],
    ['moved', 'fail', 'gateway of the new store'],
    ['holding', 'warn', 'purser restore --release-deliveries'],
  ]
  for (const [state, status, action] of actions) {
    expect(actionOf(state)).toMatchObject({ status, action: expect.stringContaining(action) })
  }
  expect(checkStore(undefined).status).toBe('ok')
})

describe('the machine', () => {
  test('needs a Node that is new enough', () => {
    expect(checkNode('20.18.3').status).toBe('fail')
    expect(checkNode('20.19.0').status).toBe('ok')
    expect(checkNode('22.1.0').status).toBe('ok')
  })

  test('needs free space for the embedded database', async () => {
    const dataDir = '/tmp/not/yet/there'
    const on = (freeBytesMin: number, databaseUrl?: string) =>
      checkDisk({ storage: { dataDir, databaseUrl, freeBytesMin } })
    expect((await on(0)).status).toBe('ok')
    expect((await on(Number.MAX_SAFE_INTEGER)).status).toBe('fail')
    expect((await on(Number.MAX_SAFE_INTEGER, 'postgres://db/x')).status).toBe('ok')
  })
})

describe('the addresses', () => {
  const PRODUCTION = { PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY.toString('hex') }
  const check = (env: Readonly<Record<string, string>>) => checkAddresses(readConfig(env))

  test('of a gateway for this machine alone need nothing', async () => {
    expect(await check({})).toMatchObject({ status: 'ok' })
  })

  test.each<[string, Readonly<Record<string, string>>, action: string]>([
    ['a public address, in production', PRODUCTION, 'PURSER_PUBLIC_URL'],
    ['a public address, on every address of the machine', { PURSER_HOST: '0.0.0.0' }, 'PUBLIC_URL'],
    [
      'the network of the proxy, in production',
      { ...PRODUCTION, PURSER_PUBLIC_URL: 'https://gateway.example' },
      'PURSER_TRUSTED_PROXIES',
    ],
    ['an answer', { PURSER_PUBLIC_URL: 'http://127.0.0.1:9' }, 'Check the proxy'],
  ])('need %s', async (_, env, action) => {
    const found = await check(env)
    expect(found).toMatchObject({ status: 'warn', action: expect.stringContaining(action) })
  })

  test('reach a gateway', async () => {
    const receiver = await startReceiver()
    const { origin } = new URL(receiver.url)
    expect(await check({ PURSER_PUBLIC_URL: origin })).toMatchObject({
      ...{ status: 'ok', text: `${origin} reaches a gateway.` },
    })
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })
})

import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  distributeStore,
  readStoreDistribution,
  undistributeStore,
} from '../../src/operator/migrate-store.ts'
import { readConfig } from '../../src/process/config.ts'
import { openStorage } from '../../src/process/open-storage.ts'
import { closeForMove } from '../../src/storage/backup/move.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestAppOn, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createOnNodes } from '../support/citus-cluster.ts'
import { silentLog } from '../support/silent-log.ts'
import { aSpend, evaluate } from '../support/spends.ts'
import { dumpTables } from '../support/tables.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

describe('a store on one machine', () => {
  let url: string
  let name: string
  beforeEach(async () => {
    name = `moved_${randomBytes(6).toString('hex')}`
    const [coordinator, ...workers] = [inject('postgresUrl'), ...inject('workerUrls')].map(
      (node) => ({ url: node }),
    )
    if (coordinator === undefined) throw new Error('There is no coordinator.')
    url = await createOnNodes({ coordinator, workers }, name)
  })
  afterEach(async () => {
    for (const node of [inject('postgresUrl'), ...inject('workerUrls')]) {
      await withDb(node, (db) => db.query({ text: `drop database ${name} with (force)` }))
    }
  })
  const config = () =>
    readConfig({ DATABASE_URL: url, PURSER_MASTER_KEY: KEY, PURSER_DATA_DIR: '/nonexistent' })

  /** Migrates the store, and runs an app on it, which ends. */
  async function withApp(use: (app: TestApp) => Promise<void>): Promise<void> {
    const { db } = await openStorage(config(), silentLog)
    const database = { db, dataDir: '', url, drop: () => db.close() }
    const app = await createTestAppOn(database, db)
    try {
      await use(app)
    } finally {
      await app.stop()
    }
  }

  test('moves to the workers with all its rows, and back', async () => {
    let apiKey = ''
    let agentId = ''
    await withApp(async (app) => {
      for (const name of ['Acme', 'Other', 'Third', 'Fourth']) {
        const owner = await app.organization(name)
        const mandate = await anActiveMandate(owner)
        await evaluate(owner, mandate.agentId, {}, { 'idempotency-key': 'first' })
        apiKey = owner.apiKey
        agentId = mandate.agentId
      }
      await expect(distributeStore(config(), silentLog)).rejects.toThrow(/connected/)
    })
    const before = await look()
    const there = await distributeStore(config(), silentLog)
    expect(there.distribution).toMatchObject({ state: 'distributed', toDistribute: [] })
    expect(there.moved).toContain('transactions')
    expect((await look()).rows).toBe(before.rows)
    expect((await distributeStore(config(), silentLog)).moved).toEqual([])
    const workers = there.distribution.nodes.filter(({ role }) => role === 'worker')
    expect(workers.map(({ shards }) => shards)).toEqual([2, 2])

    await withApp(async (app) => {
      const again = await evaluate(app.client(apiKey), agentId, {}, { 'idempotency-key': 'first' })
      expect(again.decision).toBe('approved')
      expect(await app.rows('select 1 from transactions')).toHaveLength(4)
      await sealAll(app, app.database.db)
      await expect(app.rows('delete from audit_leaves')).rejects.toThrow(/never changed/)
      await expect(app.rows('truncate audit_leaves')).rejects.toThrow(/never changed/)
      await expect(undistributeStore(config(), silentLog)).rejects.toThrow(/connected/)
    })

    const between = await look()
    const back = await undistributeStore(config(), silentLog)
    expect(back.distribution.state).toBe('plain')
    const after = await look()
    expect(after.rows).toBe(between.rows)
    expect(after.schema).toEqual(before.schema)
    const repeated = await undistributeStore(config(), silentLog)
    expect([repeated.moved, repeated.distribution.state]).toEqual([[], 'plain'])
    expect(await look()).toEqual(after)
  })

  test('is not distributed while no worker is active', async () => {
    for (const node of inject('workerUrls')) {
      await withDb(url, (db) =>
        db.query({
          text: `select citus_disable_node('127.0.0.1', $1::int, true)`,
          values: [new URL(node).port],
        }),
      )
    }
    await expect(distributeStore(config(), silentLog)).rejects.toThrow('No worker is active.')
    const { state, nodes } = await readStoreDistribution(config(), silentLog)
    expect([state, nodes.map(({ isActive }) => isActive)]).toEqual(['plain', [true, false, false]])
  })

  test('keeps a gateway from starting while a table is in neither place', async () => {
    await distributeStore(config(), silentLog)
    await withDb(url, (db) => db.query({ text: `select undistribute_table('wallets', true)` }))
    const { state, toDistribute } = await readStoreDistribution(config(), silentLog)
    expect(state).toBe('partly')
    expect(toDistribute).toContain('wallets')
    await expect(openStorage(config(), silentLog)).rejects.toThrow(/purser migrate --distributed/)
    const { moved } = await distributeStore(config(), silentLog)
    expect([...moved].sort()).toEqual(toDistribute)
    const groups = await withDb(url, (db) =>
      db.query({
        text: `select distinct colocationid from pg_dist_partition where partmethod = 'h'`,
      }),
    )
    expect(groups).toHaveLength(1)
    await withApp(async () => {})
  })

  test('can be closed by its database once it is distributed', async () => {
    await distributeStore(config(), silentLog)
    await withApp(async (app) => {
      const owner = await app.organization()
      const { agentId } = await anActiveMandate(owner)
      await withDb(url, closeForMove)
      const refused = await owner.post('/gateway/evaluate', aSpend(agentId))
      expect([refused.status, refused.body['code']]).toEqual([503, 'store_moved'])
      await expect(distributeStore(config(), silentLog)).rejects.toThrow(/not open/)
    })
  })

  /** All rows, and the definitions of the tables. A copied table has checked all of its rows. */
  function look(): Promise<{ readonly rows: string; readonly schema: unknown }> {
    return withDb(url, async (db) => ({
      rows: await dumpTables(db, {}),
      schema: await db.query({ text: SCHEMA }),
    }))
  }
})

const SCHEMA = `
  select c.relname, c.reloptions, c.relkind,
         (select array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull
                           || a.attcollation || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
                           order by a.attname)
          from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         (select array_agg(pg_get_indexdef(i.indexrelid) order by pg_get_indexdef(i.indexrelid))
          from pg_index i where i.indrelid = c.oid) as indexes,
         (select array_agg(k.conname || ' ' || replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') order by k.conname)
          from pg_constraint k where k.conrelid = c.oid) as constraints,
         (select array_agg(pg_get_triggerdef(t.oid) order by t.tgname)
          from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`

async function withDb<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openPostgres({ url, connectionsMax: 1 }, silentLog)
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

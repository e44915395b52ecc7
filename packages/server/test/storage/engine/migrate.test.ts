import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { countMigrations, migrate } from '../../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import {
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  describeOnUsualEngine,
  type TestDatabase,
} from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitUntil } from '../../support/wait-until.ts'

const FIRST = 'create table notes (step int); insert into notes values (1);'
const SECOND = 'insert into notes values (2); alter table notes add column text text;'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let test: TestDatabase

beforeEach(async () => {
  folder = await createTemporaryFolder()
})
afterEach(async () => {
  await test.drop()
  await folder.remove()
})

/** The names of all connections to the database. */
async function namesOf({ db }: TestDatabase): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    text: `select application_name as name from pg_stat_activity
           where datname = current_database()`,
  })
  return rows.map(({ name }) => name)
}

function write(files: Readonly<Record<string, string>>, name = 'migrations'): string {
  const path = join(folder.path, name)
  mkdirSync(path, { recursive: true })
  for (const [file, sql] of Object.entries(files)) writeFileSync(join(path, file), sql)
  return path
}

describeOnPostgres('migrations', () => {
  beforeEach(async () => {
    test = await createEmptyPostgresDatabase()
  })

  it('are applied once each, in the order of their numbers', async () => {
    const path = write({ '0002-second.sql': SECOND, '0001-first.sql': FIRST })
    expect(await migrate(test.db, path)).toBe(2)
    expect(await migrate(test.db, path)).toBe(0)
    const rows = await test.db.query({ text: 'select id, name from schema_migrations order by id' })
    expect(rows).toEqual([
      { id: 1, name: 'first' },
      { id: 2, name: 'second' },
    ])
    expect(await test.db.query({ text: 'select step from notes' })).toEqual([
      { step: 1 },
      { step: 2 },
    ])
  })

  it('wait for older gateways if they say so, whatever their connections are called', async () => {
    await migrate(test.db, write({ '0001-first.sql': FIRST }))
    const path = write({ '0002-second.sql': `-- refuses: older gateways\n${SECOND}` })
    for (const name of ['purser', 'purser/1', 'till purser/1']) {
      const older = new Client({ connectionString: test.url, application_name: name })
      await older.connect()
      await expect(migrate(test.db, path)).rejects.toThrow(
        /older version are live \(1 connection\).*0002-second\.sql.* Stop all of them/,
      )
      await older.end()
      await waitUntil(async () => (await namesOf(test)).every((other) => other !== name))
    }
    for (const name of ['purser/2', 'psql', 'my-purser']) {
      const other = new Client({ connectionString: test.url, application_name: name })
      await other.connect()
      await expect(migrate(test.db, path)).resolves.toBe(name === 'purser/2' ? 1 : 0)
      await other.end()
    }
  })

  it('see a gateway whose URL has a name of its own', async () => {
    await migrate(test.db, write({ '0001-first.sql': FIRST }))
    const url = `${test.url}?application_name=till`
    const named = await openPostgres({ url, connectionsMax: 1 }, silentLog)
    const [row] = await named.query({ text: `select current_setting('application_name') as name` })
    expect(row).toEqual({ name: `till purser/${await countMigrations()}` })
    await named.close()
  })

  it('continue where the database is', async () => {
    await migrate(test.db, write({ '0001-first.sql': FIRST }))
    expect(await migrate(test.db, write({ '0002-second.sql': SECOND }))).toBe(1)
  })

  it('refuse a file that was changed after it was applied', async () => {
    await migrate(test.db, write({ '0001-first.sql': FIRST }))
    const changed = write({ '0001-first.sql': `${FIRST} -- changed` })
    await expect(migrate(test.db, changed)).rejects.toThrow(
      'Migration 0001-first.sql was changed after it was applied.',
    )
  })

  it('take another line ending for the same file', async () => {
    await migrate(test.db, write({ '0001-first.sql': `${FIRST}\n-- end\n` }))
    const path = write({ '0001-first.sql': `${FIRST}\r\n-- end\r\n` })
    expect(await migrate(test.db, path)).toBe(0)
  })

  it('refuse a database that is ahead of the program', async () => {
    await migrate(test.db, write({ '0001-first.sql': FIRST, '0002-second.sql': SECOND }))
    const older = write({ '0001-first.sql': FIRST }, 'older')
    await expect(migrate(test.db, older)).rejects.toThrow(
      'The database is ahead of this program: it has migration 0002-second.sql',
    )
  })

  it('refuse a gap in the files before anything is applied', async () => {
    const path = write({ '0001-first.sql': FIRST, '0003-third.sql': SECOND })
    await expect(migrate(test.db, path)).rejects.toThrow('not numbered without gaps')
    const [row] = await test.db.query({ text: "select to_regclass('notes') as notes" })
    expect(row).toEqual({ notes: null })
  })

  it('refuse a gap in the database', async () => {
    const path = write({ '0001-first.sql': FIRST, '0002-second.sql': SECOND })
    await migrate(test.db, path)
    await test.db.query({ text: 'delete from schema_migrations where id = 1' })
    await expect(migrate(test.db, path)).rejects.toThrow('The database lacks migration 0001-first')
  })

  it('refuse a file name that tells no number', async () => {
    const path = write({ 'first.sql': FIRST })
    await expect(migrate(test.db, path)).rejects.toThrow('is not named like 0001-what-it-does.sql')
  })

  it('leave nothing of one that fails, and keep the ones before it', async () => {
    const broken = 'create table half (id int); insert into half values (1 / 0);'
    const path = write({ '0001-first.sql': FIRST, '0002-broken.sql': broken })
    await expect(migrate(test.db, path)).rejects.toThrow(
      'Migration 0002-broken.sql failed and was rolled back. The database says: division by zero',
    )
    const [row] = await test.db.query({ text: "select to_regclass('half') as half" })
    expect(row).toEqual({ half: null })
    const applied = await test.db.query({ text: 'select id from schema_migrations' })
    expect(applied).toEqual([{ id: 1 }])
  })

  it('are applied once when several gateways start at the same moment', async () => {
    const path = write({ '0001-first.sql': FIRST, '0002-second.sql': SECOND })
    const gateways = await Promise.all([1, 2, 3, 4].map(() => openPostgres(test, silentLog)))
    const counts = await Promise.all(gateways.map((gateway) => migrate(gateway, path)))
    await Promise.all(gateways.map((gateway) => gateway.close()))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await test.db.query({ text: 'select step from notes' })).toHaveLength(2)
  })
})

describeOnUsualEngine('the migrations of this program', (engine) => {
  it('are all applied in the template that tests start from', async () => {
    test = await createTestDatabase(engine)
    expect(await migrate(test.db)).toBe(0)
    const rows = await test.db.query({ text: 'select id from schema_migrations' })
    expect(rows.length).toBeGreaterThan(0)
  })
})

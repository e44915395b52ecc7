import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Check } from '../../src/process/doctor/check.ts'
import { checkBackups, checkEngine } from '../../src/process/doctor/engine.ts'
import { noteBackup } from '../../src/storage/backup/last-backup.ts'
import { readClock } from '../../src/storage/engine/clock.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { DAY_MS } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import {
  findPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../support/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import { temporaryRoot } from '../support/temporary-root.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Users without special rights have 7 of these, because the server reserves 3. */
const SETTINGS = ['max_connections=10', 'superuser_reserved_connections=3', 'archive_mode=on']

describeOnPostgres('purser doctor on a server with other settings', () => {
  let server: PostgresServer
  let db: Database
  beforeAll(async () => {
    const root = temporaryRoot()
    server = await startPostgresServer(findPostgres() ?? '', { root, settings: SETTINGS })
    db = await openPostgres({ url: server.url, connectionsMax: 1 }, silentLog)
    await migrate(db)
  })
  afterAll(async () => {
    await db?.close()
    await server?.stop()
  })
  const run = (text: string) => db.query({ text })
  const engineOf = (database: Database) => checkEngine(database, 'postgres')
  const backups = async (laterMs = 0): Promise<Check> =>
    checkBackups(db, 'postgres', (await readClock(db)) + laterMs)

  test('warns about commits that are confirmed before they are on disk', async () => {
    expect(await engineOf(db)).toMatchObject({ status: 'ok', action: null })
    await run('alter database postgres set synchronous_commit = off')
    const later = await openPostgres({ url: server.url, connectionsMax: 1 }, silentLog)
    const check = await engineOf(later)
    await later.close()
    await run('alter database postgres reset synchronous_commit')
    expect(check).toMatchObject({
      status: 'warn',
      action: 'Set fsync and synchronous_commit to on.',
    })
    expect(check.text).toContain('so a crash can lose decisions')
  })

  test('warns when more than 80 % of the connections are in use', async () => {
    const others: Database[] = []
    const use = async (count: number) => {
      while (others.length < count) {
        const other = await openPostgres({ url: server.url, connectionsMax: 1 }, silentLog)
        await other.query({ text: 'select 1' })
        others.push(other)
      }
      return engineOf(db)
    }
    const [few, many] = [await use(4), await use(5)]
    await Promise.all(others.map((other) => other.close()))
    expect([few.status, few.text]).toEqual(['ok', expect.stringContaining('5 of 7 connections')])
    expect([many.status, many.text]).toEqual([
      'warn',
      expect.stringContaining('6 of 7 connections'),
    ])
    expect(many.action).toContain('Raise max_connections')
  })

  test('judges the backups by the archive of the write-ahead log', async () => {
    /** Archives segments with this command of the shell, until the check has this result. */
    async function archive(command: string, status: Check['status']): Promise<void> {
      await run(`alter system set archive_command = '${command}'`)
      await run('select pg_reload_conf()')
      await waitUntil(async () => {
        await run('create table written (); drop table written; select pg_switch_wal()')
        return (await backups()).status === status
      })
    }
    const never = await backups()
    expect([never.status, never.text]).toEqual(['warn', expect.stringMatching(/ never\.$/)])
    expect(never.action).toContain('Set archive_timeout')

    await archive('true', 'ok')
    expect((await backups()).text).toMatch(/archived its write-ahead log last at \d{4}-/)
    const late = await backups(DAY_MS + 60_000)
    expect([late.status, late.action]).toEqual([
      'warn',
      expect.stringContaining('Set archive_timeout'),
    ])
    // A backup that Purser has written is as good as the archive, but only while it is recent.
    await noteBackup(db)
    expect((await backups(DAY_MS + 60_000)).text).toContain('The last backup was taken')

    await archive('false', 'fail')
    const failed = await backups()
    expect(failed.text).toMatch(/^PostgreSQL failed to archive its write-ahead log at \d{4}-/)
    expect(failed.action).toContain('repair archive_command')
  })
})

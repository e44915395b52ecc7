import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../../src/storage/engine/database.ts'
import {
  type EmbeddedSettings,
  openEmbedded,
} from '../../../../src/storage/engine/embedded/open.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../../support/database.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { waitUntil } from '../../../support/wait-until.ts'

/** Where Postgres keeps whether it was shut down cleanly, and the value that says so. */
const STATE_OFFSET = 16
const SHUT_DOWN = 1

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string

beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
})
afterEach(() => folder.remove())

function openCopy(maintenance: EmbeddedSettings['maintenance'] = {}) {
  copyEmbeddedTemplate(dataDir)
  return openEmbedded({ dataDir, maintenance }, silentLog)
}

describe('the embedded engine', () => {
  it('starts in a new folder over the remains of a start that was killed', async () => {
    const remains = join(dataDir, 'db.unfinished')
    mkdirSync(remains, { recursive: true })
    writeFileSync(join(remains, 'PG_VERSION'), '18')
    const db = await openDatabase({ dataDir, databaseUrl: undefined }, silentLog)
    expect(await db.isReady()).toBe(true)
    await db.close()
    expect(readdirSync(dataDir)).toEqual(['db'])
    expect(statSync(join(dataDir, 'db')).mode & 0o777).toBe(0o700)
  })

  it('has no database beside its own, whose age no vacuum would reach', async () => {
    const db = await openCopy()
    const rows = await db.query<{ name: string }>({
      text: 'select datname as name from pg_database',
    })
    await db.close()
    expect(rows).toEqual([{ name: 'postgres' }])
  })

  it('is refused a second time on the same folder, and the first goes on', async () => {
    const db = await openCopy()
    await expect(openEmbedded({ dataDir }, silentLog)).rejects.toThrow('is in use by another')
    expect(await db.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }])
    await db.close()
  })

  it('shuts down cleanly and gives the folder back', async () => {
    const db = await openCopy()
    await db.query({ text: 'create table t (id int)' })
    await db.close()
    const control = readFileSync(join(dataDir, 'db', 'global', 'pg_control'))
    expect(control.readInt32LE(STATE_OFFSET)).toBe(SHUT_DOWN)
    expect(existsSync(join(dataDir, 'db', 'postmaster.pid'))).toBe(false)
    const again = await openEmbedded({ dataDir }, silentLog)
    expect(await again.query({ text: 'select * from t' })).toEqual([])
    await again.close()
  })

  it('goes on listening, after a gap, when its connection had to be replaced', async () => {
    const db = await openCopy()
    const heard: string[] = []
    const onMessage = (payload: string) => heard.push(payload)
    await db.listen('news', { onMessage, onGap: () => heard.push('gap') })
    await db.query({ text: 'begin' })
    await db.query({ text: "select pg_notify('news', 'after')" })
    await waitUntil(() => heard.length === 2)
    expect(heard).toEqual(['gap', 'after'])
    await db.close()
  })

  it('lets timers run while one statement follows the other', async () => {
    const db = await openCopy()
    let hasRun = false
    setTimeout(() => {
      hasRun = true
    }, 1)
    for (let count = 0; !hasRun && count < 10_000; count += 1) await db.query({ text: 'select 1' })
    expect(hasRun).toBe(true)
    await db.close()
  })

  it('writes a checkpoint when the log has grown, and none when nothing was written', async () => {
    const db = await openCopy({ checkEveryMs: 10, walBytesMax: 1_000_000 })
    const redo = async () => {
      const text = 'select redo_lsn::text as redo from pg_control_checkpoint()'
      return (await db.query<{ redo: string }>({ text }))[0]?.redo
    }
    await db.query({ text: 'create table t (text text)' })
    const first = await redo()
    await db.query({
      text: "insert into t select repeat('x', 1000) from generate_series(1, 2000)",
    })
    await waitUntil(async () => (await redo()) !== first)
    const second = await redo()
    const syncs = db.syncCount()
    let checks = 0
    await waitUntil(async () => ++checks > 20)
    expect(await redo()).toBe(second)
    expect(db.syncCount()).toBe(syncs)
    await db.close()
  })

  it('writes a checkpoint after a while when there was any write', async () => {
    const db = await openCopy({ checkEveryMs: 10, checkpointEveryMs: 100 })
    const text = 'select redo_lsn::text as redo from pg_control_checkpoint()'
    const [before] = await db.query({ text })
    await db.query({ text: 'create table t (id int)' })
    await waitUntil(async () => (await db.query({ text }))[0]?.['redo'] !== before?.['redo'])
    await db.close()
  })

  it('vacuums a table that has many dead rows', async () => {
    const db = await openCopy({ checkEveryMs: 10, vacuumEveryMs: 50, deadRowsMin: 100 })
    await db.query({ text: 'create table t (id int)' })
    await db.query({ text: 'insert into t select generate_series(1, 1000)' })
    await db.query({ text: 'delete from t' })
    const text = "select pg_relation_size('t') as size"
    await waitUntil(async () => (await db.query({ text }))[0]?.['size'] === 0n)
    await db.close()
  })
})

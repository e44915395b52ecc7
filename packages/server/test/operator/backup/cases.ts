import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { writeBackup } from '../../../src/operator/backup/backup.ts'
import { restoreBackup } from '../../../src/operator/backup/restore.ts'
import { reconcile } from '../../../src/operator/reconcile.ts'
import { readConfig } from '../../../src/process/config.ts'
import { openStorage } from '../../../src/process/open-storage.ts'
import { listTables } from '../../../src/storage/backup/catalog.ts'
import { sealAll } from '../../support/audit-log.ts'
import type { Engine } from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { addSends } from './sends.ts'
import { aroundStores, backUp, KEY, restoreInto, rowsIn, rowsOf } from './stores.ts'

/** How many rows of the sends a restored store must have at least. */
const ROWS_MIN = {
  ...{ webhook_endpoints: 2, webhook_queue: 4, webhook_attempts: 3 },
  ...{ messages: 3, message_chats: 1, message_choices: 2, message_cursors: 1, invitations: 1 },
}

/** A backup of one engine, restored into another. */
export function roundTrip(from: Engine, to: Engine): void {
  const { aStore, anEmptyTarget, inFolder, onEnd } = aroundStores()

  test(`a backup of ${from} restores every row into ${to}`, async () => {
    const { app, owner } = await aStore(from)
    await addSends(app, owner)
    await sealAll(app, app.database.db)
    const file = inFolder('backup.gz')
    const before = await rowsOf(app)
    const manifest = await backUp(app, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expectWithoutKey(file)
    expect(manifest.organizations.map(({ name }) => name).sort()).toEqual(['Acme', 'Other'])
    expect(manifest.auditHeads).toHaveLength(2)
    const target = await anEmptyTarget(to)
    await restoreInto(target, file)
    const after = await rowsIn(target)
    expect(after).toBe(before)
    // The comparison means little if a table has no rows.
    for (const [table, least] of Object.entries(ROWS_MIN)) {
      const rows = after.split('\n').filter((row) => row.startsWith(`${table} `))
      expect([table, rows.length >= least]).toEqual([table, true])
    }
    const storage = await openStorage(readConfig(target.env), silentLog)
    onEnd(() => storage.db.close())
    const compared = await reconcile(storage, toPublicId('org', owner.organizationId))
    expect(compared).toMatchObject({ kind: 'agrees' })
  })
}

/** Backups and restores that fail. */
export function failures(engine: Engine): void {
  const { aStore, anEmptyTarget, inFolder } = aroundStores()

  test('a restore writes nothing if the file is damaged, or needs a different key', async () => {
    const { app } = await aStore(engine)
    const file = inFolder('backup.gz')
    await backUp(app, file)
    const text = gunzipSync(readFileSync(file)).toString('utf8')
    const target = await anEmptyTarget(engine)
    const variants = [
      ['its hash differs', gzipSync(text.replace('"Acme"', '"Acne"'))],
      ['it was cut off', gzipSync(text.slice(0, text.lastIndexOf('{"sha256"')))],
      ['it was cut off', readFileSync(file).subarray(0, -20)],
      ['not a backup', Buffer.from('plain text')],
    ] as const
    for (const [reason, bytes] of variants) {
      const damaged = inFolder('damaged.gz')
      await writeFile(damaged, bytes)
      await expect(restoreInto(target, damaged)).rejects.toThrow(reason)
    }
    const PURSER_MASTER_KEY = Buffer.alloc(32, 8).toString('base64')
    const wrong = { env: { ...target.env, PURSER_MASTER_KEY } }
    await expect(restoreInto(wrong, file)).rejects.toThrow('need the master key')
    const unknown = inFolder('unknown.gz')
    await writeFile(unknown, withUnknownMigration(text))
    await expect(restoreInto(target, unknown)).rejects.toThrow('(from_the_future), which this')
    await restoreInto(target, file)
    await expect(restoreInto(target, file)).rejects.toThrow('is not empty')
  })

  test('a restore that was cut off leaves a store that says so', async () => {
    const { app } = await aStore(engine)
    const file = inFolder('backup.gz')
    await backUp(app, file)
    const target = await anEmptyTarget(engine)
    const onProgress = () => {
      throw new Error('The power is cut.')
    }
    const config = readConfig(target.env)
    await expect(restoreBackup(config, { file, onProgress }, silentLog)).rejects.toThrow('power')
    await expect(openStorage(config, silentLog)).rejects.toThrow('was cut off')
    await expect(restoreInto(target, file)).rejects.toThrow('was cut off')
  })

  test('a backup leaves no file if it fails, and never replaces one', async () => {
    const { app } = await aStore(engine)
    const file = inFolder('backup.gz')
    await writeFile(file, 'kept')
    await expect(backUp(app, file)).rejects.toThrow('exists already')
    await expect(backUp(app, inFolder('missing/x.gz'))).rejects.toThrow('There is no folder')
    const onProgress = () => {
      throw new Error('The process is killed.')
    }
    const cut = writeBackup(app.database.db, { file: inFolder('cut.gz'), onProgress })
    await expect(cut).rejects.toThrow('killed')
    expect(await readdir(inFolder('.'))).toEqual(['backup.gz'])
  })

  test('the schema has no sequence or computed column, and a backup knows every table', async () => {
    const { app } = await aStore(engine)
    const computed = await app.rows(
      `select 1 from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace
       union all
       select 1 from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = current_schema()::regnamespace
         and (a.attgenerated <> '' or a.attidentity <> '')`,
    )
    expect(computed).toEqual([])
    const names = await app.rows<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
         and not relispartition and relname not in ('schema_migrations', 'store_backup', 'store_state')
       order by relname collate "C"`,
    )
    const known = await listTables(app.database.db)
    expect(known.map(({ name }) => name)).toEqual(names.map(({ name }) => name))
  })
}

function expectWithoutKey(file: string): void {
  const text = gunzipSync(readFileSync(file)).toString('utf8')
  for (const encoding of ['hex', 'base64', 'latin1'] as const) {
    expect(text).not.toContain(KEY.toString(encoding))
  }
}

/** The backup as a later version would write it, with a migration that this version lacks. */
function withUnknownMigration(text: string): Buffer {
  const lines = text.split('\n').slice(0, -2)
  const { manifest } = JSON.parse(lines.pop() ?? '')
  manifest.migrations.push({ id: 9_999, name: 'from_the_future', checksum: 'x' })
  const body = [...lines, JSON.stringify({ manifest }), ''].join('\n')
  const sha256 = createHash('sha256').update(body).digest('hex')
  return gzipSync(`${body}${JSON.stringify({ sha256 })}\n`)
}

import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EngineWatch } from '../../../../src/storage/engine/embedded/durable-files.ts'
import { openEmbedded } from '../../../../src/storage/engine/embedded/open.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../../support/database.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { FailingFiles } from './faulty-files.ts'

const ROWS = 50

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string

beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
})
afterEach(() => folder.remove())

describe('a commit of the embedded engine', () => {
  it('is synced to disk every time, also after reopening', async () => {
    for (const table of ['first', 'second']) {
      const db = await openEmbedded({ dataDir }, silentLog)
      await db.query({ text: `create table ${table} (id int)` })
      const before = db.syncCount()
      for (let id = 0; id < ROWS; id += 1) {
        await db.query({ text: `insert into ${table} values ($1)`, values: [id] })
      }
      expect(db.syncCount() - before).toBeGreaterThanOrEqual(ROWS)
      await db.close()
    }
  })

  it('is not acknowledged when the sync fails, and neither is anything after it', async () => {
    const files = { isFailing: false }
    const createFiles = (path: string, watch: EngineWatch) => new FailingFiles(path, watch, files)
    const db = await openEmbedded({ dataDir, createFiles }, silentLog)
    await db.query({ text: 'create table t (id int)' })
    await db.query({ text: 'insert into t values (1)' })
    files.isFailing = true
    const unavailable = expect.objectContaining({ code: 'storage_unavailable' })
    await expect(db.query({ text: 'insert into t values (2)' })).rejects.toEqual(unavailable)
    files.isFailing = false
    await expect(db.query({ text: 'select 1' })).rejects.toEqual(unavailable)
    expect(await db.isReady()).toBe(false)
    await db.close()
    const reopened = await openEmbedded({ dataDir }, silentLog)
    expect(await reopened.query({ text: 'select id from t where id = 1' })).toEqual([{ id: 1 }])
    await reopened.close()
  })
})

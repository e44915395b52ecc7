import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EngineWatch } from '../../../../src/storage/engine/embedded/durable-files.ts'
import { openEmbedded } from '../../../../src/storage/engine/embedded/open.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../../support/database.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { FailingFiles, UnsyncedFiles, WithoutFileOperations } from './faulty-files.ts'
import { proveSurvival } from './kill-proof.ts'

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
  it('does not sync when nothing was written', async () => {
    const db = await openEmbedded({ dataDir }, silentLog)
    const before = db.syncCount()
    for (let id = 0; id < ROWS; id += 1) await db.query({ text: 'select 1' })
    expect(db.syncCount()).toBe(before)
    await db.close()
  })

  // More of them: kill.deep.test.ts.
  it('survives SIGKILL under load, and the lock of the killed process is no obstacle', () =>
    proveSurvival(dataDir, 1))

  it('does not hang on statements that were sent along with the one whose sync fails', async () => {
    const files = { isFailing: false }
    const createFiles = (path: string, watch: EngineWatch) => new FailingFiles(path, watch, files)
    const db = await openEmbedded({ dataDir, createFiles }, silentLog)
    const outcome = db.transaction(async (tx) => {
      await tx.query({ text: 'create table t (id int)' })
      files.isFailing = true
      const statements = ['insert into t values (1)', 'commit', 'insert into t values (2)']
      const outcomes = await Promise.allSettled(statements.map((text) => tx.query({ text })))
      return outcomes.map(({ status }) => status)
    })
    await expect(outcome).rejects.toMatchObject({ code: 'storage_unavailable' })
    await db.close()
  })
})

describe('the embedded engine refuses to start', () => {
  it('when its file system does not sync, though all settings are right', async () => {
    const createFiles = (path: string, watch: EngineWatch) => new UnsyncedFiles(path, watch)
    const opening = openEmbedded({ dataDir, createFiles }, silentLog)
    await expect(opening).rejects.toThrow('did not sync a commit to disk')
  })

  it('when the module has no file operations to hook into', async () => {
    const createFiles = (path: string, watch: EngineWatch) => new WithoutFileOperations(path, watch)
    const opening = openEmbedded({ dataDir, createFiles }, silentLog)
    await expect(opening).rejects.toThrow('cannot be made durable')
  })

  it('and leaves the folder free for the next try', async () => {
    const createFiles = (path: string, watch: EngineWatch) => new UnsyncedFiles(path, watch)
    await expect(openEmbedded({ dataDir, createFiles }, silentLog)).rejects.toThrow()
    const db = await openEmbedded({ dataDir }, silentLog)
    expect(await db.isReady()).toBe(true)
    await db.close()
  })
})

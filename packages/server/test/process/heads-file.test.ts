import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compareHeads, startKeepingHeads } from '../../src/process/heads-file.ts'
import { findClosedStore, finishRestore } from '../../src/storage/backup/finish-restore.ts'
import { findStoreState } from '../../src/storage/backup/store-state.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTemporaryFolder } from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'

let app: TestApp
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeEach(async () => {
  app = await createTestApp()
  folder = await createTemporaryFolder()
})
afterEach(async () => {
  await app.stop()
  await folder.remove()
})

test('a store that is behind a kept head is closed at the start, until an operator accepts it', async () => {
  const { db } = app.database
  await db.query({ text: "insert into installation (master_key_check) values ('x')" })
  const path = join(folder.path, 'heads.json')
  const parts = { db, path, log: silentLog }
  await compareHeads(parts)
  await anActiveMandate(await app.organization())
  await sealAll(app, db)
  const keeping = startKeepingHeads(parts)
  await keeping?.round()
  await keeping?.stop()
  await compareHeads(parts)
  expect(await findStoreState(db)).toBeUndefined()
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  kept.heads[0].size += 1
  writeFileSync(path, JSON.stringify(kept))
  await compareHeads(parts)
  expect(await findStoreState(db)).toMatchObject({ state: 'behind' })
  expect((await findClosedStore(db)).note).toContain('heads.json')
  await finishRestore(db, false)
  await compareHeads(parts)
  expect(await findStoreState(db)).toBeUndefined()
  writeFileSync(path, '{')
  await expect(compareHeads(parts)).rejects.toThrow('PURSER_HEADS_FILE')
})

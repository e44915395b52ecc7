import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePrepared } from '../../../../src/storage/engine/embedded/make-prepared.ts'
import {
  type EmbeddedDatabase,
  openEmbedded,
} from '../../../../src/storage/engine/embedded/open.ts'
import { migrate } from '../../../../src/storage/engine/migrate.ts'
import { createTemporaryFolder } from '../../../support/database.ts'
import { silentLog } from '../../../support/silent-log.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let db: EmbeddedDatabase

beforeAll(async () => {
  folder = await createTemporaryFolder()
  const preparedFolder = join(folder.path, 'prepared')
  await makePrepared(preparedFolder)
  db = await openEmbedded({ dataDir: join(folder.path, 'data'), preparedFolder }, silentLog)
})
afterAll(async () => {
  await db.close()
  await folder.remove()
})

test('the database that the build makes lacks no migration and holds nobody', async () => {
  expect(await migrate(db)).toBe(0)
  for (const table of ['installation', 'organizations', 'api_keys']) {
    expect(await db.query({ text: `select 1 from ${table}` })).toEqual([])
  }
})

test('the database that the build makes has the partitions of three months', async () => {
  const rows = await db.query({
    text: `select inhrelid::regclass::text as name from pg_inherits
           where inhparent = 'transactions'::regclass and inhrelid <> 'transactions_rest'::regclass`,
  })
  expect(rows).toHaveLength(3)
})

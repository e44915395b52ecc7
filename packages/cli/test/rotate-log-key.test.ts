import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../server/test/support/database.ts'
import { killPursers, startPurser } from './support/purser.ts'

describeOnPostgres('purser rotate-log-key', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let database: TestDatabase
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    database = await createTestDatabase('postgres')
  })
  afterEach(async () => {
    killPursers()
    await database.drop()
    await folder.remove()
  })

  test('makes a key beside the one before, and says how long both sign', async () => {
    const place = { PURSER_DATA_DIR: join(folder.path, 'data'), DATABASE_URL: database.url }
    const rotation = await startPurser(['rotate-log-key'], place)
    expect(await rotation.exited()).toBe(0)
    expect(rotation.lines.join('\n')).toMatch(
      /^A new key signs the audit logs, and the key before beside it until 20\S+Z\.$/m,
    )
    const keys = await database.db.query({
      text: `select name from installation_secrets where name like 'audit-log-key:%'`,
    })
    expect(keys).toHaveLength(2)
  })
})

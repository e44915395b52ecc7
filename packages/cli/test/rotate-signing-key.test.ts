import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../server/test/support/database.ts'
import { killPursers, startPurser } from './support/purser.ts'

describeOnPostgres('purser rotate-signing-key', () => {
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

  test('says which key signs from when, and refuses a second one until then', async () => {
    const place = { PURSER_DATA_DIR: join(folder.path, 'data'), DATABASE_URL: database.url }
    const first = await startPurser(['rotate-signing-key'], place)
    expect(await first.exited()).toBe(0)
    expect(first.lines.join('\n')).toMatch(
      /^The key \S{43} is published, and signs from 20\S+Z\.\nThe key before is published until 20\S+Z\.$/m,
    )
    const second = await startPurser(['rotate-signing-key'], place)
    expect(await second.exited()).toBe(1)
    expect(second.told.join('\n')).toContain('Nothing was changed')
  })
})

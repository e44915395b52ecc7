import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import {
  createTemporaryFolder,
  createTestDatabase,
  type TestDatabase,
} from '../../../server/test/support/database.ts'
import { killPursers, startPurser } from './purser.ts'

type Settings = Readonly<Record<string, string>>

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder and a PostgreSQL database of its own for each test; gives what runs `purser` on them. */
export function aroundInstallation(): (args: readonly string[], env?: Settings) => Promise<Said> {
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
  return async (args, env = {}) => {
    const place = { PURSER_DATA_DIR: join(folder.path, 'data'), DATABASE_URL: database.url }
    const command = await startPurser(args, { ...place, ...env })
    const code = await command.exited()
    return { code, stdout: command.lines.join('\n'), stderr: command.told.join('\n') }
  }
}

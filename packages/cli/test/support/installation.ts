import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  copyEmbeddedTemplate,
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

/** Runs `purser`, and gives what it said. */
async function run(args: readonly string[], env: Settings): Promise<Said> {
  const command = await startPurser(args, env)
  const code = await command.exited()
  return { code, stdout: command.lines.join('\n'), stderr: command.told.join('\n') }
}

/** A folder and a PostgreSQL database of its own for each test: what runs `purser` on them, and asks the latter. */
export function aroundInstallation() {
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
  const purser = (args: readonly string[], env: Settings = {}): Promise<Said> => {
    const place = { PURSER_DATA_DIR: join(folder.path, 'data'), DATABASE_URL: database.url }
    return run(args, { ...place, ...env })
  }
  return Object.assign(purser, { rows: (text: string) => database.db.query({ text }) })
}

/** One embedded database that the tests of a file share. */
export interface EmbeddedInstallation {
  dataDir(): string
  purser(...args: readonly string[]): Promise<Said>
}

export function shareEmbedded(): EmbeddedInstallation {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  const dataDir = (): string => join(folder.path, 'data')
  beforeAll(async () => {
    folder = await createTemporaryFolder()
    copyEmbeddedTemplate(dataDir())
  })
  afterEach(killPursers)
  afterAll(() => folder.remove())
  return { dataDir, purser: (...args) => run(args, { PURSER_DATA_DIR: dataDir() }) }
}

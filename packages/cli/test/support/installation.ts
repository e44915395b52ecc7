import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  type TestDatabase,
  usualEngine,
} from '../../../server/test/support/database.ts'
import { callPurser } from './in-process.ts'
import { killPursers, startPurser } from './purser.ts'

type Settings = Readonly<Record<string, string>>

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `purser` in a process of its own, and gives what it said. */
async function runProcess(args: readonly string[], env: Settings): Promise<Said> {
  const command = await startPurser(args, env)
  const code = await command.exited()
  return { code, stdout: command.lines.join('\n'), stderr: command.told.join('\n') }
}

/** The same in the process of the test. */
async function runHere(args: readonly string[], env: Settings): Promise<Said> {
  const command = await callPurser(args, env)
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
  const place = () => ({
    PURSER_DATA_DIR: join(folder.path, 'data'),
    DATABASE_URL: database.url,
  })
  const purser = (args: readonly string[], env: Settings = {}): Promise<Said> =>
    runHere(args, { ...place(), ...env })
  return Object.assign(purser, {
    process: (args: readonly string[], env: Settings = {}) =>
      runProcess(args, { ...place(), ...env }),
    rows: (text: string) => database.db.query({ text }),
  })
}

/** One installation that the tests of a file share. */
export interface SharedInstallation {
  dataDir(): string
  /** The settings that lead to it. */
  settings(): Settings
  /** Runs a command in the process of the test. */
  purser(...args: readonly string[]): Promise<Said>
  /** Runs a command in a process of its own. */
  purserProcess(...args: readonly string[]): Promise<Said>
}

/** On the usual engine. */
export function shareInstallation(): SharedInstallation {
  return share(() => usualEngine() === 'embedded')
}

/** On the embedded engine, where each command takes seconds. */
export function shareEmbedded(): SharedInstallation {
  return share(() => true)
}

function share(isEmbedded: () => boolean): SharedInstallation {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let database: TestDatabase | undefined
  const dataDir = (): string => join(folder.path, 'data')
  const settings = (): Settings => ({
    PURSER_DATA_DIR: dataDir(),
    ...(database && { DATABASE_URL: database.url }),
  })
  beforeAll(async () => {
    folder = await createTemporaryFolder()
    if (isEmbedded()) copyEmbeddedTemplate(dataDir())
    else database = await createTestDatabase('postgres')
  })
  afterEach(killPursers)
  afterAll(async () => {
    await database?.drop()
    await folder.remove()
  })
  return {
    dataDir,
    settings,
    purser: (...args) => runHere(args, settings()),
    purserProcess: (...args) => runProcess(args, settings()),
  }
}

import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, inject } from 'vitest'
import type { Database, Refusals } from '../../src/storage/engine/database.ts'
import { openEmbedded } from '../../src/storage/engine/embedded/open.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { silentLog } from './silent-log.ts'
import { temporaryRoot } from './temporary-root.ts'

export type Engine = Database['engine']

export interface TestDatabase {
  readonly db: Database
  /** For a second process or pool on the same database. One of the two is empty. */
  readonly dataDir: string
  readonly url: string
  /** Closes `db` and removes the database. */
  drop(): Promise<void>
}

/**
 * The engine of a test that is not about an engine: PostgreSQL, because it is five times as fast,
 * or the embedded engine if there is no PostgreSQL. `npm run test:nightly` runs the same tests on
 * the embedded engine.
 */
export function usualEngine(): Engine {
  return inject('postgresUrl') === '' ? 'embedded' : 'postgres'
}

/**
 * Creates a migrated database with no rows beyond those of the migrations. On PostgreSQL it has the
 * partitions of the coming months.
 */
export function createTestDatabase(
  engine: Engine = usualEngine(),
  refusals?: Refusals,
): Promise<TestDatabase> {
  return engine === 'embedded'
    ? createEmbeddedDatabase(refusals)
    : createPostgresDatabase('purser_template', refusals)
}

/** Creates an empty database on the test server, without migrations. */
export function createEmptyPostgresDatabase(): Promise<TestDatabase> {
  return createPostgresDatabase('template0')
}

/** Tests that need a real server. If there is none, they are skipped, and the test run says so. */
export function describeOnPostgres(name: string, define: () => void): void {
  const hasServer = inject('postgresUrl') !== ''
  const reason = hasServer ? '' : ' (skipped: no PostgreSQL in this run)'
  describe.skipIf(!hasServer)(`${name}${reason}`, define)
}

/**
 * For tests that take long on the embedded engine: `npm test` runs them on the usual engine, and
 * the deep suite, which lists their files, on the embedded one.
 */
export function describeOnUsualEngine(name: string, define: (engine: Engine) => void): void {
  const engine = usualEngine()
  describe(`${name} on ${engine === 'embedded' ? 'the embedded engine' : 'PostgreSQL'}`, () =>
    define(engine))
}

/** The same tests on the embedded engine and on PostgreSQL. */
export function describeOnEveryEngine(name: string, define: (engine: Engine) => void): void {
  describe(`${name} on the embedded engine`, () => define('embedded'))
  describeOnPostgres(`${name} on PostgreSQL`, () => define('postgres'))
}

/** Creates a temporary folder; `remove` deletes it. */
export async function createTemporaryFolder(): Promise<{
  readonly path: string
  remove(): Promise<void>
}> {
  const path = await mkdtemp(join(temporaryRoot(), 'purser-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

async function createEmbeddedDatabase(refusals?: Refusals): Promise<TestDatabase> {
  const folder = await createTemporaryFolder()
  const dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
  const db = await openEmbedded({ dataDir, ...(refusals && { refusals }) }, silentLog)
  const drop = async (): Promise<void> => {
    await db.close()
    await folder.remove()
  }
  return { db, dataDir, url: '', drop }
}

/** Creates a data folder with a migrated database that no process has open. */
export function copyEmbeddedTemplate(dataDir: string): void {
  // There are a thousand small files, and the asynchronous copy takes twice as long.
  cpSync(inject('embeddedTemplate'), dataDir, { recursive: true })
}

async function createPostgresDatabase(
  template: string,
  refusals?: Refusals,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying the files takes half the CPU of writing them to the write-ahead log, which is the
  // default.
  await onServers(`create database ${name} template ${template} strategy file_copy`)
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href
  const db = await openPostgres({ url, ...(refusals && { refusals }) }, silentLog)
  const drop = async (): Promise<void> => {
    await db.close()
    await onServers(`drop database ${name} with (force)`)
  }
  return { db, dataDir: '', url, drop }
}

/** Runs a statement on the server itself, outside of any test's database. */
export async function onServer(text: string): Promise<void> {
  server ??= openPostgres({ url: inject('postgresUrl'), connectionsMax: 1 }, silentLog)
  await (await server).query({ text })
}

/** The same on each node: a distributed database has the same name on all of them. */
async function onServers(text: string): Promise<void> {
  await onServer(text)
  for (const url of inject('workerUrls')) {
    const node = nodes.get(url) ?? openPostgres({ url, connectionsMax: 1 }, silentLog)
    nodes.set(url, node)
    await (await node).query({ text })
  }
}

/** One connection for all files of a worker, open until it ends: a new one costs the server 8 ms of CPU. */
let server: Promise<Database> | undefined
const nodes = new Map<string, Promise<Database>>()

import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/storage/migrate.ts'
import { openPostgres } from '../../src/storage/postgres.ts'
import { prepareEmbeddedTemplate } from './embedded-template.ts'
import { findPostgres, type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run, or an empty string when the machine has no PostgreSQL. */
    readonly postgresUrl: string
    readonly embeddedTemplate: string
  }
}

const NOTICE = `
  ╔══════════════════════════════════════════════════════════════════════════════╗
  ║  NO POSTGRESQL WAS FOUND ON THIS MACHINE.                                    ║
  ║  The tests of concurrency, locks and lost connections are SKIPPED.           ║
  ║  Install it (Debian: apt-get install postgresql) or put it on the PATH.      ║
  ║  With PURSER_REQUIRE_POSTGRES=1 this is a failure.                           ║
  ╚══════════════════════════════════════════════════════════════════════════════╝
`

let server: PostgresServer | undefined

/** Runs once per test run, before the first test file. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('embeddedTemplate', await prepareEmbeddedTemplate())
  server = await startServer()
  if (server !== undefined) await createTemplateDatabase(server.url)
  project.provide('postgresUrl', server?.url ?? '')
}

export async function teardown(): Promise<void> {
  await server?.stop()
}

async function startServer(): Promise<PostgresServer | undefined> {
  const binFolder = findPostgres()
  if (binFolder !== undefined) return startPostgresServer(binFolder)
  console.error(NOTICE)
  if (process.env['PURSER_REQUIRE_POSTGRES'] !== '1') return undefined
  throw new Error('PostgreSQL was not found, and PURSER_REQUIRE_POSTGRES is set.')
}

async function createTemplateDatabase(url: string): Promise<void> {
  const admin = await openPostgres({ url }, silentLog)
  await admin.query({ text: 'create database purser_template' })
  await admin.close()
  const templateUrl = Object.assign(new URL(url), { pathname: '/purser_template' }).href
  const template = await openPostgres({ url: templateUrl }, silentLog)
  await migrate(template)
  await template.close()
}

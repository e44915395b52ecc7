import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { ensurePartitions } from '../../src/storage/engine/partitions.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { bundleLibraries } from './bundled-libraries.ts'
import { prepareEmbeddedTemplate } from './embedded-template.ts'
import { findPostgres, type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { printFailure } from './print-failure.ts'
import { silentLog } from './silent-log.ts'
import { temporaryRoot } from './temporary-root.ts'
import { findChainEngine } from './x402/chain-engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this test run, or an empty string if it has no PostgreSQL. */
    readonly postgresUrl: string
    /** The workers of a distributed server. */
    readonly workerUrls: readonly string[]
    readonly embeddedTemplate: string
    /** The program that runs the chains of this test run, or an empty string if there is none. */
    readonly chainEngine: string
  }
}

const NO_POSTGRES = `
  ╔══════════════════════════════════════════════════════════════════════════════╗
  ║  NO POSTGRESQL WAS FOUND ON THIS MACHINE.                                    ║
  ║  The tests of concurrency, locks and lost connections are SKIPPED; all       ║
  ║  others run on the embedded engine, which takes twice as long.               ║
  ║  Install it (Debian: apt-get install postgresql) or put it on the PATH.      ║
  ║  With PURSER_REQUIRE_POSTGRES=1 this is a failure.                           ║
  ╚══════════════════════════════════════════════════════════════════════════════╝
`

const NO_CHAIN = `
  ╔══════════════════════════════════════════════════════════════════════════════╗
  ║  NO ETHEREUM CHAIN RUNS ON THIS MACHINE.                                     ║
  ║  The tests that pay with x402 are SKIPPED.                                   ║
  ║  npm brings a chain for Linux with glibc, on x64 and arm64.                  ║
  ║  With PURSER_REQUIRE_CHAIN=1 this is a failure.                              ║
  ╚══════════════════════════════════════════════════════════════════════════════╝
`

const servers: PostgresServer[] = []

/** Runs once per test run and project, before the first test file. */
export function setup(project: TestProject): Promise<void> {
  return printFailure(() => startParts(project))
}

async function startParts(project: TestProject): Promise<void> {
  project.provide('chainEngine', findChain())
  await bundleLibraries()
  project.provide('embeddedTemplate', await prepareEmbeddedTemplate())
  const server = await startServer({ ...process.env, ...project.config.env })
  if (server !== undefined) servers.push(server)
  if (server !== undefined) await createTemplateDatabase(server.url)
  project.provide('postgresUrl', server?.url ?? '')
  project.provide('workerUrls', [])
}

export async function teardown(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop()
}

async function startServer(env: NodeJS.ProcessEnv): Promise<PostgresServer | undefined> {
  // Runs as on a machine that has only the embedded engine.
  if (env['PURSER_TEST_ENGINE'] === 'embedded') return undefined
  const binFolder = findPostgres()
  const fsync = env['PURSER_TEST_DISK'] === '1' ? 'on' : 'off'
  if (binFolder !== undefined)
    return startPostgresServer(binFolder, { root: temporaryRoot(env), fsync })
  console.error(NO_POSTGRES)
  if (env['PURSER_REQUIRE_POSTGRES'] !== '1') return undefined
  throw new Error('PostgreSQL was not found, and PURSER_REQUIRE_POSTGRES is set.')
}

export function findChain(): string {
  const engine = findChainEngine()
  if (engine !== undefined) return engine.name
  console.error(NO_CHAIN)
  if (process.env['PURSER_REQUIRE_CHAIN'] !== '1') return ''
  throw new Error('No chain runs on this machine, and PURSER_REQUIRE_CHAIN is set.')
}

async function createTemplateDatabase(url: string): Promise<void> {
  const admin = await openPostgres({ url }, silentLog)
  await admin.query({ text: 'create database purser_template' })
  await admin.close()
  const templateUrl = Object.assign(new URL(url), { pathname: '/purser_template' }).href
  const template = await openPostgres({ url: templateUrl }, silentLog)
  await migrate(template)
  // A start would create them: in each database that costs twice as much as the copy of the template.
  await ensurePartitions(template, Date.now())
  await template.close()
}

import type { TestProject } from 'vitest/node'
import { distributeTables } from '../../src/storage/distributed/distribute.ts'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { bundleLibraries } from './bundled-libraries.ts'
import { type CitusCluster, createOnNodes, quiet, startCitusCluster } from './citus-cluster.ts'
import { prepareEmbeddedTemplate } from './embedded-template.ts'
import { findChain } from './global-setup.ts'
import { printFailure } from './print-failure.ts'
import { silentLog } from './silent-log.ts'
import { temporaryRoot } from './temporary-root.ts'

const TEMPLATE = 'purser_template'

let cluster: CitusCluster | undefined

/**
 * The global setup of `npm run test:distributed`: the database of each test is distributed over two
 * workers. A copy of a distributed database is a copy on each node, under the same name. The partitions
 * of the months are created by each gateway, because that is to be tested too.
 */
export function setup(project: TestProject): Promise<void> {
  return printFailure(() => startDistributed(project))
}

async function startDistributed(project: TestProject): Promise<void> {
  const binFolder = process.env['PURSER_CITUS']
  if (binFolder === undefined) {
    throw new Error(
      'Set PURSER_CITUS to the folder with the programs of a PostgreSQL that has Citus. CONTRIBUTING.md says how to build one.',
    )
  }
  project.provide('chainEngine', findChain())
  await bundleLibraries()
  project.provide('embeddedTemplate', await prepareEmbeddedTemplate())
  cluster = await startCitusCluster(binFolder, temporaryRoot())
  const db = await openPostgres({ url: await createOnNodes(cluster, TEMPLATE) }, silentLog)
  await migrate(db)
  await distributeTables(db, undefined, () => {})
  await db.close()
  await quiet(cluster, TEMPLATE)
  project.provide('postgresUrl', cluster.coordinator.url)
  project.provide(
    'workerUrls',
    cluster.workers.map(({ url }) => url),
  )
}

export async function teardown(): Promise<void> {
  await cluster?.stop()
}

import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { silentLog } from './silent-log.ts'

/** The addresses of a coordinator and its workers. */
interface Nodes {
  readonly coordinator: Pick<PostgresServer, 'url'>
  readonly workers: readonly Pick<PostgresServer, 'url'>[]
}

/** A coordinator and its workers, each a server of its own on the loopback. */
export interface CitusCluster extends Nodes {
  readonly coordinator: PostgresServer
  readonly workers: readonly PostgresServer[]
  stop(): Promise<void>
}

interface ClusterSettings {
  readonly workers?: number
  /** Without it, commits do not survive a crash of the machine, and the tests take less time. */
  readonly fsync?: 'on' | 'off'
  /** Further settings of all servers, such as `wal_level=logical`. */
  readonly settings?: readonly string[]
  /** Called with each line of a server's log; the coordinator is number 0. */
  readonly onLine?: (line: string, server: number) => void
}

/** Small, because three servers share the machine with the tests. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'shared_buffers=32MB',
  'max_prepared_transactions=200',
  // Each table has as many parts as there are shards, and each part its own lock.
  'max_locks_per_transaction=512',
  // Citus has a process for each database that was used.
  'max_worker_processes=100',
  'citus.shard_count=4',
  // All nodes are on the loopback.
  'citus.node_conninfo=sslmode=disable',
  'citus.enable_statistics_collection=off',
  'citus.recover_2pc_interval=5s',
  'citus.node_connection_timeout=5s',
]

/** `binFolder` has the programs of a PostgreSQL with Citus (CONTRIBUTING.md, Tests). */
export async function startCitusCluster(
  binFolder: string,
  root: string,
  options: ClusterSettings = {},
): Promise<CitusCluster> {
  const { workers: workerCount = 2, fsync = 'off', onLine } = options
  const servers: PostgresServer[] = []
  const stop = async (): Promise<void> => {
    for (const server of servers.splice(0)) await server.stop()
  }
  const settings = [...SETTINGS, ...(options.settings ?? [])]
  try {
    for (let count = 0; count <= workerCount; count += 1) {
      const server = { root, fsync, settings, onLine: (line: string) => onLine?.(line, count) }
      servers.push(await startPostgresServer(binFolder, server))
    }
  } catch (error) {
    await stop()
    throw error
  }
  const [coordinator, ...workers] = servers
  if (coordinator === undefined) throw new Error('No server was started.')
  return { coordinator, workers, stop }
}

/** Creates a database on all nodes, and makes them know each other. Returns its URL. */
export async function createOnNodes(
  { coordinator, workers }: Nodes,
  name: string,
): Promise<string> {
  for (const { url } of [coordinator, ...workers]) {
    await run(url, `create database ${name}`)
    await run(inDatabase(url, name), 'create extension citus')
  }
  const url = inDatabase(coordinator.url, name)
  await run(url, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`)
  for (const worker of workers) {
    await run(url, `select citus_add_node('127.0.0.1', ${portOf(worker)})`)
  }
  return url
}

/** Ends the background processes of Citus in a database, so that it can be copied. */
export async function quiet({ coordinator, workers }: Nodes, name: string): Promise<void> {
  for (const { url } of [coordinator, ...workers]) {
    await run(url, `alter database ${name} allow_connections false`)
    await run(
      url,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
    )
  }
}

function inDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

function portOf({ url }: Pick<PostgresServer, 'url'>): string {
  return new URL(url).port
}

async function run(url: string, text: string): Promise<void> {
  const db = await openPostgres({ url, connectionsMax: 1 }, silentLog)
  try {
    await db.query({ text })
  } finally {
    await db.close()
  }
}

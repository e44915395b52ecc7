import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { distributeStore } from '../packages/server/src/operator/migrate-store.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { createOnNodes, startCitusCluster } from '../packages/server/test/support/citus-cluster.ts'
import {
  type PostgresServer,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import {
  type CountedCommands,
  countCommands,
  createStatementLog,
  LOG_SETTINGS,
  type LoggedServer,
} from './distributed-commands.ts'
import { seedOnEachWorker } from './distributed-seed.ts'
import {
  bodiesFor,
  type Contender,
  createDatabase,
  EVALUATE,
  keep,
  quantile,
  readTreeCpuMicros,
  runLoad,
  startGateway,
  toHundredths,
} from './harness.ts'
import type { LoadResult } from './load.ts'
import type { Seeded } from './seed.ts'

/**
 * Measures decisions on plain PostgreSQL, and on a coordinator with one and with two workers, in turns.
 * All servers share one machine, so the rate cannot grow with workers. The cost of a decision is the
 * CPU time of each part and the number of commands (ADR 64).
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)
const CONNECTIONS = (process.env['BENCH_CONNECTIONS'] ?? '1,16,64').split(',').map(Number)
const PORT = 4150
const SETTINGS = ['shared_buffers=64MB', ...LOG_SETTINGS]

/** A gateway and the servers of its database. */
interface Store {
  readonly gateway: Contender
  readonly organizations: readonly Seeded[]
  /** A plain PostgreSQL, or the coordinator and its workers. */
  readonly servers: readonly (LoggedServer & { readonly pid: number })[]
}

type Stop = () => Promise<void>

async function main(): Promise<void> {
  const bin = process.env['PURSER_CITUS']
  if (bin === undefined)
    throw new Error('Set PURSER_CITUS. CONTRIBUTING.md says how to build Citus.')
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const stops: Stop[] = []
  try {
    const stores: Store[] = []
    for (const workers of [0, 1, 2]) stores.push(await open(bin, folder, workers, stops))
    const rows = await measureAll(stores)
    const commands = []
    for (const { gateway, organizations, servers } of stores) {
      const load = () => send(gateway, organizations, 1, SECONDS)
      commands.push({ store: gateway.name, ...(await countCommands(servers, load)) })
    }
    const lines = [...toTable(rows), ...commands.map(toSentence)]
    await keep('distributed', lines, { rounds: ROUNDS, seconds: SECONDS, rows, commands })
  } finally {
    for (const stop of stops.reverse()) await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function open(bin: string, folder: string, workers: number, stops: Stop[]): Promise<Store> {
  const name = workers === 0 ? 'plain' : `${workers} worker${workers === 1 ? '' : 's'}`
  const port = PORT + workers
  const place = { PURSER_DATA_DIR: join(folder, String(workers)), PURSER_PORT: String(port) }
  const { servers, url } = await openServers(bin, workers, stops)
  const env = { ...place, DATABASE_URL: url }
  if (workers > 0) await distributeStore(readConfig(env), silentLog, { shardCount: 8 })
  const organizations = await seedOnEachWorker(env, workers)
  const [seeded] = organizations
  if (!seeded) throw new Error('There is no organization.')
  const gateway = await startGateway(name, env, seeded)
  stops.push(gateway.stop)
  return { gateway, organizations, servers }
}

async function openServers(
  bin: string,
  workers: number,
  stops: Stop[],
): Promise<Pick<Store, 'servers'> & { readonly url: string }> {
  const logs = Array.from({ length: workers + 1 }, createStatementLog)
  const onLine = (line: string, server = 0) => logs[server]?.onLine(line)
  const logged = ({ url, pid }: PostgresServer, at: number) => {
    const log = logs[at] ?? createStatementLog()
    return { url, pid, log }
  }
  if (workers === 0) {
    const server = await startPostgresServer(bin, { settings: SETTINGS, onLine })
    stops.push(server.stop)
    return { servers: [logged(server, 0)], url: await createDatabase(server.url, 'bench') }
  }
  const options = { workers, fsync: 'on', settings: SETTINGS, onLine } as const
  const cluster = await startCitusCluster(bin, tmpdir(), options)
  stops.push(cluster.stop)
  const servers = [cluster.coordinator, ...cluster.workers].map(logged)
  return { servers, url: await createOnNodes(cluster, 'bench') }
}

/** The agents of the organizations take turns. */
function send(
  { name, port }: Contender,
  organizations: readonly Seeded[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const agents = organizations[0]?.agentIds ?? []
  const agentIds = agents.flatMap((_, at) => organizations.map((one) => one.agentIds[at] ?? ''))
  const apiKey = organizations.map((one) => one.apiKey)
  const bodies = bodiesFor(agentIds)
  return runLoad(name, { port, connections, seconds, path: EVALUATE, apiKey, bodies })
}

/** CPU times are µs per decision. */
interface Slice extends LoadResult {
  readonly gateway: number
  readonly first: number
  readonly workers: number
  readonly databases: number
  /** Bytes of write-ahead log per decision, of all servers. */
  readonly wal: number
}

async function measureSlice(store: Store, connections: number): Promise<Slice> {
  const walBefore = await readWalBytes(store)
  const { gateway, organizations, servers } = store
  const [first, ...workers] = servers.map(({ pid }) => pid)
  if (first === undefined) throw new Error('There is no server.')
  const read = () => ({
    gateway: readTreeCpuMicros(gateway.pid),
    first: readTreeCpuMicros(first),
    workers: workers.reduce((sum, pid) => sum + readTreeCpuMicros(pid), 0),
  })
  const before = read()
  const result = await send(gateway, organizations, connections, SECONDS)
  const after = read()
  const each = (part: keyof typeof before) =>
    Math.round((after[part] - before[part]) / result.requests)
  const [ofFirst, ofWorkers] = [each('first'), each('workers')]
  const databases = ofFirst + ofWorkers
  const wal = Math.round(((await readWalBytes(store)) - walBefore) / result.requests)
  return { ...result, gateway: each('gateway'), first: ofFirst, workers: ofWorkers, databases, wal }
}

async function readWalBytes({ servers }: Store): Promise<number> {
  let bytes = 0
  for (const { url } of servers) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(`select (pg_current_wal_lsn() - '0/0')::float as bytes`)
    bytes += rows[0]?.bytes ?? Number.NaN
    await client.end()
  }
  return bytes
}

interface Row extends Pick<Slice, Figure> {
  readonly connections: number
  readonly store: string
  /** To plain PostgreSQL, in the same round. */
  readonly ratios: Readonly<Record<Figure, number>>
}

const FIGURES = [
  ...(['perSecond', 'p50', 'p99'] as const),
  ...(['gateway', 'first', 'workers', 'databases', 'wal'] as const),
]
type Figure = (typeof FIGURES)[number]

async function measureAll(stores: readonly Store[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const connections of CONNECTIONS) {
    const slices = stores.map((): Slice[] => [])
    // The first round warms up, and is discarded.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [at, store] of stores.entries()) {
        const slice = await measureSlice(store, connections)
        if (round > 0) slices[at]?.push(slice)
      }
    }
    rows.push(...stores.map((store, at) => toRow(connections, store, slices[at], slices[0])))
    console.error(`measured: ${connections} connections`)
  }
  return rows
}

function toRow(
  connections: number,
  { gateway }: Store,
  slices: readonly Slice[] = [],
  plain: readonly Slice[] = [],
): Row {
  const record = (value: (figure: Figure) => number) =>
    Object.fromEntries(FIGURES.map((figure) => [figure, value(figure)])) as Record<Figure, number>
  const ofRound = (figure: Figure) =>
    slices.map((slice, at) => slice[figure] / (plain[at]?.[figure] ?? Number.NaN))
  return {
    connections,
    store: gateway.name,
    ...record((figure) =>
      quantile(
        slices.map((slice) => slice[figure]),
        0.5,
      ),
    ),
    ratios: record((figure) => toHundredths(quantile(ofRound(figure), 0.5))),
  }
}

function toTable(rows: readonly Row[]): string[] {
  return [
    `Medians of ${ROUNDS} slices of ${SECONDS} s; × is the ratio to plain in the same round. CPU is µs per decision.`,
    '| Connections | Store | decisions/s (×) | p50, p99 ms | p50 × | CPU gateway (×) | CPU PostgreSQL or coordinator + workers (×) | WAL bytes |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const { connections, store, perSecond, p50, p99, gateway, first, workers, wal, ratios } = row
      const cpu = `${gateway} (${ratios.gateway}) | ${first} + ${workers} (${ratios.databases})`
      return `| ${connections} | ${store} | ${perSecond} (${ratios.perSecond}) | ${p50}, ${p99} | ${ratios.p50} | ${cpu} | ${wal} |`
    }),
  ]
}

function toSentence(counted: CountedCommands & { readonly store: string }): string {
  const { store, decisions, statements, workerCommands, prepared } = counted
  return `${store}: ${statements} statements and ${workerCommands} worker commands per lone decision, ${prepared} of ${decisions} in two phases.`
}

await main()

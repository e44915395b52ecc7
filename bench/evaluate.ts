import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../packages/server/src/storage/new-id.ts'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import {
  type Contender,
  keep,
  load,
  ROOT,
  readTreeCpuMicros,
  start,
  startGateway,
  TSX,
  toHundredths,
} from './harness.ts'
import type { LoadResult } from './load.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { seed } from './seed.ts'

/**
 * Compares full HTTP evaluate with the framework alone and with the naive design, on one machine in
 * one run. Short slices of each are interleaved, so that a noisy neighbour affects all of them
 * equally. The medians of the slices are compared; read the ratios.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const AGENTS = 1_000
/** The first of the ports that the contenders listen on. */
const PORT = Number(process.env['BENCH_PORT'] ?? 4100)
const ONLY = process.env['BENCH_ONLY']?.split(',')

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const contenders: Contender[] = []
  const stops: (() => Promise<void>)[] = []
  try {
    await startAll(folder, bin, contenders, stops)
    await warmUp(contenders)
    const measured: Measured = new Map()
    for (const scenario of SCENARIOS) {
      measured.set(scenario.name, await measureScenario(contenders, scenario))
      console.error(`measured: ${scenario.name}`)
    }
    const rows = [...measured].flatMap(([scenario, byName]) => compare(scenario, byName))
    await keep('evaluate', table(rows), { rounds: ROUNDS, seconds: SECONDS, rows })
  } finally {
    for (const contender of contenders) await contender.stop()
    for (const stop of stops) await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Each contender with a database has a server of its own, so that the CPU time of that server
 * belongs to it.
 */
async function startAll(
  folder: string,
  bin: string,
  started: Contender[],
  stops: (() => Promise<void>)[],
): Promise<void> {
  const wanted = (name: string): boolean => ONLY === undefined || ONLY.includes(name)
  const source = (file: string): string[] => [TSX, '--conditions=@purser/source', join(ROOT, file)]

  async function startDatabase(name: string, port: string) {
    const server = await startPostgresServer(bin)
    stops.push(server.stop)
    const place = { DATABASE_URL: server.url, PURSER_DATA_DIR: join(folder, name) }
    const env = { ...place, PURSER_PORT: port }
    return { env, server, seeded: await seed(env, AGENTS) }
  }

  if (wanted('bare')) {
    const command = [...source('bench/contenders/bare.ts'), String(PORT)]
    const anyone = { apiKey: 'none', agentIds: [newId(Date.now())] }
    started.push(await start('bare', PORT, command, {}, anyone))
  }
  if (wanted('purser')) {
    const { env, server, seeded } = await startDatabase('purser', String(PORT + 1))
    const gateway = await startGateway('purser', env, seeded)
    started.push({ ...gateway, databasePid: server.pid })
  }
  for (const [name, port] of [
    ['naive', PORT + 2],
    ['bare-sql', PORT + 5],
  ] as const) {
    if (!wanted(name)) continue
    const { server, seeded } = await startDatabase(name, String(port))
    const command = [...source(`bench/contenders/${name}.ts`), String(port), server.url]
    const contender = await start(name, port, command, {}, seeded)
    started.push({ ...contender, databasePid: server.pid })
  }
  if (wanted('embedded')) {
    const embedded = { PURSER_DATA_DIR: join(folder, 'embedded'), PURSER_PORT: String(PORT + 3) }
    started.push(await startGateway('embedded', embedded, await seed(embedded, AGENTS)))
  }
}

const WARM_SECONDS = Number(process.env['BENCH_WARM_SECONDS'] ?? 6)

/**
 * Lets every contender be compiled before the first slice. A lone decision has statements and code of
 * its own, and one connection runs them too rarely for that.
 */
async function warmUp(contenders: readonly Contender[]): Promise<void> {
  for (const connections of [16, 1]) {
    for (const contender of contenders) {
      await load(contender, contender.seeded.agentIds, connections, WARM_SECONDS)
    }
  }
}

interface Slice extends LoadResult {
  /** CPU time per decision. The gateway's includes the embedded engine. */
  readonly gatewayMicros: number
  readonly databaseMicros: number
}

type Measured = Map<string, Map<string, Slice[]>>

async function measureScenario(
  contenders: readonly Contender[],
  { agents, connections }: Scenario,
): Promise<Map<string, Slice[]>> {
  const byName = new Map(contenders.map(({ name }) => [name, [] as Slice[]]))
  // The first round warms up caches and compilers, and is discarded.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const agentIds = contender.seeded.agentIds.slice(0, agents)
      const slice = await measureSlice(contender, agentIds, connections)
      if (round > 0) byName.get(contender.name)?.push(slice)
    }
  }
  return byName
}

async function measureSlice(
  contender: Contender,
  agentIds: readonly string[],
  connections: number,
): Promise<Slice> {
  const { pid, databasePid } = contender
  const readCpu = () => ({
    gateway: readTreeCpuMicros(pid),
    database: databasePid === undefined ? 0 : readTreeCpuMicros(databasePid),
  })
  const before = readCpu()
  const result = await load(contender, agentIds, connections, SECONDS)
  const after = readCpu()
  return {
    ...result,
    gatewayMicros: Math.round((after.gateway - before.gateway) / result.requests),
    databaseMicros: Math.round((after.database - before.database) / result.requests),
  }
}

interface Row {
  readonly scenario: string
  readonly contender: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly purserRatio: number
  readonly gatewayMicros: number
  readonly databaseMicros: number
  /** Purser's p50 and CPU times, divided by those of the contender in the same round. */
  readonly p50Ratio: number
  readonly gatewayRatio: number
  readonly databaseRatio: number
}

function compare(scenario: string, byName: ReadonlyMap<string, Slice[]>): Row[] {
  const purser = byName.get('purser') ?? []
  return [...byName].map(([contender, slices]) => {
    const middle = (field: keyof Slice): number => medianOf(slices.map((slice) => slice[field]))
    const ratio = (field: keyof Slice): number =>
      toHundredths(medianOf(slices.map((slice, at) => (purser[at]?.[field] ?? 0) / slice[field])))
    return {
      scenario,
      contender,
      perSecond: middle('perSecond'),
      p50: middle('p50'),
      p99: middle('p99'),
      purserRatio: ratio('perSecond'),
      gatewayMicros: middle('gatewayMicros'),
      databaseMicros: middle('databaseMicros'),
      p50Ratio: ratio('p50'),
      gatewayRatio: ratio('gatewayMicros'),
      databaseRatio: ratio('databaseMicros'),
    }
  })
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The last columns are ratios of Purser to the contender, round by round. */
function table(rows: readonly Row[]): string[] {
  return [
    `Medians of ${ROUNDS} slices of ${SECONDS} s. CPU is µs per decision: gateway + PostgreSQL.`,
    '| Scenario | Contender | requests/s | p50 / p99 ms | Purser is × | CPU µs | Purser: p50 × | gateway CPU × | PostgreSQL CPU × |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const { scenario, contender, perSecond, p50, p99, gatewayMicros, databaseMicros } = row
      const cpu = `${gatewayMicros} + ${databaseMicros}`
      const ratios = [row.p50Ratio, row.gatewayRatio, row.databaseRatio].map(orDash).join(' | ')
      return `| ${scenario} | ${contender} | ${perSecond} | ${p50} / ${p99} | ${row.purserRatio} | ${cpu} | ${ratios} |`
    }),
  ]
}

/** A contender without a database has no ratio of database time. */
function orDash(ratio: number): string {
  return Number.isFinite(ratio) ? String(ratio) : '–'
}

await main()

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import {
  type Contender,
  keep,
  load,
  median,
  ROOT,
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
const ONLY = process.env['BENCH_ONLY']?.split(',')

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const server = await startPostgresServer(bin)
  const contenders: Contender[] = []
  try {
    contenders.push(...(await startAll(folder, server.url)))
    const measured: Measured = new Map()
    for (const scenario of SCENARIOS) {
      measured.set(scenario.name, await measureScenario(contenders, scenario))
      console.error(`measured: ${scenario.name}`)
    }
    const rows = [...measured].flatMap(([scenario, byName]) => compare(scenario, byName))
    await keep('evaluate', table(rows), { rounds: ROUNDS, seconds: SECONDS, rows })
  } finally {
    for (const contender of contenders) await contender.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startAll(folder: string, url: string): Promise<Contender[]> {
  const started: Contender[] = []
  const wanted = (name: string): boolean => ONLY === undefined || ONLY.includes(name)
  const postgres = { DATABASE_URL: url, PURSER_DATA_DIR: join(folder, 'pg'), PURSER_PORT: '4101' }
  const embedded = { PURSER_DATA_DIR: join(folder, 'embedded'), PURSER_PORT: '4103' }
  const onPostgres = await seed(postgres, 1_000)
  const source = (file: string): string[] => [TSX, '--conditions=@purser/source', join(ROOT, file)]
  if (wanted('bare')) {
    const command = [...source('bench/contenders/bare.ts'), '4100']
    started.push(await start('bare', 4100, command, {}, onPostgres))
  }
  if (wanted('purser')) started.push(await startGateway('purser', postgres, onPostgres))
  if (wanted('naive')) {
    const command = [...source('bench/contenders/naive.ts'), '4102', url]
    started.push(await start('naive', 4102, command, {}, onPostgres))
  }
  if (wanted('embedded')) {
    const onEmbedded = await seed(embedded, 1_000)
    started.push(await startGateway('embedded', embedded, onEmbedded))
  }
  return started
}

type Measured = Map<string, Map<string, LoadResult[]>>

async function measureScenario(
  contenders: readonly Contender[],
  { agents, connections }: Scenario,
): Promise<Map<string, LoadResult[]>> {
  const byName = new Map(contenders.map(({ name }) => [name, [] as LoadResult[]]))
  // The first round warms up caches and compilers, and is discarded.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const agentIds = contender.seeded.agentIds.slice(0, agents)
      const result = await load(contender, agentIds, connections, SECONDS)
      if (round > 0) byName.get(contender.name)?.push(result)
    }
  }
  return byName
}

interface Row {
  readonly scenario: string
  readonly contender: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly purserRatio: number
}

function compare(scenario: string, byName: ReadonlyMap<string, LoadResult[]>): Row[] {
  const purser = median(byName.get('purser') ?? [], 'perSecond')
  return [...byName].map(([contender, results]) => {
    const perSecond = median(results, 'perSecond')
    return {
      scenario,
      contender,
      perSecond,
      p50: median(results, 'p50'),
      p99: median(results, 'p99'),
      purserRatio: toHundredths(purser / perSecond),
    }
  })
}

function table(rows: readonly Row[]): string[] {
  return [
    `Medians of ${ROUNDS} slices of ${SECONDS} s.`,
    '| Scenario | Contender | requests/s | p50 / p99 ms | Purser is × |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ scenario, contender, perSecond, p50, p99, purserRatio }) =>
        `| ${scenario} | ${contender} | ${perSecond} | ${p50} / ${p99} | ${purserRatio} |`,
    ),
  ]
}

await main()

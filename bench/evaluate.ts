import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { type Seeded, seed } from './seed.ts'

/**
 * Full HTTP evaluate against what the frame alone allows and against the naive design, on one machine
 * in one run: short slices of each, interleaved, so that a noisy neighbour disturbs all of them alike.
 * The medians of the slices are compared; read the ratios.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ONLY = process.env['BENCH_ONLY']?.split(',')
const ROOT = resolve(import.meta.dirname, '..')
const TSX = join(ROOT, 'node_modules/.bin/tsx')

interface Contender {
  readonly name: string
  readonly port: number
  readonly seeded: Seeded
  stop(): Promise<void>
}

interface Scenario {
  readonly name: string
  readonly agents: number
  readonly connections: number
}

const SCENARIOS: readonly Scenario[] = [
  { name: '1 hot mandate, 64 connections', agents: 1, connections: 64 },
  { name: '1 hot mandate, 256 connections', agents: 1, connections: 256 },
  { name: '1,000 mandates, 64 connections', agents: 1_000, connections: 64 },
  { name: '1,000 mandates, 256 connections', agents: 1_000, connections: 256 },
]

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const server = await startPostgresServer(bin)
  const contenders: Contender[] = []
  try {
    contenders.push(...(await startAll(folder, server.url)))
    const measured = await measure(contenders)
    const report = summarize(measured)
    console.log(report.text)
    const day = new Date().toISOString().slice(0, 10)
    await writeFile(
      join(ROOT, `bench/results/evaluate-${day}.json`),
      `${JSON.stringify(report.json, null, 2)}\n`,
    )
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
  const main = [join(ROOT, 'packages/server/dist/main.js')]
  if (wanted('bare')) {
    const args = ['--conditions=source', join(ROOT, 'bench/contenders/bare.ts'), '4100']
    started.push(await start('bare', 4100, TSX, args, {}, onPostgres))
  }
  if (wanted('purser')) {
    started.push(await start('purser', 4101, process.execPath, main, postgres, onPostgres))
  }
  if (wanted('naive')) {
    const args = ['--conditions=source', join(ROOT, 'bench/contenders/naive.ts'), '4102', url]
    started.push(await start('naive', 4102, TSX, args, {}, onPostgres))
  }
  if (wanted('embedded')) {
    const onEmbedded = await seed(embedded, 1_000)
    started.push(await start('embedded', 4103, process.execPath, main, embedded, onEmbedded))
  }
  return started
}

async function start(
  name: string,
  port: number,
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  seeded: Seeded,
): Promise<Contender> {
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, PURSER_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('A contender has no output.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^(ready|Purser listens)/.test(line)) break
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { name, port, seeded, stop }
}

type Measured = Map<string, Map<string, LoadResult[]>>

async function measure(contenders: readonly Contender[]): Promise<Measured> {
  const measured: Measured = new Map()
  for (const scenario of SCENARIOS) {
    measured.set(scenario.name, await measureScenario(contenders, scenario))
    console.error(`measured: ${scenario.name}`)
  }
  return measured
}

async function measureScenario(
  contenders: readonly Contender[],
  scenario: Scenario,
): Promise<Map<string, LoadResult[]>> {
  const byName = new Map(contenders.map(({ name }) => [name, [] as LoadResult[]]))
  // The first round warms caches and compilers up and is thrown away.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const result = await load(taskFor(contender, scenario))
      if (result.failed > 0) throw new Error(`${contender.name}: ${result.failed} requests failed.`)
      if (round > 0) byName.get(contender.name)?.push(result)
    }
  }
  return byName
}

function taskFor({ port, seeded }: Contender, { agents, connections }: Scenario): LoadTask {
  const vendors = ['api.openai.com', 'api.anthropic.com', 'serpapi.com', 'en.wikipedia.org']
  const bodies = Array.from({ length: Math.max(agents, 200) }, (_, index) =>
    JSON.stringify({
      agentId: seeded.agentIds[index % agents],
      amount: 0.001 * (1 + (index % 97)),
      vendor: vendors[index % vendors.length],
      category: 'llm',
    }),
  ).map((body) => body.replace(/("amount":\d+\.\d{3})\d+/, '$1'))
  const path = '/api/v1/gateway/evaluate'
  return { port, connections, seconds: SECONDS, path, apiKey: seeded.apiKey, bodies }
}

async function load(task: LoadTask): Promise<LoadResult> {
  const args = ['--conditions=source', join(ROOT, 'bench/load.ts')]
  const child = spawn(TSX, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return JSON.parse(output)
}

function summarize(measured: Measured) {
  const rows: string[] = []
  const json: Record<string, unknown>[] = []
  for (const [scenario, byName] of measured) {
    const rates = new Map(
      [...byName].map(([name, results]) => [name, median(results, 'perSecond')]),
    )
    const purser = rates.get('purser') ?? Number.NaN
    for (const [name, results] of byName) {
      const rate = rates.get(name) ?? Number.NaN
      const row = {
        scenario,
        contender: name,
        perSecond: rate,
        p50: median(results, 'p50'),
        p99: median(results, 'p99'),
        purserRatio: Math.round((purser / rate) * 100) / 100,
      }
      json.push(row)
      rows.push(
        `| ${scenario} | ${name} | ${rate} | ${row.p50} / ${row.p99} | ${row.purserRatio} |`,
      )
    }
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const text = [
    `Machine: ${machine}. ${new Date().toISOString()}. Medians of ${ROUNDS} slices of ${SECONDS} s.`,
    '| Scenario | Contender | requests/s | p50 / p99 ms | Purser is × |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  return {
    text,
    json: { machine, at: new Date().toISOString(), rounds: ROUNDS, seconds: SECONDS, rows: json },
  }
}

function median(results: readonly LoadResult[], field: 'perSecond' | 'p50' | 'p99'): number {
  const sorted = results.map((result) => result[field]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

await main()

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import {
  findPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import type { LoadResult, LoadTask } from './load.ts'
import type { Seeded } from './seed.ts'

/**
 * Shared functions of the benchmarks: start a contender, put load on it, compare, and store the
 * figures.
 */
export const ROOT = resolve(import.meta.dirname, '..')
export const TSX = join(ROOT, 'node_modules/.bin/tsx')
const STOP_TIMEOUT_MS = 20_000
/** Linux counts the time of a process in ticks, a hundred per second on every machine. */
const TICK_MICROS = 10_000

export interface Contender {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly seeded: Seeded
  /** The PostgreSQL server that it has for itself, if there is one. */
  readonly databasePid?: number
  stop(): Promise<void>
}

/** Starts a program and waits until it reports that it is ready. */
export async function start(
  name: string,
  port: number,
  command: readonly string[],
  env: Record<string, string>,
  seeded: Seeded,
): Promise<Contender> {
  const [program = '', ...args] = command
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, PURSER_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout || child.pid === undefined) throw new Error(`${name} could not be started.`)
  let isReady = false
  for await (const line of createInterface({ input: child.stdout })) {
    isReady = /^ready|Purser listens/.test(line)
    if (isReady) break
  }
  if (!isReady) throw new Error(`${name} ended before it was ready.`)
  // The rest of the output is not needed, and a full pipe would stop the program.
  child.stdout.resume()
  return { name, port, pid: child.pid, seeded, stop: () => stop(child) }
}

/** Kills a program that does not stop on request, so that no benchmark leaves one behind. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(deadline)
}

export function startGateway(
  name: string,
  env: Record<string, string> & { PURSER_PORT: string },
  seeded: Seeded,
  root = ROOT,
): Promise<Contender> {
  const command = [process.execPath, join(root, 'packages/server/dist/main.js')]
  const alone = { PURSER_DRAIN_SECONDS: '0', ...env }
  return start(name, Number(env.PURSER_PORT), command, alone, seeded)
}

/** Where a benchmark's gateway keeps its data. */
export interface BenchPlace extends Record<string, string> {
  readonly DATABASE_URL: string
  readonly PURSER_DATA_DIR: string
}

/** Runs a benchmark with its own PostgreSQL server and folder, and removes both afterwards. */
export async function onPostgres(
  run: (place: BenchPlace, server: PostgresServer) => Promise<void>,
): Promise<void> {
  const bin = requirePostgres()
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const server = await startPostgresServer(bin)
  try {
    await run({ DATABASE_URL: server.url, PURSER_DATA_DIR: folder }, server)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a benchmark with a PostgreSQL server that keeps its data in this folder, so that a later run
 * can use the same rows. Commits are not synced, so a crash of the machine can lose the rows.
 */
export async function onKeptPostgres(
  folder: string,
  run: (place: BenchPlace) => Promise<void>,
): Promise<void> {
  const data = join(folder, 'gateway')
  await mkdir(data, { recursive: true })
  const keptIn = join(folder, 'postgres')
  const server = await startPostgresServer(requirePostgres(), { keptIn, fsync: 'off' })
  try {
    await run({ DATABASE_URL: server.url, PURSER_DATA_DIR: data })
  } finally {
    await server.stop()
  }
}

function requirePostgres(): string {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  return bin
}

export const EVALUATE = '/api/v1/gateway/evaluate'

/** Puts load on a contender from a separate process for some seconds. */
export async function load(
  { name, port, seeded }: Contender,
  agentIds: readonly string[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const path = EVALUATE
  const bodies = bodiesFor(agentIds)
  const task = { port, connections, seconds, path, apiKey: seeded.apiKey, bodies }
  return runLoad(name, task)
}

/** Sends the requests of the task from a separate process; no request may fail. */
export async function runLoad(name: string, task: LoadTask): Promise<LoadResult> {
  const args = ['--conditions=@purser/source', join(ROOT, 'bench/load.ts')]
  const child = spawn(TSX, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const result: LoadResult = JSON.parse(output)
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed.`)
  return result
}

const VENDORS = ['api.openai.com', 'api.anthropic.com', 'serpapi.com', 'en.wikipedia.org']

/** Returns bodies for evaluate, with further fields if there are any. */
export function bodiesFor(agentIds: readonly string[], further: object = {}): string[] {
  return Array.from({ length: Math.max(agentIds.length, 200) }, (_, index) =>
    JSON.stringify({
      agentId: agentIds[index % agentIds.length],
      amount: (1 + (index % 97)) / 1_000,
      vendor: VENDORS[index % VENDORS.length],
      category: 'llm',
      ...further,
    }),
  )
}

export function median(results: readonly LoadResult[], field: 'perSecond' | 'p50' | 'p99'): number {
  const sorted = results.map((result) => result[field]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Returns the quantile of the values, rounded to hundredths. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return toHundredths(sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN)
}

export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** User and system time of all threads. */
export function readCpuMicros(pid: number): number {
  const fields = readStat(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}

/**
 * The same for a process and its child processes, such as a PostgreSQL server and its sessions.
 * The parent's own figures include the children that have ended.
 */
export function readTreeCpuMicros(pid: number): number {
  let micros = readCpuMicros(pid) + readEndedCpuMicros(pid)
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')) {
    if (child !== '') micros += ifAlive(() => readCpuMicros(Number(child)))
  }
  return micros
}

/** User and system time of the child processes that have ended. */
export function readEndedCpuMicros(pid = process.pid): number {
  const fields = readStat(pid)
  return (Number(fields[13]) + Number(fields[14])) * TICK_MICROS
}

/** A session may end between the listing and the reading; the next reading counts it. */
function ifAlive(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}

/** The fields behind the name. The name may hold spaces, but ends with `)`. */
function readStat(pid: number): string[] {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  return afterName.split(' ')
}

/** Prints the report and stores its figures in `results`, by name and day. */
export async function keep(name: string, lines: readonly string[], json: object): Promise<void> {
  const at = new Date().toISOString()
  const gib = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${gib} GiB, Node ${process.version}`
  console.log([`Machine: ${machine}. ${at}.`, ...lines].join('\n'))
  const file = join(ROOT, `bench/results/${name}-${at.slice(0, 10)}.json`)
  await writeFile(file, `${JSON.stringify({ machine, at, ...json }, null, 2)}\n`)
}

/** Creates a database on a server, and returns its URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

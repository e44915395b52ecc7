import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage } from '../packages/server/src/process/open-storage.ts'
import { ensurePartitions } from '../packages/server/src/storage/engine/partitions.ts'
import {
  findPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import { type Contender, keep, load, median, startGateway, toHundredths } from './harness.ts'
import type { LoadResult } from './load.ts'
import { seed } from './seed.ts'

/**
 * Measures whether a gateway that has run for years is as fast as a new one. Two servers run side
 * by side, one almost empty, one with a million mandates and five million transactions, and get
 * load in turns. Then the full one gets load until it has decided a million spends, and its memory
 * is read.
 */
const MANDATES = Number(process.env['BENCH_MANDATES'] ?? 1_000_000)
const TRANSACTIONS = Number(process.env['BENCH_TRANSACTIONS'] ?? 5_000_000)
const DECISIONS = Number(process.env['BENCH_DECISIONS'] ?? 1_000_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const SECONDS = 3
const CONNECTIONS = 64
/** How many of the million mandates get load if each spend should use a different mandate. */
const SPREAD = 50_000

async function main(): Promise<void> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const folder = await mkdtemp(join(tmpdir(), 'purser-growth-'))
  const servers: PostgresServer[] = []
  const contenders: Contender[] = []
  try {
    for (const [name, port, mandates] of [
      ['new', '4111', 1_000],
      ['full', '4112', MANDATES],
    ] as const) {
      const server = await startPostgresServer(bin)
      servers.push(server)
      const data = join(folder, name)
      const env = { DATABASE_URL: server.url, PURSER_DATA_DIR: data, PURSER_PORT: port }
      const seeded = await seed(env, mandates)
      if (name === 'full') await addHistory(env)
      contenders.push(await startGateway(name, env, seeded))
      console.error(`${name}: ready`)
    }
    const [fresh, full] = contenders
    if (!fresh || !full) throw new Error('A contender is missing.')
    const rows = await compare(fresh, full)
    const memory = await watchMemory(full)
    await keep('growth', [...table(rows), ...memoryTable(memory)], {
      mandates: MANDATES,
      transactions: TRANSACTIONS,
      rows,
      memory,
    })
  } finally {
    for (const contender of contenders) await contender.stop()
    for (const server of servers) await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Past transactions and their events, a second apart, distributed over all agents. */
async function addHistory(env: Record<string, string>): Promise<void> {
  const { db } = await openStorage(readConfig(env), silentLog)
  try {
    await ensurePartitions(db, Date.now() - TRANSACTIONS * 1_000)
    await ensurePartitions(db, Date.now())
    await db.query({ text: NUMBERED, timeoutMs: 600_000 })
    const part = 50_000
    for (let from = 0; from < TRANSACTIONS; from += part) {
      await db.query({ text: HISTORY, values: [from, part, MANDATES] })
      if (from % 500_000 === 0) console.error(`history: ${from}`)
    }
    await db.query({ text: 'drop table numbered' })
    for (const table of ['transactions', 'webhook_events', 'mandates', 'agents']) {
      await db.query({ text: `analyze ${table}` })
    }
  } finally {
    await db.close()
  }
}

const NUMBERED = `
  create unlogged table numbered as
  select row_number() over () - 1 as number, organization_id, agent_id, id as mandate_id from mandates;
  alter table numbered add primary key (number)`

const HISTORY = `
  with past as (
    select n.*, lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 1000 * s::bigint), 12, '0')
             || '7' || substr(md5(s::text), 1, 3) || '8' || substr(md5(s::text), 4, 15) as digits
    from generate_series($1::int, $1::int + $2::int - 1) as s
    join numbered n on n.number = (s::bigint * 7919) % $3::int
  ), stored as (
    insert into transactions (organization_id, id, agent_id, mandate_id, mandate_version, path, decision,
      status, code, amount, currency, vendor, category, remaining_budget, details, held_amount,
      settled_amount, refunded_amount, created_at)
    select organization_id, digits::uuid, agent_id, mandate_id, 1, 'evaluate', 'approved', 'settled',
           'approved', 1000, 'USD', 'api.openai.com', 'llm', 1000000, '{"code":"approved","rules":[]}',
           0, 1000, 0, now()
    from past
    returning organization_id, id, agent_id
  )
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number)
  select organization_id, id, 'transaction.approved', id, agent_id, now(), 0 from stored`

interface Row {
  readonly scenario: string
  readonly newPerSecond: number
  readonly fullPerSecond: number
  readonly ratio: number
}

async function compare(fresh: Contender, full: Contender): Promise<Row[]> {
  const step = Math.max(1, Math.floor(full.seeded.agentIds.length / SPREAD))
  const thousand = fresh.seeded.agentIds
  const scenarios = [
    ['1 hot mandate', thousand.slice(0, 1), full.seeded.agentIds.slice(0, 1)],
    ['1,000 mandates', thousand, full.seeded.agentIds.slice(0, 1_000)],
    [
      'each another of the million',
      thousand,
      full.seeded.agentIds.filter((_, i) => i % step === 0),
    ],
  ] as const
  const rows: Row[] = []
  for (const [scenario, ofFresh, ofFull] of scenarios) {
    const results: [LoadResult[], LoadResult[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const a = await load(fresh, ofFresh, CONNECTIONS, SECONDS)
      const b = await load(full, ofFull, CONNECTIONS, SECONDS)
      if (round === 0) continue
      results[0].push(a)
      results[1].push(b)
    }
    const [newPerSecond, fullPerSecond] = results.map((slice) => median(slice, 'perSecond'))
    if (newPerSecond === undefined || fullPerSecond === undefined) throw new Error('No figures.')
    const ratio = toHundredths(fullPerSecond / newPerSecond)
    rows.push({ scenario, newPerSecond, fullPerSecond, ratio })
    console.error(`measured: ${scenario}`)
  }
  return rows
}

interface MemoryReading {
  readonly decisions: number
  readonly residentMb: number
}

async function watchMemory(contender: Contender): Promise<MemoryReading[]> {
  const readings: MemoryReading[] = []
  const agentIds = contender.seeded.agentIds.slice(0, 1_000)
  for (let decisions = 0; decisions < DECISIONS; ) {
    decisions += (await load(contender, agentIds, CONNECTIONS, 20)).requests
    readings.push({ decisions, residentMb: residentMb(contender.pid) })
    console.error(`memory: ${decisions} decisions, ${residentMb(contender.pid)} MB`)
  }
  return readings
}

/** Works only on Linux, as does every way to read the memory of a process from outside. */
function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1_024)
}

function table(rows: readonly Row[]): string[] {
  return [
    `${MANDATES} mandates and ${TRANSACTIONS} transactions against 1,000 and none; ${CONNECTIONS} connections, medians of ${ROUNDS} slices of ${SECONDS} s.`,
    '| Scenario | new requests/s | full requests/s | full ÷ new |',
    '|---|---|---|---|',
    ...rows.map(
      (row) => `| ${row.scenario} | ${row.newPerSecond} | ${row.fullPerSecond} | ${row.ratio} |`,
    ),
  ]
}

function memoryTable(readings: readonly MemoryReading[]): string[] {
  return [
    '| decisions of the process after the comparison | resident MB |',
    '|---|---|',
    ...readings.map(({ decisions, residentMb: mb }) => `| ${decisions} | ${mb} |`),
  ]
}

await main()

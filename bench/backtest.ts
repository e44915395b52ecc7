import type { Database } from '../packages/server/src/storage/engine/database.ts'
import { openPostgres } from '../packages/server/src/storage/engine/postgres.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import {
  type BenchPlace,
  bodiesFor,
  type Contender,
  EVALUATE,
  keep,
  load,
  median,
  onPostgres,
  readCpuMicros,
  startGateway,
  toHundredths,
} from './harness.ts'
import type { LoadResult } from './load.ts'
import { seed } from './seed.ts'

/**
 * Measures how fast an agent's past is replayed, and how much that slows down decisions. Slices of
 * load with and without a concurrent backtest are interleaved, on one gateway in one run. Read the
 * ratios.
 */
const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5)
const ROWS_AT_ONCE = 10_000
const PROGRESS_ROWS = 100_000
const LOADS = [
  { name: '1,000 mandates, 8 connections', connections: 8 },
  { name: '1,000 mandates, 64 connections', connections: 64 },
]
/** Some rules count, some need the history of vendors, and some flip a part of the past. */
const PROPOSED = [
  { type: 'amount', max: 0.03 },
  { type: 'limit', maxCount: 30, window: '1h' },
  { type: 'limit', maxAmount: 20, window: 'day', groupBy: 'vendor' },
  { type: 'new_vendor', effect: 'flag' },
]

async function main(place: BenchPlace): Promise<void> {
  const env = { ...place, PURSER_PORT: '4105' }
  let gateway: Contender | undefined
  try {
    gateway = await startGateway('purser', env, await seed(env, 1_001))
    const mandateId = await writePast(gateway, place.DATABASE_URL)
    const before = readCpuMicros(gateway.pid)
    const run = await replay(gateway, mandateId)
    const alone = { ...run, cpuMicros: (readCpuMicros(gateway.pid) - before) / run.replayed }
    console.error(`alone: ${Math.round(alone.replayed / alone.seconds)} rows/s`)
    const rows = []
    for (const scenario of LOADS) rows.push(await measure(gateway, mandateId, scenario))
    await keep('backtest', table(alone, rows), {
      rows: ROWS,
      seconds: SECONDS,
      alone,
      beside: rows,
    })
  } finally {
    await gateway?.stop()
  }
}

/** Copies a few real decisions of the first agent backwards in time, a tenth of a second apart. */
async function writePast({ port, seeded }: Contender, url: string): Promise<string> {
  const [agentId = ''] = seeded.agentIds
  const bodies = bodiesFor([agentId]).slice(0, 100)
  const headers = headersOf(seeded.apiKey)
  for (const body of bodies) {
    await fetch(`http://127.0.0.1:${port}${EVALUATE}`, { method: 'POST', headers, body })
  }
  const db = await openPostgres({ url }, silentLog)
  try {
    const others = await listOtherColumns(db)
    for (let from = 1; from < ROWS / bodies.length; from += ROWS_AT_ONCE / bodies.length) {
      await repeat(db, others, agentId, from, from + ROWS_AT_ONCE / bodies.length)
      const written = from * bodies.length
      if (written % PROGRESS_ROWS < ROWS_AT_ONCE) console.error(`past: ${written} rows`)
    }
  } finally {
    await db.close()
  }
  const listed = await fetch(`http://127.0.0.1:${port}/api/v1/mandates?agentId=${agentId}`, {
    headers,
  })
  const { data } = (await listed.json()) as { data: { id: string }[] }
  return data[0]?.id ?? ''
}

/** The columns that every copy shares with its sample. */
async function listOtherColumns(db: Database): Promise<string> {
  const rows = await db.query<{ name: string }>({
    text: `select quote_ident(column_name) as name from information_schema.columns
           where table_schema = current_schema() and table_name = 'transactions'
             and column_name not in ('id', 'created_at')`,
  })
  return rows.map(({ name }) => name).join(', ')
}

async function repeat(
  db: Database,
  others: string,
  agentId: string,
  from: number,
  to: number,
): Promise<void> {
  await db.query({
    text: `
      with sample as (
        select *, row_number() over (order by id) as place,
               (extract(epoch from created_at) * 1000)::bigint as decided_ms
        from (
          select * from transactions
          where organization_id = (select organization_id from agents where id = $1)
            and agent_id = $1
          order by id desc limit 100) as newest)
      insert into transactions (id, created_at, ${others})
      select (overlay(lpad(to_hex(ms), 12, '0') placing '-' from 9 for 0) || '-7000-8000-' ||
              lpad(to_hex(n * 100 + place), 12, '0'))::uuid,
             to_timestamp(ms / 1000.0), ${others}
      from sample, generate_series($2::integer, $3::integer - 1) as n,
           lateral (select decided_ms - (n * 100 - place) * 100 as ms) m`,
    values: [agentId, from, to],
    timeoutMs: 600_000,
  })
}

interface Replayed {
  readonly replayed: number
  readonly seconds: number
}

/** Replays until the end, or until the signal aborts it. */
async function replay(
  { port, seeded }: Contender,
  mandateId: string,
  signal?: AbortSignal,
): Promise<Replayed> {
  const began = performance.now()
  let replayed = 0
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/mandates/${mandateId}/backtest`, {
      method: 'POST',
      headers: { ...headersOf(seeded.apiKey), accept: 'application/x-ndjson' },
      body: JSON.stringify({ rules: PROPOSED }),
      ...(signal && { signal }),
    })
    if (!answer.ok || !answer.body) throw new Error(await answer.text())
    let text = ''
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      text += part
      const counts = [...text.matchAll(/"replayed":(\d+)/g)]
      replayed = Number(counts.at(-1)?.[1] ?? replayed)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return { replayed, seconds: (performance.now() - began) / 1_000 }
}

function headersOf(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
}

async function measure(
  gateway: Contender,
  mandateId: string,
  { name, connections }: (typeof LOADS)[number],
) {
  const agents = gateway.seeded.agentIds.slice(1)
  const slice = () => load(gateway, agents, connections, SECONDS)
  const quiet: LoadResult[] = []
  const beside: LoadResult[] = []
  const rates: number[] = []
  // The first round warms up caches and compilers, and is discarded.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const without = await slice()
    const ending = new AbortController()
    const running = replay(gateway, mandateId, ending.signal)
    const during = await slice()
    ending.abort()
    const { replayed, seconds } = await running
    if (round === 0) continue
    quiet.push(without)
    beside.push(during)
    rates.push(replayed / seconds)
  }
  console.error(`measured: ${name}`)
  const ratios = quiet.map((without, at) => (beside[at]?.p99 ?? Number.NaN) / without.p99)
  const middle = (all: readonly number[]) =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  return {
    name,
    quiet: { perSecond: median(quiet, 'perSecond'), p99: median(quiet, 'p99') },
    beside: { perSecond: median(beside, 'perSecond'), p99: median(beside, 'p99') },
    p99Ratio: toHundredths(middle(ratios)),
    rowsPerSecond: Math.round(middle(rates)),
  }
}

type Measured = Awaited<ReturnType<typeof measure>>

interface Alone extends Replayed {
  /** CPU time of the gateway's process per transaction. */
  readonly cpuMicros: number
}

function table({ replayed, seconds, cpuMicros }: Alone, rows: readonly Measured[]): string[] {
  return [
    `${replayed} transactions replayed alone in ${seconds.toFixed(1)} s: ${Math.round(replayed / seconds)} rows/s, ${Math.round(cpuMicros)} µs of the gateway's CPU each.`,
    `Medians of ${ROUNDS} pairs of slices of ${SECONDS} s. The aim: the p99 of evaluate is at most 1.2 of what it is alone.`,
    '| Load | evaluate/s alone | beside | p99 ms alone | beside | ratio | rows/s beside |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, quiet, beside, p99Ratio, rowsPerSecond }) =>
        `| ${name} | ${quiet.perSecond} | ${beside.perSecond} | ${quiet.p99} | ${beside.p99} | ${p99Ratio} | ${rowsPerSecond} |`,
    ),
  ]
}

await onPostgres(main)

import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import {
  type BenchPlace,
  type Contender,
  keep,
  onKeptPostgres,
  onPostgres,
  quantile,
  startGateway,
} from './harness.ts'
import { findHistory, type History } from './reads-history.ts'
import { type Question, questionsFor } from './reads-questions.ts'

/**
 * Measures every list of the API, and every filter, at five million transactions of one
 * organization: the time over HTTP, and the rows and pages that the database reads for one answer.
 * A busy machine changes the times, but not the rows and pages.
 */
const TRANSACTIONS = Number(process.env['BENCH_TRANSACTIONS'] ?? 5_000_000)
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100)
/** `BENCH_ONLY=approvals,audit-log` asks only these lists. */
const ONLY = process.env['BENCH_ONLY']?.split(',')
/** A folder for the rows, which take most of the time: the next run with this folder uses them. */
const STORE = process.env['BENCH_STORE']
const PORT = '4109'
const AIM_MS = 50
/** Connections report their figures once a second, at the end of a transaction. */
const REPORT_MS = 1_100
const REPORTING_REQUESTS = 3

interface Row {
  readonly path: string
  readonly isIndexed: boolean
  readonly p50: number
  readonly p99: number
  /** Rows and entries of indexes that one answer reads. */
  readonly rows: number
  /** Pages of 8 kB that it touches. */
  readonly pages: number
  readonly found: number
  readonly hasMore: boolean
}

async function main(place: BenchPlace): Promise<void> {
  const history = await findHistory(place, TRANSACTIONS)
  await measure({ ...place, PURSER_PORT: PORT }, history)
}

async function measure(env: BenchPlace & { PURSER_PORT: string }, history: History): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  let gateway: Contender | undefined
  try {
    await client.connect()
    gateway = await startGateway('purser', env, { apiKey: history.apiKey, agentIds: [] })
    const rows: Row[] = []
    for (const question of questionsFor(history.samples).filter(isWanted)) {
      rows.push(await ask(client, history, question))
      console.error(toLine(rows.at(-1) as Row))
    }
    const { transactions } = history
    const slow = rows.filter(({ isIndexed, p99 }) => isIndexed && p99 > AIM_MS)
    const lines = [
      `${transactions} transactions. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
      '    p50     p99     rows   pages  found',
      ...rows.map(toLine),
      `Slower than ${AIM_MS} ms, of those with an aim: ${slow.map(({ path }) => path).join(', ') || 'none'}.`,
    ]
    await keep('reads', lines, { transactions, load: loadavg(), rows })
  } finally {
    await gateway?.stop()
    await client.end()
  }
}

function isWanted({ path }: Question): boolean {
  return ONLY === undefined || ONLY.includes(/\w[\w-]*/.exec(path)?.[0] ?? '')
}

async function ask(client: pg.Client, history: History, question: Question): Promise<Row> {
  const { path, isIndexed } = question
  const apiKey = question.isBound ? history.boundKey : history.apiKey
  let answer = await get(apiKey, path)
  const asked = await turnPages(apiKey, question, answer)
  await report(apiKey, asked)
  const before = await readFigures(client)
  const times: number[] = []
  for (let request = 0; request < REQUESTS; request++) {
    const began = performance.now()
    answer = await get(apiKey, asked)
    times.push(performance.now() - began)
  }
  await report(apiKey, asked)
  const after = await readFigures(client)
  const requests = REQUESTS + REPORTING_REQUESTS
  return {
    path: question.isBound
      ? `${path} (bound key)`
      : question.pages
        ? `${path} (page ${question.pages})`
        : path,
    isIndexed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    rows: Math.round((after.rows - before.rows) / requests),
    pages: Math.round((after.pages - before.pages) / requests),
    found: answer.data.length,
    hasMore: answer.hasMore,
  }
}

interface Answer {
  readonly data: readonly unknown[]
  readonly hasMore: boolean
  readonly nextCursor: string | number | null
}

async function get(apiKey: string, path: string): Promise<Answer> {
  const url = `http://127.0.0.1:${PORT}/api/v1${path}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${text}`)
  return JSON.parse(text)
}

/** The path of the page that the question is about. */
async function turnPages(
  apiKey: string,
  { path, pages = 0 }: Question,
  first: Answer,
): Promise<string> {
  let { nextCursor } = first
  const pathOf = () => `${path}${path.includes('?') ? '&' : '?'}cursor=${nextCursor}`
  for (let page = 1; page < pages; page++) ({ nextCursor } = await get(apiKey, pathOf()))
  return pages === 0 ? path : pathOf()
}

/** Lets the gateway's connections report what they have read so far. */
async function report(apiKey: string, path: string): Promise<void> {
  await setTimeout(REPORT_MS)
  for (let request = 0; request < REPORTING_REQUESTS; request++) await get(apiKey, path)
}

async function readFigures(client: pg.Client): Promise<{ rows: number; pages: number }> {
  const { rows } = await client.query<{ rows: number; pages: number }>(`
    select ((select sum(idx_tup_read) from pg_stat_user_indexes)
            + (select sum(seq_tup_read) from pg_stat_user_tables))::float as rows,
           (select sum(blks_hit + blks_read) from pg_stat_database where datname = current_database())::float as pages`)
  const [figures] = rows
  if (!figures) throw new Error('PostgreSQL told no figures.')
  return figures
}

function toLine({ p50, p99, rows, pages, found, hasMore, path }: Row): string {
  const times = [p50, p99].map((value) => value.toFixed(1).padStart(7)).join(' ')
  const counts = [rows, pages].map((value) => String(value).padStart(8)).join('')
  return `${times} ${counts} ${String(found).padStart(5)}${hasMore ? '+' : ' '}  ${path}`
}

if (process.argv[1] === import.meta.filename) {
  await (STORE === undefined ? onPostgres(main) : onKeptPostgres(STORE, main))
}

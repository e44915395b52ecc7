import { setTimeout } from 'node:timers/promises'
import { rebuildAnalytics } from '../packages/server/src/operator/rebuild-analytics.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage, type Storage } from '../packages/server/src/process/open-storage.ts'
import { ensurePartitions } from '../packages/server/src/storage/engine/partitions.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import {
  type BenchPlace,
  type Contender,
  keep,
  load,
  onPostgres,
  quantile,
  startGateway,
} from './harness.ts'
import { seed } from './seed.ts'

/**
 * Measures whether analytics answers as fast with years of transactions as without, how fast its
 * sums are rebuilt, and how far they lag behind while spends are decided. The history is written
 * with SQL: a year, many agents and vendors, every tenth spend rejected.
 */
const TRANSACTIONS = Number(process.env['BENCH_TRANSACTIONS'] ?? 5_000_000)
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 200)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const AGENTS = 200
const VENDORS = 2_000
const CONNECTIONS = 32
const PORT = '4108'
const DAYS = 365
const DAY_MS = 86_400_000
const SAMPLE_MS = 100

const QUESTIONS = [
  '',
  'groupBy=agent',
  'groupBy=vendor&interval=day',
  'groupBy=agent,vendor&interval=day',
  'groupBy=agent,vendor&interval=month',
  'metric=rejections&groupBy=rule,code',
  'metric=forecast&groupBy=agent',
  'metric=exposure&groupBy=agent',
]

async function main(place: BenchPlace): Promise<void> {
  const env = { ...place, PURSER_PORT: PORT }
  let gateway: Contender | undefined
  let storage: Storage | undefined
  try {
    const seeded = await seed(env, AGENTS)
    storage = await openStorage(readConfig(env), silentLog)
    await addHistory(storage)
    const perSecond = await fill(storage)
    gateway = await startGateway('purser', env, seeded)
    const rows = await askAll(gateway)
    const lag = await measureLag(gateway, storage)
    const lines = [
      `${TRANSACTIONS} transactions, counted anew at ${perSecond} a second.`,
      'ms    p50     p99',
      ...rows.map(
        ({ question, p50, p99 }) => `${toText(p50)} ${toText(p99)}  ${question || 'all'}`,
      ),
      `Behind at ${lag.perSecond} decisions a second: ${lag.p50} s (median), ${lag.most} s (most).`,
    ]
    await keep('analytics', lines, { transactions: TRANSACTIONS, perSecond, rows, lag })
  } finally {
    await gateway?.stop()
    await storage?.db.close()
  }
}

async function addHistory({ db }: Storage): Promise<void> {
  for (let day = DAYS; day >= 0; day -= 28) await ensurePartitions(db, Date.now() - day * DAY_MS)
  await db.query({ text: NUMBERED })
  const part = 50_000
  for (let from = 0; from < TRANSACTIONS; from += part) {
    const count = Math.min(part, TRANSACTIONS - from)
    await db.query({ text: HISTORY, values: [from, count, DAYS * DAY_MS, TRANSACTIONS, VENDORS] })
    if (from % 500_000 === 0) console.error(`history: ${from}`)
  }
  await db.query({ text: 'drop table numbered' })
  await db.query({ text: 'analyze transactions', timeoutMs: 600_000 })
}

const NUMBERED = `
  create unlogged table numbered as
  select row_number() over () - 1 as number, organization_id, agent_id, id as mandate_id from mandates;
  alter table numbered add primary key (number)`

/** A few vendors get most of the spends, as in real life. */
const HISTORY = `
  insert into transactions (organization_id, id, agent_id, mandate_id, mandate_version, path, decision,
    status, code, amount, currency, vendor, category, remaining_budget, details, held_amount,
    settled_amount, refunded_amount, created_at)
  select n.organization_id,
         (lpad(to_hex((extract(epoch from p.at) * 1000)::bigint), 12, '0') || '7'
           || substr(md5(p.s::text), 1, 3) || '8' || substr(md5(p.s::text), 4, 15))::uuid,
         n.agent_id, n.mandate_id, 1, 'evaluate', p.decision,
         case p.decision when 'approved' then 'settled' else 'rejected' end,
         case p.decision when 'approved' then 'approved' else 'amount_above_max' end,
         1000 + p.s % 997, 'USD',
         'v' || floor($5::int * power(p.chance, 4))::int || '.example', 'c' || p.s % 12, 1000000,
         case p.decision when 'approved' then '{"firstFailure":null,"rules":[]}'::json
           else '{"firstFailure":"amount","rules":[]}'::json end,
         0, case p.decision when 'approved' then 1000 + p.s % 997 else 0 end, 0, p.at
  from (
    select s, now() - interval '1 minute' - ($3::bigint * (1 - s::float / $4::int)) * interval '1 ms' as at,
           case when s % 10 = 0 then 'rejected' else 'approved' end as decision,
           ('x' || substr(md5(s::text || 'v'), 1, 6))::bit(24)::int / 16777216.0 as chance
    from generate_series($1::int, $1::int + $2::int - 1) as s
  ) p
  join numbered n on n.number = (p.s::bigint * 7919) % (select count(*) from numbered)`

/** Returns how many transactions per second a rebuild counts. */
async function fill(storage: Storage): Promise<number> {
  const began = performance.now()
  let toldAt = began
  const { counted } = await rebuildAnalytics(storage, undefined, ({ counted: sofar }) => {
    if (performance.now() - toldAt < 10_000) return
    toldAt = performance.now()
    console.error(`counted: ${sofar}`)
  })
  if (counted !== TRANSACTIONS) throw new Error(`${counted} transactions were counted.`)
  await storage.db.query({ text: 'analyze analytics_cells, analytics_sums', timeoutMs: 600_000 })
  return Math.round(counted / ((performance.now() - began) / 1_000))
}

async function askAll({ port, seeded }: Contender) {
  const rows = []
  for (const question of QUESTIONS) {
    const url = `http://127.0.0.1:${port}/api/v1/analytics/spend?${question}${rangeOf(question)}`
    const times: number[] = []
    for (let request = 0; request < REQUESTS; request++) {
      const began = performance.now()
      const answer = await fetch(url, { headers: { authorization: `Bearer ${seeded.apiKey}` } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${question}: ${text}`)
      times.push(performance.now() - began)
    }
    rows.push({ question, p50: quantile(times, 0.5), p99: quantile(times, 0.99) })
  }
  return rows
}

/** Uses the longest range that the question allows. */
function rangeOf(question: string): string {
  if (/forecast|exposure/.test(question)) return ''
  const days = question.includes('interval=day') ? 90 : DAYS
  const from = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
  return `&from=${from}`
}

/** Measures the age of the last counted decision while spends are decided. */
async function measureLag(gateway: Contender, { db }: Storage) {
  const seen: { readonly at: number; readonly last: bigint }[] = []
  const behind: number[] = []
  let isLoaded = true
  const watching = (async () => {
    while (isLoaded) {
      const [row] = await db.query<{ last: bigint; counted: bigint }>({ text: PLACES })
      const at = performance.now()
      if (row) {
        const uncounted = seen.find(({ last }) => last > row.counted)
        behind.push(uncounted ? (at - uncounted.at) / 1_000 : 0)
        seen.push({ at, last: row.last })
      }
      await setTimeout(SAMPLE_MS)
    }
  })()
  const { perSecond } = await load(gateway, gateway.seeded.agentIds, CONNECTIONS, SECONDS)
  isLoaded = false
  await watching
  const most = quantile(behind, 1)
  return { perSecond: Math.round(perSecond), p50: quantile(behind, 0.5), most }
}

const PLACES = `
  select f.last_number as last, b.counted_to as counted
  from event_feeds f join analytics_books b using (organization_id) where b.state = 'shown'`

function toText(value: number): string {
  return value.toFixed(1).padStart(7)
}

await onPostgres(main)

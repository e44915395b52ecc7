import { join } from 'node:path'
import pg from 'pg'
import { comparePairs, measureInTurns, type Pair, type Side, toTable } from './comparison.ts'
import {
  type Contender,
  keep,
  load,
  onPostgres,
  ROOT,
  readCpuMicros,
  startGateway,
} from './harness.ts'
import { initOrganization, seedByApi } from './seed-by-api.ts'

/*
 * Measures the cost of metrics: the same build with and without them, in turns. Each gateway has its
 * own database on one server, and the metrics are scraped every 15 seconds. Read the CPU time: it does
 * not depend on the load of the machine as much as the rate does.
 */

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 20)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)
const AGENTS = 1_000
const CONNECTIONS = [1, 4, 64]
const METRICS_PORT = '4143'
const SCRAPED_EVERY_MS = 15_000
const SIDES = {
  against: { PURSER_PORT: '4141' },
  present: { PURSER_PORT: '4142', PURSER_METRICS_PORT: METRICS_PORT },
}

await onPostgres(async ({ DATABASE_URL, PURSER_DATA_DIR }) => {
  const gateways: Contender[] = []
  let scraping: NodeJS.Timeout | undefined
  const interruption = new AbortController().signal
  const startSide = async (side: Side): Promise<Contender> => {
    const env = {
      DATABASE_URL: await createDatabase(DATABASE_URL, side),
      PURSER_DATA_DIR: join(PURSER_DATA_DIR, side),
      ...SIDES[side],
    }
    const apiKey = await initOrganization(ROOT, env)
    const gateway = await startGateway(side, env, { apiKey, agentIds: [] })
    gateways.push(gateway)
    return { ...gateway, seeded: await seedByApi(gateway.port, apiKey, AGENTS, interruption) }
  }
  try {
    const sides = { against: await startSide('against'), present: await startSide('present') }
    const measured: Pair[] = []
    scraping = setInterval(scrape, SCRAPED_EVERY_MS)
    for (let pair = 0; pair <= PAIRS; pair++) {
      const fresh = await measurePair(sides, pair)
      console.error(pair === 0 ? 'warmed up' : `pair ${pair} of ${PAIRS}`)
      if (pair > 0) measured.push(...fresh)
    }
    const rows = comparePairs(measured)
    const title = `Metrics on, against off: ${PAIRS} pairs, slices of ${SECONDS} s.`
    await keep('metrics', [title, ...toTable(rows)], { pairs: PAIRS, seconds: SECONDS, rows })
  } finally {
    clearInterval(scraping)
    for (const gateway of gateways) await gateway.stop()
  }
})

async function measurePair(
  sides: Readonly<Record<Side, Contender>>,
  pair: number,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const connections of CONNECTIONS) {
    const { against, present } = await measureInTurns(pair, async (side) => {
      const gateway = sides[side]
      const before = readCpuMicros(gateway.pid)
      const { requests } = await load(gateway, gateway.seeded.agentIds, connections, SECONDS)
      return (readCpuMicros(gateway.pid) - before) / requests
    })
    const scenario = `1,000 mandates, ${connections} connections`
    pairs.push({ scenario, figure: 'CPU µs per decision', against, present })
  }
  return pairs
}

async function scrape(): Promise<void> {
  await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

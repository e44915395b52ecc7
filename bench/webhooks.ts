import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage } from '../packages/server/src/process/open-storage.ts'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
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
import { type Seeded, seed } from './seed.ts'

/**
 * Measures the cost of webhooks for a decision, and the speed of delivery. Two organizations of one
 * gateway, one with a webhook and one without, get load in turns. After each turn of the first, the
 * benchmark waits for the remaining deliveries, which nothing else disturbs then: that is the rate
 * of delivery. It does all of this again with a million finished deliveries in the tables.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const FINISHED = Number(process.env['BENCH_FINISHED'] ?? 1_000_000)
const SECONDS = 3
const CONNECTIONS = [64, 256]
const RECEIVER_PORT = 4_120

interface Row {
  readonly finished: number
  readonly connections: number
  readonly off: number
  readonly on: number
  readonly ratio: number
  readonly deliveriesPerSecond: number
}

async function main(): Promise<void> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const folder = await mkdtemp(join(tmpdir(), 'purser-webhooks-'))
  const server = await startPostgresServer(bin)
  const env = { DATABASE_URL: server.url, PURSER_DATA_DIR: folder, PURSER_PORT: '4121' }
  const [silent, told] = [await seed(env, 1_000), await seed(env, 1_000)]
  const running: { stop(): Promise<void> }[] = []
  try {
    const command = [TSX, join(ROOT, 'bench/receiver.ts'), String(RECEIVER_PORT)]
    running.push(await start('receiver', RECEIVER_PORT, command, {}, silent))
    const gateway = await startGateway('gateway', env, silent)
    running.push(gateway)
    await setWebhook(gateway, told)
    const rows = [...(await measure(gateway, told, 0))]
    await addFinished(env, told)
    rows.push(...(await measure(gateway, told, FINISHED)))
    await keep('webhooks', table(rows), { rounds: ROUNDS, seconds: SECONDS, rows })
  } finally {
    for (const { stop } of running.reverse()) await stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function setWebhook({ port }: Contender, { apiKey }: Seeded): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/organization`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhookUrl: `http://127.0.0.1:${RECEIVER_PORT}/hook` }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

async function measure(gateway: Contender, told: Seeded, finished: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const connections of CONNECTIONS) {
    const off: LoadResult[] = []
    const on: LoadResult[] = []
    const rates: number[] = []
    // The first round warms up and is discarded.
    for (let round = 0; round <= ROUNDS; round++) {
      const without = await load(gateway, gateway.seeded.agentIds, connections, SECONDS)
      const before = await countReceived()
      const asTold = { ...gateway, seeded: told }
      const withWebhook = await load(asTold, told.agentIds, connections, SECONDS)
      const rate = await drain(before + withWebhook.requests)
      if (round === 0) continue
      off.push(without)
      on.push(withWebhook)
      rates.push(rate)
    }
    const perSecond = { off: median(off, 'perSecond'), on: median(on, 'perSecond') }
    rows.push({
      finished,
      connections,
      ...perSecond,
      ratio: toHundredths(perSecond.on / perSecond.off),
      deliveriesPerSecond: Math.round(rates.sort((a, b) => a - b)[rates.length >> 1] ?? 0),
    })
    console.error(`measured: ${connections} connections, ${finished} finished deliveries`)
  }
  return rows
}

async function countReceived(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${RECEIVER_PORT}/`)).text())
}

/** Waits until this many events have arrived in total, and returns the rate of the missing ones. */
async function drain(expected: number): Promise<number> {
  const missing = expected - (await countReceived())
  const began = performance.now()
  while ((await countReceived()) < expected) {
    if (performance.now() - began > 120_000) throw new Error('Events do not arrive.')
    await wait(20)
  }
  return missing / ((performance.now() - began) / 1_000)
}

/** Writes a million deliveries with their attempts, in the state after their success. */
async function addFinished(env: Record<string, string>, { agentIds }: Seeded): Promise<void> {
  const { db } = await openStorage(readConfig(env), silentLog)
  const part = 25_000
  for (let from = 0; from < FINISHED; from += part) {
    await db.query({ text: FINISHED_DELIVERIES, values: [from, part, agentIds[0]] })
  }
  for (const table of ['webhook_events', 'webhook_deliveries', 'webhook_attempts']) {
    await db.query({ text: `analyze ${table}` })
  }
  await db.close()
  console.error(`added: ${FINISHED} finished deliveries`)
}

const FINISHED_DELIVERIES = `
  with past as (
    select a.organization_id, a.id as agent_id,
           (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 600 * s::bigint), 12, '0')
             || '7' || substr(md5(s::text), 1, 3) || '8' || substr(md5(s::text), 4, 15))::uuid as id
    from generate_series($1::int, $1::int + $2::int - 1) as s
    join agents a on a.id = $3
  ), told as (
    insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number)
    select organization_id, id, 'transaction.approved', id, agent_id, now(), 0 from past
  ), delivered as (
    insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at)
    select organization_id, id, 'transaction.approved', repeat('x', 330), 'succeeded', 1, now() from past
  )
  insert into webhook_attempts (organization_id, id, delivery_id, is_manual, outcome, url,
                                request_headers, started_at, duration_ms, status_code)
  select organization_id, id, id, false, 'succeeded', 'http://127.0.0.1/', '{"x":"y"}', now(), 3, 204
  from past`

function table(rows: readonly Row[]): string[] {
  return [
    `Medians of ${ROUNDS} slices of ${SECONDS} s; 1,000 mandates.`,
    '| finished deliveries | connections | evaluate/s without | with a webhook | with ÷ without | deliveries/s afterwards |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.finished} | ${row.connections} | ${row.off} | ${row.on} | ${row.ratio} | ${row.deliveriesPerSecond} |`,
    ),
  ]
}

await main()

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
  runLoad,
  startGateway,
  toHundredths,
} from './harness.ts'
import type { LoadResult } from './load.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { seed } from './seed.ts'

/**
 * Compares card authorizations over the generic endpoint with evaluate, at one gateway in one run.
 * Short slices of both are interleaved, so that a noisy neighbour disturbs them alike: read the ratios.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const AGENTS = 1_000
const MERCHANT_ID = '100200300400'
/** Stands for the number of a request. */
const NUMBER = '777777777777777777777777'

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-'))
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const server = await startPostgresServer(bin)
  const env = { DATABASE_URL: server.url, PURSER_DATA_DIR: folder, PURSER_PORT: '4104' }
  let gateway: Contender | undefined
  try {
    gateway = await startGateway('purser', env, await seed(env, AGENTS))
    const bodies = await openCards(gateway)
    const rows = []
    for (const scenario of SCENARIOS) rows.push(await measure(gateway, bodies, scenario))
    await keep('card', table(rows), { rounds: ROUNDS, seconds: SECONDS, rows })
  } finally {
    await gateway?.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A card for each agent, at a merchant that the directory knows; gives what is asked of each. */
async function openCards({ port, seeded }: Contender): Promise<string[]> {
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const headers = {
      authorization: `Bearer ${seeded.apiKey}`,
      'content-type': 'application/json',
    }
    const url = `http://127.0.0.1:${port}/api/v1${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { readonly id: string }
  }
  const { id: connectionId } = await post('/card-connections', {
    provider: 'generic',
    name: 'Bench',
    // What is measured is how much is decided, and no decline at a deadline.
    deadlineMs: 5_000,
  })
  const cardAliases = [{ merchantId: MERCHANT_ID }]
  await post('/vendors', { host: 'api.openai.com', cardAliases })
  const bodies: string[] = []
  for (const [index, agentId] of seeded.agentIds.entries()) {
    const externalId = `tok_${index}`
    await post('/cards', { connectionId, externalId, agentId, currency: 'USD' })
    bodies.push(bodyFor(connectionId, externalId, index))
  }
  return bodies
}

function bodyFor(connectionId: string, externalId: string, index: number): string {
  return JSON.stringify({
    connectionId,
    requestId: `request-${NUMBER}`,
    authorizationId: `authorization-${NUMBER}`,
    type: 'initial',
    card: { externalId },
    amount: (1 + (index % 97)) / 100,
    currency: 'USD',
    merchant: { name: 'OPENAI', id: MERCHANT_ID, mcc: '5734', country: 'US' },
    occurredAt: '2026-11-15T09:30:00.000Z',
  })
}

interface Row {
  readonly scenario: string
  readonly evaluate: Figures
  readonly card: Figures
  readonly ratio: number
}

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

async function measure(
  gateway: Contender,
  cards: readonly string[],
  { name, agents, connections }: Scenario,
): Promise<Row> {
  const { port, seeded } = gateway
  const evaluations: LoadResult[] = []
  const authorizations: LoadResult[] = []
  const bodies = cards.slice(0, agents)
  const path = '/api/v1/gateway/card/authorize'
  const common = { port, connections, seconds: SECONDS, path, apiKey: seeded.apiKey }
  // The first round warms up caches and compilers, and is discarded.
  for (let round = 0; round <= ROUNDS; round++) {
    const evaluated = await load(gateway, seeded.agentIds.slice(0, agents), connections, SECONDS)
    const asked = await runLoad('card', { ...common, bodies, numbered: NUMBER })
    if (asked.rejected > 0) throw new Error(`${asked.rejected} authorizations were declined.`)
    if (round === 0) continue
    evaluations.push(evaluated)
    authorizations.push(asked)
  }
  const [evaluate, card] = [figuresOf(evaluations), figuresOf(authorizations)]
  console.error(`measured: ${name}`)
  return {
    scenario: name,
    evaluate,
    card,
    ratio: toHundredths(card.perSecond / evaluate.perSecond),
  }
}

function figuresOf(results: readonly LoadResult[]): Figures {
  return {
    perSecond: median(results, 'perSecond'),
    p50: median(results, 'p50'),
    p99: median(results, 'p99'),
  }
}

function table(rows: readonly Row[]): string[] {
  return [
    '| Load | evaluate/s | p99 ms | cards/s | p99 ms | cards / evaluate |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ scenario, evaluate, card, ratio }) =>
        `| ${scenario} | ${evaluate.perSecond} | ${evaluate.p99} | ${card.perSecond} | ${card.p99} | ${ratio} |`,
    ),
  ]
}

await main()

import {
  type BenchPlace,
  bodiesFor,
  type Contender,
  EVALUATE,
  keep,
  median,
  onPostgres,
  readCpuMicros,
  runLoad,
  startGateway,
  toHundredths,
} from './harness.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { seed } from './seed.ts'

/**
 * Compares card authorizations over the generic endpoint with evaluate, on one gateway in one run:
 * plain, with an Idempotency-Key, and with a key and a hold, which an authorization always has.
 * Short slices of all are interleaved, so that a noisy neighbour affects them equally: read the
 * ratios.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const WARM_SECONDS = Number(process.env['BENCH_WARM_SECONDS'] ?? 6)
const AGENTS = 1_000
const MERCHANT_ID = '100200300400'
/** The placeholder for the number of a request. */
const NUMBER = '777777777777777777777777'

async function main(place: BenchPlace): Promise<void> {
  const env = { ...place, PURSER_PORT: '4104' }
  let gateway: Contender | undefined
  try {
    gateway = await startGateway('purser', env, await seed(env, AGENTS))
    const bodies = await openCards(gateway)
    await warmUp(gateway, bodies)
    const rows = []
    for (const scenario of SCENARIOS) rows.push(await measure(gateway, bodies, scenario))
    await keep('card', table(rows), { rounds: ROUNDS, seconds: SECONDS, rows })
  } finally {
    await gateway?.stop()
  }
}

/**
 * Uses every card, because a process reads a card that it does not know in a statement of its own, and
 * has the compiler see the code of every variant.
 */
async function warmUp({ port, seeded }: Contender, cards: readonly string[]): Promise<void> {
  const tasks = tasksFor(seeded.agentIds, cards)
  const common = { port, connections: 16, seconds: WARM_SECONDS, apiKey: seeded.apiKey }
  for (const variant of VARIANTS) {
    await runLoad(variant, { ...common, numbered: NUMBER, ...tasks[variant] })
  }
}

/** Creates a card for each agent, at a merchant in the directory; returns the request bodies. */
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
    // The benchmark measures the number of decisions, so no request may be declined at a deadline.
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

/**
 * The variants are measured in turns. Each requests a decision, and each stores more than the one
 * before.
 */
const VARIANTS = ['evaluate', 'with key', 'with key and hold', 'card'] as const
type Variant = (typeof VARIANTS)[number]

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of the gateway's process per request. */
  readonly cpuMicros: number
}

type Row = Readonly<Record<Variant, Figures>> & { readonly scenario: string }

interface Slice extends LoadResult {
  readonly cpuMicros: number
}

async function measure(
  gateway: Contender,
  cards: readonly string[],
  { name, agents, connections }: Scenario,
): Promise<Row> {
  const { port, seeded } = gateway
  const tasks = tasksFor(seeded.agentIds.slice(0, agents), cards.slice(0, agents))
  const common = { port, connections, seconds: SECONDS, apiKey: seeded.apiKey, numbered: NUMBER }
  const slices = new Map(VARIANTS.map((variant) => [variant, [] as Slice[]]))
  // The first round warms up caches and compilers, and is discarded.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const variant of VARIANTS) {
      const before = readCpuMicros(gateway.pid)
      const asked = await runLoad(variant, { ...common, ...tasks[variant] })
      const cpu = readCpuMicros(gateway.pid) - before
      if (asked.rejected > 0) throw new Error(`${variant}: ${asked.rejected} were rejected.`)
      if (round > 0) slices.get(variant)?.push({ ...asked, cpuMicros: cpu / asked.requests })
    }
  }
  console.error(`measured: ${name}`)
  const figures = (variant: Variant) => figuresOf(slices.get(variant) ?? [])
  return {
    scenario: name,
    evaluate: figures('evaluate'),
    'with key': figures('with key'),
    'with key and hold': figures('with key and hold'),
    card: figures('card'),
  }
}

type Task = Pick<LoadTask, 'path' | 'bodies' | 'idempotencyKey'>

function tasksFor(agentIds: readonly string[], cards: readonly string[]): Record<Variant, Task> {
  const idempotencyKey = `request-${NUMBER}`
  const evaluated = { path: EVALUATE, bodies: bodiesFor(agentIds) }
  const held = bodiesFor(agentIds, { hold: { expiresIn: '7d' } })
  return {
    evaluate: evaluated,
    'with key': { ...evaluated, idempotencyKey },
    'with key and hold': { path: EVALUATE, bodies: held, idempotencyKey },
    card: { path: '/api/v1/gateway/card/authorize', bodies: cards },
  }
}

function figuresOf(slices: readonly Slice[]): Figures {
  const cpu = slices.map(({ cpuMicros }) => cpuMicros).sort((a, b) => a - b)
  return {
    perSecond: median(slices, 'perSecond'),
    p50: median(slices, 'p50'),
    p99: median(slices, 'p99'),
    cpuMicros: Math.round(cpu[Math.floor(cpu.length / 2)] ?? Number.NaN),
  }
}

/**
 * The aim applies to the last ratio: an authorization always has a hold and a key. The other ratios
 * show how much of the difference every caller with a hold and a key pays.
 */
function table(rows: readonly Row[]): string[] {
  return [
    `Medians of ${ROUNDS} slices of ${SECONDS} s. The aim: cards reach 0.8 of evaluate with key and hold.`,
    '| Load | evaluate/s | with key | with key and hold | cards/s | p99 ms | CPU µs | of evaluate | of with key | of with key and hold |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const { evaluate, card } = row
      const [keyed, held] = [row['with key'], row['with key and hold']]
      const ratio = (other: Figures) => toHundredths(card.perSecond / other.perSecond)
      const rates = [evaluate, keyed, held, card].map(({ perSecond }) => perSecond).join(' | ')
      const cpu = `${held.cpuMicros} / ${card.cpuMicros}`
      const ratios = [evaluate, keyed, held].map(ratio).join(' | ')
      return `| ${row.scenario} | ${rates} | ${held.p99} / ${card.p99} | ${cpu} | ${ratios} |`
    }),
  ]
}

await onPostgres(main)

import { join } from 'node:path'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { measureInTurns, type Pair, ratioOf, type Side } from './comparison.ts'
import { type Contender, createDatabase, load, readCpuMicros, startGateway } from './harness.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { initOrganization, seedByApi } from './seed-by-api.ts'

export interface PairOptions {
  /** The folders that hold the two builds. */
  readonly roots: Readonly<Record<Side, string>>
  /** A folder for the files of the gateways. */
  readonly folder: string
  readonly pairs: number
  readonly seconds: number
  readonly interruption: AbortSignal
}

const AGENTS = 1_000
const PORTS = { against: '4131', present: '4132' }

/** Measures evaluate of both builds in turns. Each has its own database on one server. */
export async function measureEvaluate(options: PairOptions): Promise<Pair[]> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('The benchmark needs PostgreSQL on this machine.')
  const server = await startPostgresServer(bin)
  const gateways: Contender[] = []
  const startSide = async (side: Side): Promise<Contender> => {
    const { folder, roots, interruption } = options
    interruption.throwIfAborted()
    const env = {
      DATABASE_URL: await createDatabase(server.url, side),
      PURSER_DATA_DIR: join(folder, side),
      PURSER_PORT: PORTS[side],
    }
    const apiKey = await initOrganization(roots[side], env)
    const unseeded = { apiKey, agentIds: [] }
    const gateway = await startGateway(side, env, unseeded, roots[side])
    gateways.push(gateway)
    return { ...gateway, seeded: await seedByApi(gateway.port, apiKey, AGENTS, interruption) }
  }
  try {
    const against = await startSide('against')
    return await measurePairs({ against, present: await startSide('present') }, options)
  } finally {
    for (const gateway of gateways) await gateway.stop()
    await server.stop()
  }
}

async function measurePairs(
  gateways: Readonly<Record<Side, Contender>>,
  { pairs, seconds, interruption }: PairOptions,
): Promise<Pair[]> {
  const measured: Pair[] = []
  // The first pair warms up caches and compilers, and is discarded.
  for (let pair = 0; pair <= pairs; pair++) {
    const fresh: Pair[] = []
    for (const scenario of SCENARIOS) {
      const slices = await measureInTurns(pair, (side) => {
        interruption.throwIfAborted()
        return drive(gateways[side], scenario, seconds)
      })
      fresh.push(toPair('requests/s', 'perSecond'), toPair('CPU µs per decision', 'cpuMicros'))

      function toPair(figure: Pair['figure'], field: keyof Slice): Pair {
        const { against, present } = slices
        return { scenario: scenario.name, figure, against: against[field], present: present[field] }
      }
    }
    console.error(pair === 0 ? 'warmed up' : `pair ${pair} of ${pairs}: ${toProgress(fresh)}`)
    if (pair > 0) measured.push(...fresh)
  }
  return measured
}

function toProgress(fresh: readonly Pair[]): string {
  const ratios = (wanted: Pair['figure']): string =>
    fresh
      .filter(({ figure }) => figure === wanted)
      .map((pair) => ratioOf(pair).toFixed(2))
      .join(' ')
  return `requests/s × ${ratios('requests/s')}, CPU × ${ratios('CPU µs per decision')}`
}

interface Slice {
  readonly perSecond: number
  readonly cpuMicros: number
}

async function drive(gateway: Contender, scenario: Scenario, seconds: number): Promise<Slice> {
  const agentIds = gateway.seeded.agentIds.slice(0, scenario.agents)
  const before = readCpuMicros(gateway.pid)
  const { perSecond, requests } = await load(gateway, agentIds, scenario.connections, seconds)
  return { perSecond, cpuMicros: (readCpuMicros(gateway.pid) - before) / requests }
}

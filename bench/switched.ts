import { join } from 'node:path'
import { comparePairs, measureInTurns, type Pair, type Side, toTable } from './comparison.ts'
import {
  type Contender,
  createDatabase,
  keep,
  load,
  onPostgres,
  ROOT,
  readCpuMicros,
  startGateway,
} from './harness.ts'
import { initOrganization, seedByApi } from './seed-by-api.ts'

/** A part of the gateway that settings switch on. */
interface SwitchedPart {
  /** The name of the recorded results. */
  readonly name: string
  readonly title: string
  /** The settings of the gateway that has the part. */
  readonly settings: Readonly<Record<string, string>>
  /** Called every 15 seconds. */
  whileMeasured?(): Promise<void>
}

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 20)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)
const AGENTS = 1_000
const CONNECTIONS = [1, 4, 64]
const CALLED_EVERY_MS = 15_000
const PORTS = { against: '4141', present: '4142' }

/**
 * Measures the cost of a part of the gateway: the same build with and without it, in turns. Each
 * gateway has its own database on one server. Read the CPU time: it does not depend on the load of
 * the machine as much as the rate does.
 */
export async function benchSwitched(part: SwitchedPart): Promise<void> {
  await onPostgres(async ({ DATABASE_URL, PURSER_DATA_DIR }) => {
    const gateways: Contender[] = []
    let calling: NodeJS.Timeout | undefined
    const interruption = new AbortController().signal
    const startSide = async (side: Side): Promise<Contender> => {
      const env = {
        DATABASE_URL: await createDatabase(DATABASE_URL, side),
        PURSER_DATA_DIR: join(PURSER_DATA_DIR, side),
        PURSER_PORT: PORTS[side],
        ...(side === 'present' && part.settings),
      }
      const apiKey = await initOrganization(ROOT, env)
      const gateway = await startGateway(side, env, { apiKey, agentIds: [] })
      gateways.push(gateway)
      return { ...gateway, seeded: await seedByApi(gateway.port, apiKey, AGENTS, interruption) }
    }
    try {
      const sides = { against: await startSide('against'), present: await startSide('present') }
      const measured: Pair[] = []
      calling = setInterval(() => part.whileMeasured?.(), CALLED_EVERY_MS)
      for (let pair = 0; pair <= PAIRS; pair++) {
        const fresh = await measurePair(sides, pair)
        console.error(pair === 0 ? 'warmed up' : `pair ${pair} of ${PAIRS}`)
        if (pair > 0) measured.push(...fresh)
      }
      const rows = comparePairs(measured)
      const title = `${part.title}: ${PAIRS} pairs, slices of ${SECONDS} s.`
      await keep(part.name, [title, ...toTable(rows)], { pairs: PAIRS, seconds: SECONDS, rows })
    } finally {
      clearInterval(calling)
      for (const gateway of gateways) await gateway.stop()
    }
  })
}

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

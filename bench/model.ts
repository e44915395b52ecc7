import { loadavg } from 'node:os'
import {
  type BenchPlace,
  type Contender,
  keep,
  load,
  onPostgres,
  quantile,
  readTreeCpuMicros,
  startGateway,
  toHundredths,
} from './harness.ts'
import { type Batches, ceilingOf, fitBatches, predictClosed, simulateOpen } from './queueing.ts'
import { seed } from './seed.ts'

/**
 * Compares the model of bench/queueing.ts with a measured run. Some of the closed loops give the
 * batches, and the others show how well these predict. Also measures the CPU time per decision that
 * docs/scaling.md calculates with.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const PORT = process.env['BENCH_PORT'] ?? '4141'
const AGENTS = 1_000
const FITTED = [4, 64]
const PREDICTED = [16, 128]
const LONE = 1
const OPEN_SHARES = [0.1, 0.3, 0.6, 0.8]

interface Slice {
  readonly clients: number
  readonly perSecond: number
  readonly p50: number
  readonly gatewayMicros: number
  readonly databaseMicros: number
}

async function main(place: BenchPlace, databasePid: number): Promise<void> {
  const env = { ...place, PURSER_PORT: PORT }
  const seeded = await seed(env, AGENTS)
  const gateway = { ...(await startGateway('purser', env, seeded)), databasePid }
  try {
    await load(gateway, seeded.agentIds, 16, SECONDS)
    const slices: Slice[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const clients of [LONE, ...FITTED, ...PREDICTED]) {
        slices.push(await measure(gateway, clients))
      }
    }
    const rows = [LONE, ...FITTED, ...PREDICTED].map((clients) => mediansOf(slices, clients))
    await report(rows)
  } finally {
    await gateway.stop()
  }
}

async function measure(
  gateway: Contender & { readonly databasePid: number },
  clients: number,
): Promise<Slice> {
  const readCpu = () => [readTreeCpuMicros(gateway.pid), readTreeCpuMicros(gateway.databasePid)]
  const [gatewayBefore = 0, databaseBefore = 0] = readCpu()
  const result = await load(gateway, gateway.seeded.agentIds, clients, SECONDS)
  const [gatewayAfter = 0, databaseAfter = 0] = readCpu()
  return {
    ...{ clients, perSecond: result.perSecond, p50: result.p50 },
    gatewayMicros: Math.round((gatewayAfter - gatewayBefore) / result.requests),
    databaseMicros: Math.round((databaseAfter - databaseBefore) / result.requests),
  }
}

function mediansOf(slices: readonly Slice[], clients: number): Slice {
  const own = slices.filter((slice) => slice.clients === clients)
  const middle = (field: keyof Slice) =>
    quantile(
      own.map((slice) => slice[field]),
      0.5,
    )
  return {
    ...{ clients, perSecond: middle('perSecond'), p50: middle('p50') },
    ...{ gatewayMicros: middle('gatewayMicros'), databaseMicros: middle('databaseMicros') },
  }
}

async function report(measured: readonly Slice[]): Promise<void> {
  const batches = fitBatches(measured.filter(({ clients }) => FITTED.includes(clients)))
  const rows = measured.map((slice) => {
    const predicted = toHundredths(predictClosed(batches, slice.clients))
    return { ...slice, predicted, error: toHundredths(predicted / slice.p50 - 1) }
  })
  const open = openOf(batches)
  await keep('model', linesOf(batches, rows, open), {
    ...{ load: loadavg(), rounds: ROUNDS, seconds: SECONDS, batches, rows, open },
  })
}

function openOf(batches: Batches) {
  return OPEN_SHARES.map((share) => {
    const { perSecond, p50, p99 } = simulateOpen(batches, share * ceilingOf(batches))
    const [rate, middle, most] = [Math.round(perSecond), toHundredths(p50), toHundredths(p99)]
    return { share, perSecond: rate, p50: middle, p99: most }
  })
}

type Predicted = Slice & { readonly predicted: number; readonly error: number }

function linesOf(
  batches: Batches,
  rows: readonly Predicted[],
  open: ReturnType<typeof openOf>,
): string[] {
  const [a, b] = [toHundredths(batches.a), Math.round(batches.b * 1_000)]
  return [
    `Load of the machine: ${loadavg()[0]?.toFixed(1)}. Medians of ${ROUNDS} slices of ${SECONDS} s.`,
    `A batch of n takes ${a} ms + n × ${b} µs, from ${FITTED.join(' and ')} clients.`,
    '| Clients | Decisions/s | p50 ms | Predicted | Error | CPU µs: gateway + PostgreSQL |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.clients} | ${row.perSecond} | ${row.p50} | ${row.predicted} | ${Math.round(row.error * 100)} % | ${row.gatewayMicros} + ${row.databaseMicros} |`,
    ),
    '| Open loop: share of the ceiling | Decisions/s | p50, p99 ms, calculated |',
    '|---|---|---|',
    ...open.map(({ share, perSecond, p50, p99 }) => `| ${share} | ${perSecond} | ${p50}, ${p99} |`),
  ]
}

await onPostgres((place, server) => main(place, server.pid))

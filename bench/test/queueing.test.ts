import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ceilingOf, fitBatches, predictClosed, simulateOpen } from '../queueing.ts'

const BATCHES = { a: 2, b: 0.25 }

describe('a fit', () => {
  test('finds the batches that measured loops come from', () => {
    const measured = [4, 16, 64].map((clients) => ({
      clients,
      p50: predictClosed(BATCHES, clients),
    }))
    const { a, b } = fitBatches(measured)
    expect(a).toBeCloseTo(2, 9)
    expect(b).toBeCloseTo(0.25, 9)
  })

  test('leaves out a lone client, whose decisions have other statements', () => {
    const measured = [1, 4, 64].map((clients) => ({
      clients,
      p50: clients === 1 ? 99 : predictClosed(BATCHES, clients),
    }))
    expect(fitBatches(measured).a).toBeCloseTo(2, 9)
  })

  test('needs two different loops', () => {
    const loop = { clients: 4, p50: 5 }
    expect(() => fitBatches([loop, loop])).toThrow('two closed loops')
  })
})

describe('an open loop', () => {
  test('waits for nothing when it is idle', () => {
    const { p50 } = simulateOpen(BATCHES, 1)
    expect(p50).toBeCloseTo(BATCHES.a + BATCHES.b, 2)
  })

  test('takes longer the more spends arrive, up to the ceiling', () => {
    const loads = [100, 1_000, 2_000, 3_500].map((perSecond) => simulateOpen(BATCHES, perSecond))
    const times = loads.map(({ p50 }) => p50)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(loads.every(({ p50, p99 }) => p99 > p50)).toBe(true)
    expect(simulateOpen(BATCHES, ceilingOf(BATCHES)).p50).toBe(Infinity)
  })

  test('agrees with a closed loop of as many spends at once', () => {
    // At half of the rate of endless batches, a batch of n lasts until n have arrived: it takes 2a.
    const { p50 } = simulateOpen(BATCHES, 500 / BATCHES.b)
    expect(p50).toBeGreaterThan(2 * BATCHES.a)
    expect(p50).toBeLessThan(4 * BATCHES.a)
  })
})

interface Recorded {
  readonly batches: { readonly a: number; readonly b: number }
  readonly rows: readonly {
    readonly clients: number
    readonly perSecond: number
    readonly p50: number
    readonly gatewayMicros: number
    readonly databaseMicros: number
  }[]
  readonly open: readonly {
    readonly share: number
    readonly perSecond: number
    readonly p50: number
    readonly p99: number
  }[]
}

describe('docs/scaling.md', () => {
  const { batches, rows, open } = readRecorded()
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const fitted = fitBatches(rows.filter(({ clients }) => clients === 4 || clients === 64))
  const loopOf = (wanted: number) => {
    const loop = rows.find(({ clients }) => clients === wanted)
    if (loop === undefined) throw new Error(`No loop of ${wanted} clients was recorded.`)
    return loop
  }

  test('shows the batches that 4 and 64 clients of the recorded run come from', () => {
    expect([fitted.a, fitted.b]).toEqual([
      expect.closeTo(batches.a, 6),
      expect.closeTo(batches.b, 6),
    ])
    expect(page).toContain(
      `\`a = ${fitted.a.toFixed(2)} ms\` and \`b = ${fitted.b.toFixed(2)} ms\``,
    )
    const [few, many] = [loopOf(4), loopOf(64)]
    const rates = `${inWords(few.perSecond)}, ${inWords(many.perSecond)}`
    const times = `${few.p50.toFixed(1)}, ${many.p50.toFixed(1)}`
    expect(page).toContain(`| 4, 64 | ${rates} | ${times} | the same |`)
  })

  test.each([1, 16, 128])('shows what the batches predict for %i clients', (clients) => {
    const { perSecond, p50 } = loopOf(clients)
    const predicted = predictClosed(fitted, clients)
    const error = Math.round((predicted / p50 - 1) * 100)
    const figures = [inWords(perSecond), p50.toFixed(1), predicted.toFixed(1)]
    expect(page).toContain(`| ${clients} | ${figures.join(' | ')} | −${-error} % |`)
  })

  test.each(open)('shows the open loop at $share of the largest rate', (recorded) => {
    const load = simulateOpen(fitted, recorded.share * ceilingOf(fitted))
    expect(load.perSecond).toBeCloseTo(recorded.perSecond, -0.5)
    expect([load.p50, load.p99]).toEqual([
      expect.closeTo(recorded.p50, 2),
      expect.closeTo(recorded.p99, 2),
    ])
    const times = `${load.p50.toFixed(1)}, ${load.p99.toFixed(1)}`
    expect(page).toContain(`| ${inWords(load.perSecond)} | ${times} |`)
  })

  const alone = loopOf(1)
  const batched = loopOf(64)

  test('shows the CPU of the recorded run', () => {
    for (const { gatewayMicros, databaseMicros } of [alone, batched]) {
      expect(page).toContain(`| ${inWords(gatewayMicros)} | ${inWords(databaseMicros)} |`)
    }
  })

  test.each([
    ['a coordinator passes on', 3_684, 1_502],
    ['a plain PostgreSQL decides', 925, 365],
  ] as const)('shows the rate that %s', (name, ofLone, ofBatched) => {
    const micros = [ofLone, ofBatched].map(inWords).join(', ')
    const rates = [ofLone, ofBatched].map((each) =>
      inWords(Math.round((CORES * MICROS_OF_CORE) / each / 100) * 100),
    )
    expect(page).toContain(`| ${name} | ${micros} | ${rates.join(', ')} |`)
  })

  test.each([
    ['1,000', 1_000],
    ['100,000', 100_000],
    ['10 million', 10_000_000],
  ] as const)('shows cores, machines and connections for %s decisions a second', (name, rate) => {
    const sizes = [alone, batched].map((loop) => sizeFor(rate, loop))
    const both = (figure: keyof (typeof sizes)[number]): string =>
      sizes.map((size) => inWords(size[figure])).join(', ')
    const machines = rate === 1_000 ? '1' : both('machines')
    expect(page).toContain(
      `| ${name} | ${both('cores')} | ${both('databaseCores')} | ${machines} |`,
    )
    expect(page).toContain(`| ${name} | ${both('connections')} | ${both('ofMachine')} |`)
  })
})

/** Each core is busy for 60 % of a second. */
const MICROS_OF_CORE = 600_000
/** Those of a database machine. */
const CORES = 16
const CONNECTIONS_OF_PROCESS = 32
/** So that one can be replaced. */
const GATEWAYS_MIN = 2

/** The formulas of the page. */
function sizeFor(rate: number, { gatewayMicros, databaseMicros }: Recorded['rows'][number]) {
  const coresFor = (micros: number): number => Math.ceil((rate * micros) / MICROS_OF_CORE)
  const machines = Math.ceil((rate * databaseMicros) / MICROS_OF_CORE / CORES)
  const cores = coresFor(gatewayMicros)
  const gateways = Math.max(GATEWAYS_MIN, cores)
  return {
    cores,
    databaseCores: coresFor(databaseMicros),
    machines,
    connections: gateways * CONNECTIONS_OF_PROCESS,
    ofMachine: Math.ceil(gateways / machines) * CONNECTIONS_OF_PROCESS,
  }
}

function inWords(figure: number): string {
  return Math.round(figure).toLocaleString('en-US')
}

function readRecorded(): Recorded {
  const file = new URL('../results/model-2026-11-19.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

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

/** Decisions/s, p50 and p99 of the open loops in docs/scaling.md. */
const OPEN = [
  [250, 6, 9],
  [749, 8, 12],
  [1_499, 13, 23],
  [1_998, 24, 45],
]

interface Recorded {
  readonly rows: readonly {
    readonly scenario: string
    readonly figure: string
    readonly present: number
  }[]
}

/** In a closed loop, the mean latency is the number of clients divided by the rate. */
function recordedLoops(mandates: string): { clients: number; p50: number }[] {
  const file = new URL('../results/against-2026-11-18.json', import.meta.url)
  const { rows }: Recorded = JSON.parse(readFileSync(file, 'utf8'))
  return rows
    .filter(({ scenario, figure }) => scenario.startsWith(mandates) && figure === 'requests/s')
    .map(({ scenario, present }) => {
      const clients = Number(/(\d+) connections?/.exec(scenario)?.[1])
      return { clients, p50: (clients * 1_000) / present }
    })
}

test('4 and 64 clients of a recorded run predict its 256 clients, which docs/scaling.md shows', () => {
  const loops = recordedLoops('1,000 mandates')
  const batches = fitBatches(loops.filter(({ clients }) => clients === 4 || clients === 64))
  const errorAt = (wanted: number) => {
    const { p50 = Number.NaN } = loops.find(({ clients }) => clients === wanted) ?? {}
    return Math.round((predictClosed(batches, wanted) / p50 - 1) * 100)
  }
  expect([batches.a, batches.b].map((ms) => ms.toFixed(2))).toEqual(['3.57', '0.39'])
  expect([errorAt(1), errorAt(256)]).toEqual([-31, 13])
  const open = [0.1, 0.3, 0.6, 0.8].map((share) =>
    simulateOpen(batches, share * ceilingOf(batches)),
  )
  expect(
    open.map((load) => [load.perSecond, load.p50, load.p99].map((one) => Math.round(one))),
  ).toEqual(OPEN)
})

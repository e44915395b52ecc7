/**
 * A model of one lane of decisions. The spends that wait form the next batch, and a batch of `n`
 * spends takes `a + b × n` ms. So a lane needs no timer, and its batches grow with the load.
 */
export interface Batches {
  /** What a batch takes, whatever its size: round trips and the durable commit. */
  readonly a: number
  /** What each spend adds. */
  readonly b: number
}

export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** A measured closed loop: clients that send their next spend when the last one is answered. */
export interface ClosedLoop {
  readonly clients: number
  readonly p50: number
}

/** The number of clients from which two batches take turns. One client alone never waits. */
const CLIENTS_MIN = 2

/**
 * Finds the batches that explain measured closed loops best, by least squares of relative errors:
 * a client waits for one batch and is part of the next, which together have all clients.
 */
export function fitBatches(measured: readonly ClosedLoop[]): Batches {
  const loops = measured.filter(({ clients }) => clients >= CLIENTS_MIN)
  if (new Set(loops.map(({ clients }) => clients)).size < 2) {
    throw new Error('A fit needs two closed loops of different size.')
  }
  // p50 = 2a + b × clients, with each equation divided by its p50.
  const [aa, ab, bb, a1, b1] = loops.reduce(
    ([aa, ab, bb, a1, b1], { clients, p50 }) => {
      const [forA, forB] = [2 / p50, clients / p50]
      return [aa + forA * forA, ab + forA * forB, bb + forB * forB, a1 + forA, b1 + forB]
    },
    [0, 0, 0, 0, 0] as [number, number, number, number, number],
  )
  const determinant = aa * bb - ab * ab
  return { a: (a1 * bb - b1 * ab) / determinant, b: (b1 * aa - a1 * ab) / determinant }
}

/** The latency of each client of a closed loop, in ms. */
export function predictClosed({ a, b }: Batches, clients: number): number {
  return clients < CLIENTS_MIN ? a + b : 2 * a + b * clients
}

/** The gateway's largest batch. */
const SIZE_MAX = 256

/** The largest rate that a lane can keep up with: then all batches are full. */
export function ceilingOf({ a, b }: Batches): number {
  return (1_000 * SIZE_MAX) / (a + b * SIZE_MAX)
}

const SPENDS = 50_000

/** Simulates spends that arrive at random, whatever was answered: an open loop. */
export function simulateOpen({ a, b }: Batches, perSecond: number, spends = SPENDS): Load {
  if (perSecond >= ceilingOf({ a, b })) return { perSecond, p50: Infinity, p99: Infinity }
  const random = createRandom(1)
  const arrivals: number[] = []
  for (let at = 0; arrivals.length < spends; ) {
    at -= (Math.log(1 - random()) / perSecond) * 1_000
    arrivals.push(at)
  }
  const latencies: number[] = []
  let free = 0
  for (let first = 0; first < spends; ) {
    const begun = Math.max(free, arrivals[first] ?? 0)
    let end = first
    while (end < spends && end - first < SIZE_MAX && (arrivals[end] ?? 0) <= begun) end += 1
    free = begun + a + b * (end - first)
    for (; first < end; first++) latencies.push(free - (arrivals[first] ?? 0))
  }
  latencies.sort((one, other) => one - other)
  const at = (share: number): number => latencies[Math.floor(share * (spends - 1))] ?? 0
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

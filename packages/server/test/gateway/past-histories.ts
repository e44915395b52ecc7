import fc from 'fast-check'
import { DAY_MS, HOUR_MS } from '../support/builders.ts'
import { whenSwept } from '../support/spends.ts'
import {
  addLimits,
  aLine,
  compareWithModel,
  removeLimits,
  type Scene,
  takeStep,
  whenCounted,
  withRows,
} from './past-proof.ts'

export const AT_ONCE = { atOnce: 5_000, perStep: 1_000 }
export const BY_AND_BY = { atOnce: 2, perStep: 3 }

const GAPS = [0, 1, 1_000, 9_000, 61_000, 600_000, HOUR_MS, 5 * HOUR_MS]

/** Adds limits to random histories, and compares what they show with what the transactions say. */
export function proveHistories(scene: Scene, rows: typeof AT_ONCE, runs: number): Promise<void> {
  const history = fc.asyncProperty(fc.integer(), (seed) => playHistory(scene, seed))
  return withRows(rows, () => fc.assert(history, { numRuns: runs, endOnFailure: true }))
}

async function playHistory(scene: Scene, seed: number): Promise<void> {
  const random = randomOf(seed)
  const line = await aLine(scene)
  // Ids go by the real clock, and nothing is older than its id.
  let now = Date.now() - 6 * DAY_MS
  const play = async (steps: number) => {
    for (let step = 0; step < steps; step++) {
      now += GAPS[Math.floor(random() * GAPS.length)] ?? 0
      scene.app.clock.now = now
      await takeStep(scene, line, random)
    }
  }
  const compare = async () => {
    await whenCounted(scene)
    await whenSwept(scene.app, now)
    await compareWithModel(scene, line, now)
  }
  await play(12)
  await addLimits(scene, line)
  await play(4)
  await compare()
  await play(6)
  await compare()
  await removeLimits(scene, line)
  await play(4)
  await addLimits(scene, line)
  await compare()
}

/** A number for each draw, from one seed. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

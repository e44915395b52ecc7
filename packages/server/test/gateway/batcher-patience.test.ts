import { expect, test } from 'vitest'
import { createBatcher } from '../../src/gateway/queue/batcher.ts'
import { waitUntil } from '../support/wait-until.ts'

interface Wait {
  readonly jobs: readonly number[]
  finish(): void
}

/** A batcher whose batches end when the test says so. The result of a job is its tenfold. */
function aBatcher(options: Partial<Parameters<typeof createBatcher>[0]>) {
  const batches: Wait[] = []
  const batcher = createBatcher<number, number>({
    isolates: () => false,
    batchSizeMax: 100,
    waitingMax: 100,
    ...options,
    run: (jobs) =>
      new Promise((resolve) => {
        batches.push({ jobs, finish: () => resolve(jobs.map((job) => job * 10)) })
      }),
  })
  return { batcher, batches }
}

test('a batcher does not wait for a batch beyond its patience, and runs so many at most', async () => {
  const { batcher, batches } = aBatcher({ patience: { ms: 1, atOnceMax: 2 } })
  const begun = (count: number) => waitUntil(() => batches.length === count)
  const results = [batcher.submit(1)]
  await begun(1)
  results.push(batcher.submit(2))
  await begun(2)
  results.push(batcher.submit(3))
  // Time enough for a third one, if it could begin.
  let looks = 0
  await waitUntil(() => looks++ === 3)
  expect(batches).toHaveLength(2)
  batches[1]?.finish()
  expect(await results[1]).toBe(20)
  await begun(3)
  expect(batches.map(({ jobs }) => jobs)).toEqual([[1], [2], [3]])
  for (const batch of batches) batch.finish()
  expect(await Promise.all(results)).toEqual([10, 20, 30])
  await batcher.drain()
})

test('a batcher begins a batch when it is told to, with all that has come by then', async () => {
  const begins: (() => void)[] = []
  const { batcher, batches } = aBatcher({ defer: (begin) => void begins.push(begin) })
  const results = [batcher.submit(1)]
  await Promise.resolve()
  results.push(batcher.submit(2))
  expect([batches.length, begins.length]).toEqual([0, 1])
  begins[0]?.()
  expect(batches.map(({ jobs }) => jobs)).toEqual([[1, 2]])
  batches[0]?.finish()
  expect(await Promise.all(results)).toEqual([10, 20])
})

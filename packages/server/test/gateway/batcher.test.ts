import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { createBatcher } from '../../src/gateway/queue/batcher.ts'

class DataError extends Error {}

interface Wait {
  readonly jobs: readonly number[]
  finish(): void
  fail(error: Error): void
}

/** A batcher whose batches end when the test says so. The result of a job is its tenfold. */
function aBatcher({ batchSizeMax = 100, waitingMax = 100 } = {}) {
  const batches: Wait[] = []
  const batcher = createBatcher<number, number>({
    run: (jobs) =>
      new Promise((resolve, reject) => {
        batches.push({ jobs, finish: () => resolve(jobs.map((job) => job * 10)), fail: reject })
      }),
    isolates: (error) => error instanceof DataError,
    batchSizeMax,
    waitingMax,
  })
  const nextBatch = async (index: number): Promise<Wait> => {
    for (let turn = 0; turn < 50 && !batches[index]; turn += 1) await Promise.resolve()
    const batch = batches[index]
    if (!batch) throw new Error(`There is no batch ${index}.`)
    return batch
  }
  return { batcher, batches, nextBatch }
}

const outcomesOf = async (results: readonly Promise<number>[]) =>
  (await Promise.allSettled(results)).map((result) =>
    result.status === 'fulfilled' ? result.value : result.reason,
  )

describe('a batcher', () => {
  test('runs a lone job at once', async () => {
    const { batcher, nextBatch } = aBatcher()
    const result = batcher.submit(1)
    const batch = await nextBatch(0)
    expect(batch.jobs).toEqual([1])
    batch.finish()
    expect(await result).toBe(10)
  })

  test('makes one batch of what comes in the same turn', async () => {
    const { batcher, nextBatch } = aBatcher()
    const results = [1, 2, 3].map((job) => batcher.submit(job))
    const batch = await nextBatch(0)
    expect(batch.jobs).toEqual([1, 2, 3])
    batch.finish()
    expect(await Promise.all(results)).toEqual([10, 20, 30])
  })

  test('makes the next batch of what comes while one runs, in the order of arrival', async () => {
    const { batcher, batches, nextBatch } = aBatcher()
    const results = [batcher.submit(1)]
    const first = await nextBatch(0)
    for (const job of [2, 3, 4]) {
      results.push(batcher.submit(job))
      await Promise.resolve()
    }
    expect([batches.length, batcher.waiting]).toEqual([1, 3])
    first.finish()
    const second = await nextBatch(1)
    expect([second.jobs, batcher.waiting]).toEqual([[2, 3, 4], 0])
    second.finish()
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40])
  })

  test('answers a batch before the next one is run', async () => {
    const { batcher, nextBatch } = aBatcher()
    const first = batcher.submit(1)
    const running = await nextBatch(0)
    const second = batcher.submit(2)
    running.finish()
    expect(await first).toBe(10)
    const next = await nextBatch(1)
    next.finish()
    expect(await second).toBe(20)
  })

  test('makes no batch larger than it may be', async () => {
    const { batcher, batches, nextBatch } = aBatcher({ batchSizeMax: 2 })
    const results = [1, 2, 3, 4, 5].map((job) => batcher.submit(job))
    for (const index of [0, 1, 2]) (await nextBatch(index)).finish()
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50])
    expect(batches.map(({ jobs }) => jobs)).toEqual([[1, 2], [3, 4], [5]])
  })

  test('refuses at once what is more than may wait, and takes more when there is room', async () => {
    const { batcher, nextBatch } = aBatcher({ waitingMax: 2 })
    const results = [batcher.submit(1)]
    const first = await nextBatch(0)
    results.push(batcher.submit(2), batcher.submit(3))
    const refused = await batcher.submit(4).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Problem)
    expect(refused).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 })
    first.finish()
    const second = await nextBatch(1)
    results.push(batcher.submit(5))
    second.finish()
    ;(await nextBatch(2)).finish()
    expect(await Promise.all(results)).toEqual([10, 20, 30, 50])
  })

  test('drains when everything is done, also what was submitted meanwhile', async () => {
    const { batcher, nextBatch } = aBatcher()
    await batcher.drain()
    const results = [batcher.submit(1)]
    const first = await nextBatch(0)
    let isDrained = false
    const drained = batcher.drain().then(() => {
      isDrained = true
    })
    results.push(batcher.submit(2))
    first.finish()
    const second = await nextBatch(1)
    await results[0]
    expect(isDrained).toBe(false)
    second.finish()
    await drained
    expect(await Promise.all(results)).toEqual([10, 20])
  })
})

describe('a batch that fails', () => {
  test('because of its data runs job by job, and only the bad one fails', async () => {
    const runs: number[][] = []
    const batcher = createBatcher<number, number>({
      run: async (jobs) => {
        runs.push([...jobs])
        if (jobs.includes(2)) throw new DataError('2 is bad')
        return jobs.map((job) => job * 10)
      },
      isolates: (error) => error instanceof DataError,
      batchSizeMax: 10,
      waitingMax: 10,
    })
    const outcomes = await outcomesOf([1, 2, 3].map((job) => batcher.submit(job)))
    expect(outcomes).toEqual([10, new DataError('2 is bad'), 30])
    expect(runs.slice(0, 2)).toEqual([[1, 2, 3], [1]])
  })

  test.each([
    [1, 'succeeds'],
    [2, 'succeeds'],
    [3, 'fails'],
  ])(
    'because of its data %i times is tried again, three times in all, and %s',
    async (bad, end) => {
      let attempts = 0
      const batcher = createBatcher<number, number>({
        run: async (jobs) => {
          attempts += 1
          if (attempts <= bad) throw new DataError('The key is taken.')
          return jobs.map((job) => job * 10)
        },
        isolates: (error) => error instanceof DataError,
        batchSizeMax: 10,
        waitingMax: 10,
      })
      const [outcome] = await outcomesOf([batcher.submit(1)])
      expect(outcome).toEqual(end === 'fails' ? new DataError('The key is taken.') : 10)
      expect(attempts).toBe(Math.min(bad + 1, 3))
    },
  )

  test('for any other reason fails as a whole and is not repeated', async () => {
    const { batcher, batches, nextBatch } = aBatcher()
    const results = [1, 2].map((job) => batcher.submit(job))
    const outcomes = outcomesOf(results)
    const lost = new Error('The connection is lost.')
    ;(await nextBatch(0)).fail(lost)
    expect(await outcomes).toEqual([lost, lost])
    expect(batches).toHaveLength(1)
    const next = batcher.submit(3)
    ;(await nextBatch(1)).finish()
    expect(await next).toBe(30)
  })

  test('for one job only fails that job with its own error', async () => {
    const failure = new Problem('agent_not_found', 'There is no such agent.')
    const batcher = createBatcher<number, number>({
      run: async (jobs) => jobs.map((job) => (job === 2 ? { failure } : job * 10)),
      isolates: () => false,
      batchSizeMax: 10,
      waitingMax: 10,
    })
    const outcomes = await outcomesOf([1, 2, 3].map((job) => batcher.submit(job)))
    expect(outcomes).toEqual([10, failure, 30])
  })

  test('by giving too few results leaves nobody waiting', async () => {
    const batcher = createBatcher<number, number>({
      run: async () => [10],
      isolates: () => false,
      batchSizeMax: 10,
      waitingMax: 10,
    })
    const [first, second] = await outcomesOf([1, 2].map((job) => batcher.submit(job)))
    expect(first).toBe(10)
    expect(second).toBeInstanceOf(Error)
  })
})

describe('whatever the order in which things happen', () => {
  /** Jobs arrive and batches end in an order that fast-check chooses; some jobs are bad data. */
  const histories = fc.record({
    jobs: fc.array(fc.record({ isBad: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    }),
    batchSizeMax: fc.integer({ min: 1, max: 8 }),
    waitingMax: fc.integer({ min: 1, max: 20 }),
    s: fc.scheduler(),
  })

  test('every job is answered once, in order, with its own result or its own failure', () =>
    fc.assert(
      fc.asyncProperty(histories, async ({ jobs, batchSizeMax, waitingMax, s }) => {
        const done: number[] = []
        let running = 0
        const batcher = createBatcher<number, number>({
          run: async (batch) => {
            running += 1
            expect(running).toBe(1)
            expect(batch.length).toBeLessThanOrEqual(batchSizeMax)
            await s.schedule(Promise.resolve(), `batch ${batch.join()}`)
            running -= 1
            if (batch.some((job) => jobs[job]?.isBad)) throw new DataError(batch.join())
            done.push(...batch)
            return batch.map((job) => job * 10)
          },
          isolates: (error) => error instanceof DataError,
          batchSizeMax,
          waitingMax,
        })
        const outcomes: unknown[] = []
        const submissions = jobs.map((_, job) =>
          s.schedule(Promise.resolve(), `job ${job}`).then(() =>
            batcher.submit(job).then(
              (result) => {
                outcomes[job] = result
              },
              (error: unknown) => {
                outcomes[job] = error
              },
            ),
          ),
        )
        await s.waitFor(Promise.all(submissions))
        await batcher.drain()
        expect(batcher.waiting).toBe(0)
        expect(new Set(done).size).toBe(done.length)
        for (const [job, { isBad }] of jobs.entries()) {
          const outcome = outcomes[job]
          if (outcome instanceof Problem) expect(outcome.code).toBe('overloaded')
          else if (isBad) expect(outcome).toEqual(new DataError(String(job)))
          else expect([outcome, done.includes(job)]).toEqual([job * 10, true])
        }
      }),
      { numRuns: 300 },
    ))
})

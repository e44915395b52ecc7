import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatcher } from '../../src/gateway/queue/batcher.ts'
import { createGathering } from '../../src/gateway/queue/gathering.ts'
import { createLanes } from '../../src/gateway/queue/lanes.ts'

const BATCH = { size: 4, ms: 10 }
/** Half of the batch's time: callers that spend again by then return soon. */
const SOON_MS = 5
/** Callers from this number on are those of a second organization. */
const OTHERS = 100

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the wait for callers that return', () => {
  /** Ends batches; after each, `returning` of its callers return after `afterMs`. */
  function batches(
    count: number,
    returning: number,
    { size = 4, afterMs = 1, waiting = 0, before = 0 } = {},
  ) {
    let givenUp = 0
    const gathering = createGathering(32, () => {
      givenUp += 1
    })
    const waits = Array.from({ length: count }, () => {
      gathering.begin({ size, ms: 10 }, waiting)
      const isOn = gathering.isOn()
      for (let left = before; left > 0; left -= 1) gathering.note()
      gathering.answered()
      vi.advanceTimersByTime(afterMs)
      for (let left = returning; left > 0; left -= 1) gathering.note()
      vi.advanceTimersByTime(100)
      return isOn
    })
    return { waits, gathering, givenUp: () => givenUp }
  }

  test('begins when all callers have returned soon for some batches', () => {
    const { waits, givenUp } = batches(40, 4)
    expect(waits.indexOf(true)).toBeGreaterThan(5)
    expect(waits.slice(20)).not.toContain(false)
    expect(givenUp()).toBe(0)
  })

  test('is for all callers that fit', () => {
    expect(batches(40, 20, { size: 20, waiting: 12 }).waits).toContain(true)
  })

  test('is at most 16 ms long, however long the batch took', () => {
    const { gathering } = batches(40, 4)
    gathering.begin({ size: 4, ms: 1_000 }, 0)
    gathering.answered()
    vi.advanceTimersByTime(15)
    expect(gathering.isOn()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(gathering.isOn()).toBe(false)
  })

  test('ends with the last caller of the batch', () => {
    const { gathering } = batches(40, 4)
    gathering.begin(BATCH, 1)
    gathering.answered()
    for (const isOn of [true, true, true, false, false]) {
      gathering.note()
      expect(gathering.isOn()).toBe(isOn)
    }
  })

  test('ends after the time of the batch if callers stay away, and is tried few times more', () => {
    const { gathering, givenUp } = batches(40, 4)
    gathering.begin(BATCH, 0)
    gathering.answered()
    gathering.note()
    vi.advanceTimersByTime(2 * SOON_MS - 1)
    expect([gathering.isOn(), givenUp()]).toEqual([true, 0])
    vi.advanceTimersByTime(1)
    expect([gathering.isOn(), givenUp()]).toEqual([false, 1])
    for (let batch = 0; batch < 10; batch += 1) {
      gathering.begin(BATCH, 0)
      gathering.answered()
      vi.advanceTimersByTime(100)
    }
    expect(givenUp()).toBeLessThan(4)
  })

  test.each([
    ['half of the callers return', batches.bind(null, 60, 2)],
    ['others come before they are answered', batches.bind(null, 60, 0, { before: 4 })],
    ['the callers return late', batches.bind(null, 60, 4, { afterMs: SOON_MS + 1 })],
    ['a caller is alone', batches.bind(null, 60, 1, { size: 1 })],
    ['there are many callers', batches.bind(null, 60, 20, { size: 20, waiting: 13 })],
  ])('never begins if %s', (_case, run) => {
    expect(run().waits).not.toContain(true)
  })
})

describe('callers that spend again as soon as they are answered', () => {
  /** A batch takes 10 ms whatever its size; returns the sizes. */
  function work() {
    const sizes: number[] = []
    const run = async (jobs: readonly number[]): Promise<readonly number[]> => {
      sizes.push(jobs.length)
      await new Promise((resolve) => setTimeout(resolve, 10))
      return jobs
    }
    return { sizes, options: { run, isolates: () => false, batchSizeMax: 256, waitingMax: 1_000 } }
  }

  const lanes = (options: ReturnType<typeof work>['options']) =>
    createLanes<number, number>({
      ...options,
      gatheringMax: 32,
      organizationOf: (caller) => (caller < OTHERS ? 'one' : 'other'),
      agentOf: String,
      lanes: { shared: 1, own: 1, perOrganization: 1 },
    })
  const batcher = (options: ReturnType<typeof work>['options']) =>
    createBatcher<number, number>({ ...options, gatheringMax: 32 })

  test.each([
    ['lanes', lanes],
    ['a batcher', batcher],
  ])('share a batch of %s', async (_name, create) => {
    const { sizes, options } = work()
    const { submit, drain } = create(options)
    let isOver = false
    const call = async (caller: number): Promise<void> => {
      while (!isOver) {
        await submit(caller)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const callers = [1, 2, 3, 4].map(async (caller) => {
      await new Promise((resolve) => setTimeout(resolve, 3 * caller))
      await call(caller)
    })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sizes.slice(1, 6).some((size) => size < 4)).toBe(true)
    expect(sizes.slice(-10)).toEqual(Array(10).fill(4))
    isOver = true
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all([...callers, drain()])
  })

  /** Its next batch waits for two callers. */
  async function startWaiting(create: typeof lanes) {
    const queue = create(work().options)
    for (let batch = 0; batch < 40; batch += 1) {
      const answers = [1, 2].map((caller) => queue.submit(caller))
      await vi.advanceTimersByTimeAsync(10)
      await Promise.all(answers)
    }
    return queue
  }

  test('take no lane from other organizations while they are waited for', async () => {
    const queue = await startWaiting(lanes)
    const waiting = queue.submit(1)
    const other = queue.submit(OTHERS)
    await vi.advanceTimersByTimeAsync(0)
    expect(queue.waiting).toBe(1)
    await vi.advanceTimersByTimeAsync(30)
    expect(await Promise.all([waiting, other])).toEqual([1, OTHERS])
  })

  test.each([
    ['lanes', lanes],
    ['a batcher', batcher],
  ])('do not hold up the end of %s', async (_name, create) => {
    const queue = await startWaiting(create)
    const last = queue.submit(1)
    await vi.advanceTimersByTimeAsync(9)
    expect(queue.waiting).toBe(1)
    const drained = queue.drain()
    await vi.advanceTimersByTimeAsync(20)
    await drained
    expect(await last).toBe(1)
  })
})

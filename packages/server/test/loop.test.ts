import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Loop, type LoopParts, startLoop } from '../src/base/loop.ts'
import { waitUntil } from './support/wait-until.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A loop whose rounds end when the test ends them, and that counts its rounds. */
function aLoop(parts: Partial<LoopParts> = {}) {
  const seen = { begun: 0, running: 0, most: 0, failures: [] as unknown[] }
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const loop = startLoop({
    everyMs: 1_000_000,
    failed: (error) => void seen.failures.push(error),
    async run() {
      seen.begun += 1
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await new Promise<void>((resolve, reject) => {
        ends.push({ resolve, reject })
      }).finally(() => {
        seen.running -= 1
      })
    },
    ...parts,
  })
  onTestFinished(async () => {
    const stopped = loop.stop()
    for (const end of ends) end.resolve()
    await stopped
  })
  return {
    loop,
    seen,
    end: () => ends.shift()?.resolve(),
    fail: (error: Error) => ends.shift()?.reject(error),
  }
}

/** Waits until every callback that is ready has run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false
  promise.then(
    () => {
      over = true
    },
    () => {
      over = true
    },
  )
  await settled()
  return over
}

describe('a loop', () => {
  test('starts a round at every tick, and none before the first tick', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { seen, end } = aLoop({ everyMs: 1_000 })
    vi.advanceTimersByTime(999)
    expect(seen.begun).toBe(0)
    for (const round of [1, 2, 3]) {
      vi.advanceTimersByTime(1_000)
      expect(seen.begun).toBe(round)
      end()
      await settled()
    }
  })

  test('starts a round at once when it is woken', () => {
    const { loop, seen } = aLoop()
    loop.wake()
    expect(seen.begun).toBe(1)
  })

  test('runs one round at a time; any number of wakes during a round cause one more', async () => {
    const { loop, seen, end } = aLoop()
    loop.wake()
    for (let n = 0; n < 100; n++) loop.wake()
    end()
    await settled()
    expect(seen.begun).toBe(2)
    end()
    await settled()
    expect(seen).toMatchObject({ begun: 2, running: 0, most: 1 })
  })

  test('drops ticks during a round', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { seen, end } = aLoop({ everyMs: 1_000 })
    vi.advanceTimersByTime(5_000)
    end()
    await settled()
    expect(seen.begun).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(seen.begun).toBe(2)
  })

  test('that catches up runs one more round for all ticks during a round', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { seen, end } = aLoop({ everyMs: 1_000, catchesUp: true })
    vi.advanceTimersByTime(5_000)
    end()
    await settled()
    expect(seen.begun).toBe(2)
    end()
    await settled()
    expect(seen.begun).toBe(2)
  })

  test('rests after a round for a time that depends on the duration of the round', async () => {
    const took: number[] = []
    const restMs = (tookMs: number): number => {
      took.push(tookMs)
      return 50
    }
    const { loop, seen, end } = aLoop({ restMs })
    loop.wake()
    loop.wake()
    const ended = performance.now()
    end()
    await settled()
    expect(seen.begun).toBe(1)
    await waitUntil(() => seen.begun === 2)
    expect(performance.now() - ended).toBeGreaterThan(45)
    expect(took).toEqual([expect.any(Number)])
  })

  test('continues after a failed round, at the next tick and not before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { loop, seen, fail } = aLoop({ everyMs: 1_000 })
    loop.wake()
    loop.wake()
    const error = new Error('the database is away')
    fail(error)
    await settled()
    expect(seen).toMatchObject({ begun: 1, failures: [error] })
    vi.advanceTimersByTime(1_000)
    expect(seen.begun).toBe(2)
  })
})

test('a loop continues after a round that throws synchronously', async () => {
  let begun = 0
  const run = (): Promise<void> => {
    begun += 1
    throw new Error('at once')
  }
  const { loop, seen } = aLoop({ run })
  for (const round of [1, 2]) {
    loop.wake()
    await settled()
    expect([begun, seen.failures.length]).toEqual([round, round])
  }
  await expect(loop.round()).rejects.toThrow('at once')
})

describe('a requested round', () => {
  test('can be awaited', async () => {
    const { loop, seen, end } = aLoop()
    const round = loop.round()
    expect(seen.begun).toBe(1)
    expect(await isOver(round)).toBe(false)
    end()
    await round
  })

  test('is the current round, if there is one', async () => {
    const { loop, seen, end } = aLoop()
    loop.wake()
    const rounds = [loop.round(), loop.round()]
    end()
    await Promise.all(rounds)
    expect(seen.begun).toBe(1)
  })

  test('rejects for its caller, and is logged only if a tick or a wake shared it', async () => {
    const { loop, seen, fail } = aLoop()
    const asked = loop.round()
    fail(new Error('first'))
    await expect(asked).rejects.toThrow('first')
    expect(seen.failures).toEqual([])

    const shared = loop.round()
    loop.wake()
    fail(new Error('second'))
    await expect(shared).rejects.toThrow('second')
    await settled()
    expect(seen.failures).toEqual([new Error('second')])
  })

  test('is refused after the loop was stopped', async () => {
    const { loop, seen } = aLoop()
    await loop.stop()
    await expect(loop.round()).rejects.toThrow('stopped')
    expect(seen.begun).toBe(0)
  })
})

describe('a loop that is stopped', () => {
  const begin: [string, (loop: Loop) => void][] = [
    ['a wake started', (loop) => loop.wake()],
    ['a caller requested', (loop) => void loop.round().catch(() => {})],
  ]
  test.each(begin)('waits for the current round, which %s', async (_how, start) => {
    const { loop, end } = aLoop()
    start(loop)
    const stopped = loop.stop()
    expect(await isOver(stopped)).toBe(false)
    end()
    await stopped
  })

  test('stops without an error when the last round fails', async () => {
    const { loop, fail } = aLoop()
    const asked = loop.round()
    const stopped = loop.stop()
    fail(new Error('too late'))
    await expect(asked).rejects.toThrow('too late')
    await stopped
  })

  test('signals the current round to end', async () => {
    let steps = 0
    const { loop } = aLoop({
      async run(isStopping) {
        while (!isStopping()) {
          steps += 1
          await settled()
        }
      },
    })
    loop.wake()
    await waitUntil(() => steps > 2)
    await loop.stop()
  })

  test('ends its rest early', async () => {
    const { loop, end } = aLoop({ restMs: () => 1_000_000 })
    loop.wake()
    end()
    await settled()
    await loop.stop()
  })

  test('starts no more rounds, by tick or wake', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { loop, seen } = aLoop({ everyMs: 1_000, catchesUp: true })
    await loop.stop()
    loop.wake()
    vi.advanceTimersByTime(10_000)
    await settled()
    expect(seen.begun).toBe(0)
  })
})

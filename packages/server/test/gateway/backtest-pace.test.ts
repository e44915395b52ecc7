import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPace } from '../../src/gateway/backtest/pace.ts'

const TURN_MS = 2

/** How long a replay rests after a turn of two milliseconds; 0 if it only gives way. */
async function restAfterTurn(utilization: number, spends: number, atOnce: number): Promise<number> {
  let now = 1_000
  let decided = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const measured = { utilization, idle: 1 - utilization, active: utilization }
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue(measured)
  const pace = createPace({ decided: () => decided, atOnce: () => atOnce })
  // Later than spends are waited for that came before it began.
  now += 60_000
  await pace.giveWay()
  const rests: (number | undefined)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    rests.push(ms)
    return setImmediate(run)
  }) as never)
  decided += spends
  now += TURN_MS
  await pace.giveWay()
  return rests[0] ?? 0
}

describe('the pace of a replay', () => {
  afterEach(() => vi.restoreAllMocks())

  test('is full where no spend comes in', async () => {
    expect(await restAfterTurn(1, 0, 1)).toBe(0)
  })

  test('leaves nearly all of the time to spends where they want it', async () => {
    expect(await restAfterTurn(1, 1, 1)).toBeCloseTo(49 * TURN_MS)
  })

  test('takes a fifth of what is idle beside spends', async () => {
    expect(await restAfterTurn(0, 1, 1)).toBeCloseTo(4 * TURN_MS)
    expect(await restAfterTurn(0.5, 1, 1)).toBeCloseTo(9 * TURN_MS)
  })

  test('is shared by all that are under way', async () => {
    expect(await restAfterTurn(0, 1, 5)).toBeCloseTo(24 * TURN_MS)
  })
})

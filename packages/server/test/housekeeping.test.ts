import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readClock } from '../src/storage/engine/clock.ts'
import type { Remover } from '../src/storage/engine/database.ts'
import { startHousekeeping } from '../src/upkeep/housekeeping.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { silentLog } from './support/silent-log.ts'
import { waitUntil } from './support/wait-until.ts'

const TEN_MINUTES = 10 * 60 * 1_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('housekeeping', () => {
  test('removes expired rows of a path every ten minutes, in small steps', async () => {
    const now = Date.parse('2026-11-15T09:30:00Z')
    const asked: number[] = []
    let left = 3
    const remove: Remover = async (_db, at) => {
      asked.push(at)
      return left > 0 ? left-- : 0
    }
    const housekeeping = startHousekeeping(database.db, async () => now, silentLog, [remove])
    vi.advanceTimersByTime(TEN_MINUTES - 1)
    expect(asked).toEqual([])
    vi.advanceTimersByTime(1)
    await waitUntil(() => asked.length === 4)
    await housekeeping.stop()
    expect(asked).toEqual([now, now, now, now])
  })

  test('stops after a hundred steps and continues in the next round', async () => {
    let steps = 0
    let others = 0
    const removers: Remover[] = [async () => ++steps, async () => others++ && 0]
    const housekeeping = startHousekeeping(database.db, readClock, silentLog, removers)
    vi.advanceTimersByTime(TEN_MINUTES)
    await waitUntil(() => others === 1)
    expect(steps).toBe(100)
    vi.advanceTimersByTime(TEN_MINUTES)
    await waitUntil(() => others === 2)
    expect(steps).toBe(200)
    await housekeeping.stop()
  })

  test('logs a failure, and retries in the next round', async () => {
    const failed = expect.objectContaining({ event: 'housekeeping.round_failed' })
    const told: object[] = []
    const log = { ...silentLog, error: (fields: object) => void told.push(fields) }
    let rounds = 0
    const fail: Remover = async () => {
      rounds += 1
      throw new Error('the table is gone')
    }
    const housekeeping = startHousekeeping(database.db, readClock, log, [fail])
    vi.advanceTimersByTime(TEN_MINUTES)
    await waitUntil(() => told.length === 1)
    vi.advanceTimersByTime(TEN_MINUTES)
    await waitUntil(() => told.length === 2)
    await housekeeping.stop()
    expect([rounds, told]).toEqual([2, [failed, failed]])
  })

  test('finishes the current step when it is stopped, and starts no other', async () => {
    let steps = 0
    let end = (): void => {}
    const remove: Remover = async () => {
      steps += 1
      await new Promise<void>((resolve) => {
        end = resolve
      })
      return 1
    }
    const housekeeping = startHousekeeping(database.db, readClock, silentLog, [remove])
    vi.advanceTimersByTime(TEN_MINUTES)
    await waitUntil(() => steps === 1)
    const stopped = housekeeping.stop()
    end()
    await stopped
    expect(steps).toBe(1)
  })
})

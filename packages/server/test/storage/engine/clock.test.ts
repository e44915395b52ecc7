import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Clock, createClock } from '../../../src/storage/engine/clock.ts'
import type { Queryable } from '../../../src/storage/engine/database.ts'
import { createTestDatabase, type TestDatabase, usualEngine } from '../../support/database.ts'

const MINUTE_MS = 60_000

describe('the clock of a process', () => {
  let database: TestDatabase
  let clock: Clock
  let questions = 0
  /** What the database waits for before it answers. */
  let gate: Promise<void> = Promise.resolve()

  beforeAll(async () => {
    database = await createTestDatabase(usualEngine())
  })
  beforeEach(async () => {
    gate = Promise.resolve()
    const db: Queryable = {
      async query(statement) {
        questions += 1
        await gate
        return database.db.query(statement)
      },
    }
    clock = await createClock(db)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  afterAll(() => database.drop())

  /** The wall clock goes on while the monotonic one stands still, as on a machine that sleeps. */
  const sleep = (ms: number) => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

  test('is not asked again while it was heard within a minute', () => {
    expect(clock.renew()).toBeUndefined()
    sleep(MINUTE_MS / 2)
    expect(clock.renew()).toBeUndefined()
  })

  test('is asked once, by all who come after a sleep', async () => {
    sleep(2 * MINUTE_MS)
    const before = questions
    await Promise.all([clock.renew(), clock.renew(), clock.renew()])
    expect(questions - before).toBe(1)
    expect(clock.renew()).toBeUndefined()
  })

  test('holds nobody up for long while the database does not answer', async () => {
    let open = (): void => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    sleep(2 * MINUTE_MS)
    const before = questions
    await clock.renew()
    // Later requests do not wait for the same question, and ask no second one. A timer may fire a little
    // before its time, so the first of them may still wait for the rest of it.
    await vi.waitUntil(() => clock.renew() === undefined)
    expect(questions - before).toBe(1)
    open()
    await vi.waitUntil(() => clock.renew() === undefined)
  })

  test('goes on with what it knows if the database cannot be asked', async () => {
    gate = Promise.reject(new Error('The database is away.'))
    gate.catch(() => {})
    sleep(2 * MINUTE_MS)
    await expect(clock.renew()).resolves.toBeUndefined()
    expect(Math.abs(clock.estimate() - performance.timeOrigin - performance.now())).toBeLessThan(
      MINUTE_MS,
    )
  })
})

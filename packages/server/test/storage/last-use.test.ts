import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { unavailable } from '../../src/storage/engine/storage-error.ts'
import { createLastUse, LAST_USE_EVERY_MS, type Use } from '../../src/storage/last-use.ts'
import { silentLog } from '../support/silent-log.ts'

const ACME = '019a8561-7c5e-7d40-9b5e-000000000001'
const GLOBEX = '019a8561-7c5e-7d40-9b5e-000000000002'
const NOT_WRITTEN = 'Could not store when API keys and agents were last used; these times are lost.'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function aLastUse(write?: (organizationId: string, uses: readonly Use[]) => Promise<void>) {
  const written: (readonly string[])[] = []
  const told: string[] = []
  const clock = { now: 1_000_000 }
  const lastUse = createLastUse({
    async write(organizationId, uses) {
      written.push(uses.map(({ id }) => id))
      await write?.(organizationId, uses)
    },
    now: () => clock.now,
    log: { ...silentLog, warn: (_fields, message) => void told.push(message) },
  })
  return { lastUse, written, told, clock }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('times of last use', () => {
  test('are written once a second, an organization in one statement, each once a minute', async () => {
    const { lastUse, written, clock } = aLastUse()
    for (const id of ['a', 'b', 'a']) lastUse.note(ACME, id)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1_000)
    await settled()
    lastUse.note(ACME, 'a')
    vi.advanceTimersByTime(1_000)
    await settled()
    clock.now += LAST_USE_EVERY_MS
    lastUse.note(ACME, 'a')
    vi.advanceTimersByTime(1_000)
    await settled()
    expect(written).toEqual([['a', 'b'], ['a']])
    await lastUse.stop()
  })

  test('of one key in two minutes before a write are written as the last one', async () => {
    const times: number[] = []
    const { lastUse, clock } = aLastUse(async (_organizationId, uses) => {
      times.push(...uses.map(({ at }) => at))
    })
    lastUse.note(ACME, 'a')
    clock.now += LAST_USE_EVERY_MS
    lastUse.note(ACME, 'a')
    await lastUse.stop()
    expect(times).toEqual([1_000_000 + LAST_USE_EVERY_MS])
  })

  test('that come while others are written follow right behind them', async () => {
    let end = (): void => {}
    const { lastUse, written } = aLastUse(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    lastUse.note(ACME, 'a')
    vi.advanceTimersByTime(1_000)
    lastUse.note(ACME, 'b')
    vi.advanceTimersByTime(1_000)
    expect(written).toEqual([['a']])
    end()
    await settled()
    expect(written).toEqual([['a'], ['b']])
    end()
    await lastUse.stop()
  })

  test('are written when it stops, also those that were noted last', async () => {
    const { lastUse, written } = aLastUse()
    lastUse.note(ACME, 'a')
    await lastUse.stop()
    expect(written).toEqual([['a']])
  })

  test('that cannot be written are said in the log, and fail nobody', async () => {
    const { lastUse, told } = aLastUse(async () => {
      throw new Error('the database is away')
    })
    lastUse.note(ACME, 'a')
    vi.advanceTimersByTime(1_000)
    await settled()
    lastUse.note(ACME, 'b')
    await lastUse.stop()
    expect(told).toEqual([NOT_WRITTEN, NOT_WRITTEN])
  })

  test('that cannot be written for one organization are written for the others', async () => {
    const { lastUse, written, told } = aLastUse(async (organizationId) => {
      if (organizationId === ACME) throw new Error('the row is locked')
    })
    lastUse.note(ACME, 'a')
    lastUse.note(GLOBEX, 'g')
    await lastUse.stop()
    expect(written).toEqual([['a'], ['g']])
    expect(told).toEqual([NOT_WRITTEN])
  })

  test('are given up for all where the database is away', async () => {
    const { lastUse, written, told } = aLastUse(async () => {
      throw unavailable(new Error('nobody answers'))
    })
    lastUse.note(ACME, 'a')
    lastUse.note(GLOBEX, 'g')
    await lastUse.stop()
    expect(written).toEqual([['a']])
    expect(told).toEqual([NOT_WRITTEN])
  })
})

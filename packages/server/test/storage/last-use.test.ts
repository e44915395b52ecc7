import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLastUse, LAST_USE_EVERY_MS, type Use } from '../../src/storage/last-use.ts'
import { silentLog } from '../support/silent-log.ts'

const ACME = '019a8561-7c5e-7d40-9b5e-000000000001'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function aLastUse(write?: (uses: readonly Use[]) => Promise<void>) {
  const written: (readonly string[])[] = []
  const told: string[] = []
  const clock = { now: 1_000_000 }
  const lastUse = createLastUse({
    async write(uses) {
      written.push(uses.map(({ id }) => id))
      await write?.(uses)
    },
    now: () => clock.now,
    log: { ...silentLog, warn: (_fields, message) => void told.push(message) },
  })
  return { lastUse, written, told, clock }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('times of last use', () => {
  test('are written once a second, all in one statement, each once a minute', async () => {
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
    const line = 'Times of last use could not be written.'
    expect(told).toEqual([line, line])
  })
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFairShare, type FairShare, SHARE } from '../../src/http/limits/fair-share.ts'

describe('the share of an organization', () => {
  let now = 0
  let share: FairShare
  let order: string[]

  beforeEach(() => {
    now = 0
    order = []
    share = createFairShare(() => now)
  })

  /** Enters with requests that say when they are worked on. */
  async function enter(id: string, count: number): Promise<void> {
    for (let place = 0; place < count; place++) {
      const turn = share.enter(id)
      if (turn === undefined) order.push(`${id} ${place}`)
      else void turn.then(() => order.push(`${id} ${place}`))
    }
    await settled()
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const names = (id: string, count: number, from = 0) =>
    Array.from({ length: count }, (_, place) => `${id} ${from + place}`)

  test('is everything while it is alone', async () => {
    await enter('a', 5 * SHARE)
    expect(order).toHaveLength(5 * SHARE)
  })

  test('is a few at once while there is another, who does not wait', async () => {
    await enter('b', 1)
    await enter('a', 3 * SHARE)
    await enter('b', 1)
    expect(order).toEqual(['b 0', ...names('a', SHARE), 'b 0'])
  })

  test('is served in the order of arrival, one for each that is done', async () => {
    await enter('b', 1)
    await enter('a', SHARE + 3)
    share.leave('a')
    share.leave('a')
    await settled()
    expect(order.slice(1)).toEqual(names('a', SHARE + 2))
  })

  test('is everything again when the other has gone', async () => {
    await enter('b', 1)
    await enter('a', 3 * SHARE)
    now += 1_001
    share.leave('a')
    await settled()
    expect(order.slice(1)).toEqual(names('a', 3 * SHARE))
  })

  test('does not shrink by what is held up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await enter('b', 1)
    await enter('a', SHARE + 1)
    vi.advanceTimersByTime(1_000)
    await settled()
    vi.useRealTimers()
    expect(order.slice(1)).toEqual(names('a', SHARE + 1))
  })
})

import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../src/data/stream/events.ts'
import { createUnread } from '../../src/data/stream/unread.ts'

describe('events of a burst', () => {
  /** A clock that moves by a millisecond whenever it is read, and tasks that run when called. */
  function start() {
    const told: (readonly LiveEvent[])[] = []
    const tasks: (() => void)[] = []
    let time = 0
    const unread = createUnread({
      tell: (events) => told.push(events),
      schedule: (run) => tasks.push(run),
      now: () => {
        time += 1
        return time
      },
    })
    const add = (index: number) =>
      unread.add(
        'transaction.rejected',
        JSON.stringify({ data: { transactionId: `txn_${index}` } }),
      )
    const subjects = () => told.flat().map(({ subject }) => subject)
    return { unread, told, tasks, add, subjects }
  }
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `txn_${index}`)

  it('are read in short slices, each once and in order', () => {
    const { told, tasks, add, subjects } = start()
    for (let index = 0; index < 100; index++) add(index)
    // The task that delivers them reads none.
    expect(told).toEqual([])
    expect(tasks).toHaveLength(1)
    for (let task = tasks.shift(); task; task = tasks.shift()) task()
    expect(told.length).toBeGreaterThan(10)
    expect(subjects()).toEqual(ids(100))
  })

  it('are not lost when the tab stops leading', () => {
    const { unread, tasks, add, subjects } = start()
    for (let index = 0; index < 30; index++) add(index)
    tasks.shift()?.()
    unread.end()
    for (let task = tasks.shift(); task; task = tasks.shift()) task()
    expect(subjects()).toEqual(ids(30))
  })

  it('are left out if they cannot be read', () => {
    const { unread, told, tasks } = start()
    unread.add('hint', 'not json')
    tasks.shift()?.()
    expect(told).toEqual([])
    expect(tasks).toEqual([])
  })
})

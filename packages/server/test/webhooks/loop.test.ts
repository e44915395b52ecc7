import { describe, expect, test } from 'vitest'
import { startRounds } from '../../src/webhooks/loop.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

describe('rounds', () => {
  test('come about once a second by themselves, and at once when woken', async () => {
    const begun: number[] = []
    const rounds = startRounds(async () => void begun.push(performance.now()), silentLog)
    rounds.wake()
    expect(begun).toHaveLength(1)
    await waitUntil(() => begun.length === 3)
    await rounds.stop()
    const [first = 0, , third = 0] = begun
    expect(third - first).toBeGreaterThan(900)
  })

  test('never overlap, and many wakes during one make one more', async () => {
    let running = 0
    let most = 0
    let count = 0
    let finish = (): void => {}
    const rounds = startRounds(async () => {
      count += 1
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      running -= 1
    }, silentLog)
    rounds.wake()
    for (let n = 0; n < 100; n++) rounds.wake()
    finish()
    await waitUntil(() => count === 2)
    const stopping = rounds.stop()
    finish()
    await stopping
    expect([count, most]).toEqual([2, 1])
  })

  test('go on after one that has failed, and say so in the log', async () => {
    const told: string[] = []
    let count = 0
    const run = async (): Promise<void> => {
      count += 1
      if (count === 1) throw new Error('the database is away')
    }
    const rounds = startRounds(run, {
      ...silentLog,
      error: (_fields, message) => void told.push(message),
    })
    rounds.wake()
    await waitUntil(() => count === 2)
    await rounds.stop()
    expect(told).toEqual(['Webhook deliveries could not be looked for.'])
  })

  test('do not come any more once they are stopped', async () => {
    let count = 0
    const rounds = startRounds(async () => {
      count += 1
    }, silentLog)
    rounds.wake()
    await rounds.stop()
    rounds.wake()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(count).toBe(1)
  })
})

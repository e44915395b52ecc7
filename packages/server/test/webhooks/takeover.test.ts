import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { describeOnPostgres } from '../support/database.ts'
import { answerWith } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'
import { openTakeoverStage, type TakeoverStage, TENANTS } from './takeover-stage.ts'

// One that is killed: takeover.deep.test.ts.

/** Of each organization. */
const EVENTS = 3
/** Less than a delivery may take. */
const IN_TIME_MS = 4_000

/**
 * Stops a gateway while deliveries hang, and lets them end once it is stopping. If a busy machine
 * took so long that they were given up, it all happens again.
 */
async function stopWithDeliveries(): Promise<TakeoverStage> {
  const stage = await openTakeoverStage()
  const { first, receiver } = stage
  const hanging: ServerResponse[] = []
  receiver.behave((response) => void hanging.push(response))
  await stage.store(EVENTS)
  await requestTo(receiver, TENANTS)
  const stopped = first.stop()
  const isStopping = () =>
    fetch(first.url).then(
      () => false,
      () => true,
    )
  await waitUntil(isStopping)
  receiver.behave(answerWith(200))
  for (const response of hanging) response.end()
  const isInTime = Date.now() - (receiver.received[0]?.at ?? 0) < IN_TIME_MS
  await stopped
  return isInTime ? stage : stopWithDeliveries()
}

describeOnPostgres('a real gateway process with deliveries under way', () => {
  test('that is asked to stop ends them first, and nothing counts as interrupted', async () => {
    const { db, receiver, readLog } = await stopWithDeliveries()
    const log = [...(await readLog()).values()]
    expect(log.length).toBeGreaterThanOrEqual(TENANTS)
    for (const entry of log) expect(entry).toEqual({ status: 'succeeded', outcomes: ['succeeded'] })
    expect(receiver.received).toHaveLength(log.length)
    const left = await db.query({ text: 'select 1 from webhook_queue' })
    expect(left).toHaveLength(EVENTS * TENANTS - log.length)
  })
})

import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { describeOnPostgres } from '../support/database.ts'
import { answerWith } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'
import { openTakeoverStage, TENANTS } from './takeover-stage.ts'

// One that is killed: takeover.deep.test.ts.

describeOnPostgres('a real gateway process with deliveries under way', () => {
  test('that is asked to stop ends them first, and nothing counts as interrupted', async () => {
    const { db, first, receiver, store, readLog } = await openTakeoverStage()
    const hanging: ServerResponse[] = []
    receiver.behave((response) => void hanging.push(response))
    await store(3)
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
    await stopped
    const log = [...(await readLog()).values()]
    expect(log.length).toBeGreaterThanOrEqual(TENANTS)
    for (const entry of log) expect(entry).toEqual({ status: 'succeeded', outcomes: ['succeeded'] })
    expect(receiver.received).toHaveLength(log.length)
    const left = await db.query({ text: 'select 1 from webhook_queue' })
    expect(left).toHaveLength(3 * TENANTS - log.length)
  })
})

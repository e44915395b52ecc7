import { expect, test } from 'vitest'
import { GRACE_MS } from '../../src/webhooks/takeovers.ts'
import { describeOnPostgres } from '../support/database.ts'
import { answerWith } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'
import { openTakeoverStage, TENANTS } from './takeover-stage.ts'

const TAKEN_OVER_WITHIN_MS = 20_000
/** The dispatcher polls every second: it reads the expired lease, and takes over after the grace. */
const POLLS_MS = 2_000

describeOnPostgres('a real gateway process with deliveries under way', () => {
  test('that is killed leaves them to another within 20 s, and no retry is used up', async () => {
    const { db, first, receiver, start, store, readLog } = await openTakeoverStage()
    const second = await start()
    // Frozen, so that it is the first one that takes them.
    second.pause()
    await store(1)
    await requestTo(receiver, TENANTS)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    const hopeless = ids[0]
    receiver.behave((response, { headers }) => {
      answerWith(headers['webhook-id'] === hopeless ? 500 : 200)(response, {} as never, 0)
    })
    await first.kill()
    const killedAt = Date.now()
    const [last] = await db.query<{ dueAt: number }>({
      text: 'select max(due_at) as "dueAt" from webhook_queue',
    })
    // From then on another process takes them, as fast as the machine lets it.
    const leasedMs = (last?.dueAt ?? Number.POSITIVE_INFINITY) - killedAt
    expect(leasedMs + GRACE_MS + POLLS_MS).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    second.resume()

    const isBack = (id: unknown) =>
      receiver.received.slice(TENANTS).some(({ headers }) => headers['webhook-id'] === id)
    await waitUntil(() => ids.every(isBack))
    const tookMs = Date.now() - killedAt
    console.info(`${TENANTS} deliveries were taken over within ${tookMs} ms of the kill.`)
    await waitUntil(async () =>
      [...(await readLog()).values()].every(({ status }) => status !== 'pending'),
    )
    const log = await readLog()
    for (const id of ids) {
      const outcomes = id === hopeless ? Array(5).fill('failed') : ['succeeded']
      const status = id === hopeless ? 'failed' : 'succeeded'
      expect(log.get(String(id))).toEqual({ status, outcomes: ['interrupted', ...outcomes] })
    }
  })
})

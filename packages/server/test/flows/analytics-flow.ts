import { expect, test } from 'vitest'
import { startAnalytics } from '../../src/analytics/analytics.ts'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import { toPublicId } from '../../src/core/id.ts'
import { rebuildAnalytics } from '../../src/operator/rebuild-analytics.ts'
import type { Queryable } from '../../src/storage/engine/database.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import type { Flow } from './stage.ts'

/** What is counted behind the decisions, and read from there. */
export const analyticsFlow: Flow = (stage) => {
  test('sums follow spends, and a change of the zone', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId, { amount: 3 })
    const held = await evaluate(acme, agentId, { amount: 2, hold: { expiresIn: '1h' } })
    const worker = startAnalytics({ db, clock: app.time.read, log: silentLog })
    await worker.round()
    await worker.stop()
    bodyOf(await acme.post(`/transactions/${held.transactionId}/void`))
    bodyOf(await acme.patch('/organization', { timezone: 'Asia/Tokyo' }))
    const parts = { db, clock: app.time.read }
    expect(await keepBooks(parts, acme.organizationId, 100)).toBe(true)
    const answer = bodyOf(await acme.get('/analytics/spend?groupBy=agent'))
    expect(answer).toMatchObject({
      timezone: 'Asia/Tokyo',
      data: [{ group: { agent: agentId }, count: 2, settled: 3, held: 0, isOther: false }],
    })
    const counted: number[] = []
    const organization = toPublicId('org', acme.organizationId)
    await rebuildAnalytics({ db }, organization, (progress) => counted.push(progress.counted))
    expect(counted.at(-1)).toBe(2)
    expect(bodyOf(await acme.get('/analytics/spend?groupBy=agent')).data).toEqual(answer.data)
    const exposure = bodyOf(await acme.get('/analytics/spend?metric=exposure&groupBy=agent'))
    expect(exposure.data).toMatchObject([{ group: { agent: agentId }, amount: 97 }])
    // Once the day is over, it is read from its sums.
    const later = { db, clock: async (tx: Queryable) => (await app.time.read(tx)) + 3 * DAY_MS }
    expect(await keepBooks(later, acme.organizationId, 100)).toBe(true)
    const days = await app.rows('select is_rolled from analytics_days where organization_id = $1', [
      acme.organizationId,
    ])
    expect(days).toEqual([{ is_rolled: true }])
    expect(bodyOf(await acme.get('/analytics/spend?groupBy=agent')).data).toEqual(answer.data)
  })
}

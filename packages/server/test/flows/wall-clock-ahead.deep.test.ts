import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aHold, budgetOf, change, evaluate, readTransaction } from '../support/spends.ts'

const isoIn = (ms: number): string => new Date(Date.now() + ms).toISOString()

// With gateway processes: gateway/one-clock.deep.test.ts.

/** The database's clock is right. This process shows another time, from before it starts an app. */
describeOnPostgres('a process whose wall clock is wrong', () => {
  let right: TestApp
  let acme: Owner

  beforeAll(async () => {
    right = await createTestApp('postgres')
    acme = await right.organization()
  })
  afterAll(() => right.stop())
  afterEach(() => {
    vi.useRealTimers()
  })

  function turnWallClock(byMs: number): void {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs })
  }

  describe.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])('%s', (_name, byMs) => {
    /** Runs with an app that was started on the wrong clock, and was right about everything else. */
    async function onWrongClock<T>(run: (client: Owner) => Promise<T>): Promise<T> {
      turnWallClock(byMs)
      const wrong = await joinTestApp(right)
      try {
        return await run({ ...wrong.client(acme.apiKey), organizationId: acme.organizationId })
      } finally {
        await wrong.stop()
        vi.useRealTimers()
      }
    }

    test('gives back no hold before its end, so nothing is spent twice', async () => {
      const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 10 })
      const { transactionId } = await aHold(acme, agentId, 10, '30m')
      const { shown, second } = await onWrongClock(async (client) => ({
        shown: await budgetOf(client, id),
        second: await evaluate(client, agentId),
      }))
      await change(acme, transactionId, 'settle')
      expect({ shown, decision: second.decision }).toEqual({
        shown: [10, 10, 0],
        decision: 'rejected',
      })
      expect(await budgetOf(acme, id)).toEqual([10, 0, 0])
    })

    test('settles and voids by the time of the database', async () => {
      const { agentId } = await anActiveMandate(acme)
      const [settled, voided, overdue] = [
        await aHold(acme, agentId, 5, '30m'),
        await aHold(acme, agentId, 5, '30m'),
        await aHold(acme, agentId, 5, '30m'),
      ]
      await right.rows('update transactions set expires_at = clock_timestamp() where id = $1', [
        toUuid('txn', overdue.transactionId),
      ])
      const late = await onWrongClock(async (client) => {
        await change(client, settled.transactionId, 'settle')
        await change(client, voided.transactionId, 'void')
        return client.post(`/transactions/${overdue.transactionId}/void`)
      })
      expect(`${late.status} ${late.body.code}`).toBe('409 transaction_state')
      const { settledAt, createdAt } = await readTransaction(acme, settled.transactionId)
      expect(Date.parse(settledAt ?? '') - Date.parse(createdAt)).toBeLessThan(HOUR_MS / 2)
      expect(Date.parse(settledAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt))
    })

    test('archives no mandate that lives, and ends and changes one that does', async () => {
      const validUntil = isoIn(HOUR_MS / 2)
      const { id, agentId } = await anActiveMandate(acme, { validUntil })
      const archived = await onWrongClock(async (client) => {
        const answer = await client.delete(`/mandates/${id}`)
        bodyOf(await client.patch(`/mandates/${id}`, { name: 'Another' }))
        return answer
      })
      expect(`${archived.status} ${archived.body.code}`).toBe('409 mandate_state')
      expect((await evaluate(acme, agentId)).decision).toBe('approved')
      const revoked = await onWrongClock((client) => client.post(`/mandates/${id}/revoke`))
      expect(revoked.status).toBe(200)
    })

    test('makes ids and times that sort and filter with those of the others', async () => {
      const { agentId } = await anActiveMandate(acme)
      const from = isoIn(0)
      const first = await evaluate(acme, agentId)
      const second = await onWrongClock((client) => evaluate(client, agentId))
      const third = await evaluate(acme, agentId)
      const url = `/transactions?agentId=${agentId}&from=${from}&to=${isoIn(60_000)}`
      const expected = [third, second, first].map(({ transactionId }) => transactionId)
      const idsOf = async (client: Owner) =>
        bodyOf(await client.get(url)).data.map((row) => row.transactionId)
      expect(await idsOf(acme)).toEqual(expected)
      expect(await onWrongClock(idsOf)).toEqual(expected)
    })

    test('shows a hold as the others do, and takes a key until its end', async () => {
      const { agentId } = await anActiveMandate(acme)
      const { transactionId } = await aHold(acme, agentId, 5, '30m')
      const { key } = await aKey(right, acme, { expiresAt: isoIn(HOUR_MS / 2) })
      const seen = await onWrongClock(async (client) => ({
        status: (await readTransaction(client, transactionId)).status,
        held: bodyOf(await client.get(`/transactions?status=held&agentId=${agentId}`)).data.length,
      }))
      expect(seen).toEqual({ status: 'held', held: 1 })
      turnWallClock(byMs)
      const wrong = await joinTestApp(right)
      const answer = await wrong.client(key.apiKey).get('/organization')
      await wrong.stop()
      expect(answer.status).toBe(200)
    })
  })

  test('that jumps while it runs goes on by the time of the database', async () => {
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 10 })
    await aHold(acme, agentId, 10, '30m')
    turnWallClock(2 * HOUR_MS)
    expect(await budgetOf(acme, id)).toEqual([10, 10, 0])
    expect((await evaluate(acme, agentId)).decision).toBe('rejected')
  })
})

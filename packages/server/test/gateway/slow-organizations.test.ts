import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { type Answer, createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { countLockWaits, lockMandateRow } from '../support/row-lock.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Waits for locks for as long as it takes, so that no clock decides what the test sees. */
function patient(db: Database): Database {
  return {
    ...db,
    transaction: (run, afterwards, organizationId) =>
      db.transaction(
        (tx) => {
          tx.send({ text: 'set local lock_timeout = 0' })
          tx.send({ text: 'set local statement_timeout = 0' })
          return run(tx)
        },
        afterwards,
        organizationId,
      ),
  }
}

describeOnPostgres('organizations that wait for row locks', () => {
  let app: TestApp
  /** Somebody else on the same database, who holds the locks. */
  let outside: Database

  beforeEach(async () => {
    const database = await createTestDatabase('postgres')
    app = await createTestAppOn(database, patient(database.db))
    outside = await openPostgres({ url: database.url, connectionsMax: 12 }, silentLog)
  })
  afterEach(async () => {
    await outside.close()
    await app.stop()
  })

  async function aStuckOne(): Promise<{ owner: Owner; id: string; release(): Promise<void> }> {
    const owner = await app.organization('Stuck')
    const { id } = await anActiveMandate(owner)
    const { release } = await lockMandateRow(outside, id)
    return { owner, id, release }
  }

  test('leave the reads and changes of others alone', async () => {
    const globex = await app.organization('Globex')
    const { id } = await anActiveMandate(globex)
    const stuck = [await aStuckOne(), await aStuckOne(), await aStuckOne(), await aStuckOne()]
    let ended = 0
    const change = async ({ owner, id: own }: (typeof stuck)[number]): Promise<Answer> => {
      const answer = await owner.patch(`/mandates/${own}`, { name: 'Another name' })
      ended += 1
      return answer
    }
    const waiting = stuck.flatMap((one) => [change(one), change(one), change(one), change(one)])
    // As many as requests could ever use before.
    await waitUntil(async () => (await countLockWaits(outside)) >= 8)
    const answers = [
      await globex.get(`/mandates/${id}`),
      await globex.patch(`/mandates/${id}`, { name: 'Research' }),
      await globex.get('/mandates'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(ended).toBe(0)
    for (const { release } of stuck) await release()
    // Whoever waited for a connection for too long was told to come again.
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status)
  })

  test('are frozen at once', async () => {
    const stuck = [await aStuckOne(), await aStuckOne()]
    let ended = 0
    const waiting = stuck.flatMap(({ owner, id }) =>
      Array.from({ length: 4 }, async () => {
        const answer = await owner.patch(`/mandates/${id}`, { name: 'Another name' })
        ended += 1
        return answer
      }),
    )
    await waitUntil(async () => (await countLockWaits(outside)) >= 6)
    const frozen: unknown[] = []
    for (const { owner, id } of stuck) {
      // A revocation waits for the mandate itself, and keeps nobody from freezing.
      waiting.push(owner.post(`/mandates/${id}/revoke`))
      const { status, body } = await owner.patch('/organization', { frozen: true })
      frozen.push([status, body.frozen, ended])
    }
    for (const { release } of stuck) await release()
    await Promise.all(waiting)
    expect(frozen).toEqual(stuck.map(() => [200, true, 0]))
  })

  test('never use more connections than a gateway may open', async () => {
    const stuck: Awaited<ReturnType<typeof aStuckOne>>[] = []
    for (let count = 0; count < 11; count += 1) stuck.push(await aStuckOne())
    const waiting = stuck.flatMap(({ owner, id }) =>
      Array.from({ length: 4 }, () => owner.patch(`/mandates/${id}`, { name: 'Another name' })),
    )
    await waitUntil(async () => (await countLockWaits(outside)) === 14)
    for (const { release } of stuck) await release()
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status)
  })
})

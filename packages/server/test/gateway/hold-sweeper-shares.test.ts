import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestAppOn, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { countLockWaits, lockMandateRow } from '../support/row-lock.ts'
import { aHold, budgetOf, endHolds } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const SWEEPS_EVERY_MS = 1_000
/** More than one organization may have connections for. */
const CHANGES = 12

describeOnPostgres('the rounds of the sweeper of holds', () => {
  let app: TestApp

  beforeEach(async () => {
    const database = await createTestDatabase('postgres')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    app = await createTestAppOn(database, database.db)
  })
  afterEach(async () => {
    await app.stop()
    vi.useRealTimers()
  })

  test('do not wait for a share of an organization whose requests have taken it all', async () => {
    const { db } = app.database
    const [acme, other] = [await app.organization(), await app.organization('Other')]
    const [locked, free] = [await anActiveMandate(acme), await anActiveMandate(other)]
    await aHold(acme, locked.agentId, 10)
    await endHolds(app, locked.agentId)
    await aHold(other, free.agentId, 10)
    await endHolds(app, free.agentId)
    const lock = await lockMandateRow(db, locked.id)
    const changes = Array.from({ length: CHANGES }, (_, index) =>
      acme.patch(`/mandates/${locked.id}`, { name: `Name ${index}` }),
    )
    await waitUntil(async () => (await countLockWaits(db)) > 1)
    vi.advanceTimersByTime(SWEEPS_EVERY_MS)
    const held = `select 1 from transactions where agent_id = $1 and status = 'held'`
    await waitUntil(async () => (await app.rows(held, [free.agentId])).length === 0)
    await lock.release()
    await Promise.all(changes)
    expect(await budgetOf(acme, locked.id)).toEqual([0, 0, 100])
  })
})

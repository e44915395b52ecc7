import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTestDatabase, describeOnUsualEngine } from '../support/database.ts'
import { aHold, budgetOf, endHolds, evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { overdueHolds } from './overdue-holds.ts'

const SWEEPS_EVERY_MS = 1_000
const HOLDS_AT_ONCE = 100

describeOnUsualEngine('the sweeper of more holds than one batch', (engine) => {
  let app: TestApp
  let names: (string | undefined)[] = []
  let acme: Owner

  beforeAll(async () => {
    const database = await createTestDatabase(engine)
    const watched = watchDatabase(database.db, (_text, { name }) => names.push(name))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    app = await createTestAppOn(database, watched)
  })
  afterAll(async () => {
    await app.stop()
    vi.useRealTimers()
  })
  beforeEach(async () => {
    acme = await app.organization()
  })

  test('gives back all that a spend lacks, and looks no further', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 150 })
    await overdueHolds(app, acme, agentId, 150)
    names = []
    const { decision, remainingBudget } = await evaluate(acme, agentId, { amount: 120 })
    expect([decision, remainingBudget]).toEqual(['approved', 30])
    // The first one only asks whether there are any.
    expect(names.filter((name) => name === 'list-overdue-holds-below')).toHaveLength(3)
  })

  test('skips a whole batch that cannot be given back, and gives back the next hold', async () => {
    const broken = await anActiveMandate(acme, { budgetTotal: HOLDS_AT_ONCE })
    const whole = await anActiveMandate(acme)
    await overdueHolds(app, acme, broken.agentId, HOLDS_AT_ONCE)
    await aHold(acme, whole.agentId, 10)
    await endHolds(app, whole.agentId)
    await app.rows(`alter table transactions add constraint refuses_the_end
                    check (status <> 'expired' or amount <> 1000000) not valid`)
    vi.advanceTimersByTime(SWEEPS_EVERY_MS)
    const held = `select agent_id from transactions where status = 'held'`
    await waitUntil(async () => (await app.rows(held)).length === HOLDS_AT_ONCE)
    expect([await budgetOf(acme, whole.id), await budgetOf(acme, broken.id)]).toEqual([
      [0, 0, 100],
      [HOLDS_AT_ONCE, HOLDS_AT_ONCE, 0],
    ])
    await app.rows('alter table transactions drop constraint refuses_the_end')
  })
})

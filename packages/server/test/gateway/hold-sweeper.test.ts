import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { units } from '../core/desk.ts'
import { createTestApp, createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  describeOnUsualEngine,
} from '../support/database.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { countAdvisoryLocks, STAYS_OPEN } from '../support/row-lock.ts'
import {
  aHold,
  budgetOf,
  endHolds,
  evaluate,
  readTransaction,
  simulate,
} from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { overdueHolds } from './overdue-holds.ts'

const SWEEPS_EVERY_MS = 1_000

describeOnUsualEngine('the sweeper of holds', (engine) => {
  let app: TestApp
  let statements: string[] = []
  let acme: Owner
  let other: Owner

  beforeAll(async () => {
    const database = await createTestDatabase(engine)
    const watched = watchDatabase(database.db, (text) => statements.push(text))
    // Its rounds come when the test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    app = await createTestAppOn(database, watched)
  })
  afterAll(async () => {
    await app.stop()
    vi.useRealTimers()
  })
  beforeEach(async () => {
    acme = await app.organization()
    other = await app.organization('Other')
  })
  afterEach(() => {
    statements = []
  })

  const updates = () => statements.filter((text) => /update transactions t\s/.test(text)).length
  const openHolds = async (agentId: string): Promise<number> =>
    (
      await app.rows(`select 1 from transactions where agent_id = $1 and status = 'held'`, [
        agentId,
      ])
    ).length

  test('gives back at most one batch before a budget is shown, and only its own', async () => {
    const mandate = await anActiveMandate(acme, { budgetTotal: 5_000 })
    const others = await anActiveMandate(other)
    await overdueHolds(app, acme, mandate.agentId, 1_500)
    await overdueHolds(app, other, others.agentId, 2)

    statements = []
    expect(await budgetOf(other, others.id)).toEqual([0, 0, 100])
    expect([updates(), await openHolds(mandate.agentId)]).toEqual([1, 1_500])

    statements = []
    expect(await budgetOf(acme, mandate.id)).toEqual([1_400, 1_400, 3_600])
    expect(updates()).toBe(1)

    statements = []
    vi.advanceTimersByTime(SWEEPS_EVERY_MS)
    await waitUntil(async () => (await openHolds(mandate.agentId)) === 0)
    expect(updates()).toBe(14)
    expect(await budgetOf(acme, mandate.id)).toEqual([0, 0, 5_000])
  })

  test('counts no hold any more that it has given back, in no limit and in no budget above', async () => {
    const rules = [{ type: 'limit', maxAmount: 10, window: 'day' }]
    const parent = await anActiveMandate(acme, { rules })
    const child = await anActiveMandate(acme, { parentMandateId: parent.id, budgetTotal: 50 })
    const holds = [await aHold(acme, child.agentId, 4), await aHold(acme, child.agentId, 5)]
    await endHolds(app, child.agentId)
    expect(await budgetOf(acme, parent.id)).toEqual([0, 0, 100])
    expect(await budgetOf(acme, child.id)).toEqual([0, 0, 50])
    expect((await evaluate(acme, parent.agentId, { amount: 10 })).decision).toBe('approved')
    for (const { transactionId } of holds) {
      const { status, heldAmount } = await readTransaction(acme, transactionId)
      expect([status, heldAmount]).toEqual(['expired', 0])
    }
  })

  test('gives back what a spend lacks, which is then judged once more', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 20 })
    const [one, two] = [
      await anActiveMandate(acme, { parentMandateId: parent.id, budgetTotal: 20 }),
      await anActiveMandate(acme, { parentMandateId: parent.id, budgetTotal: 20 }),
    ]
    await aHold(acme, one.agentId, 15)
    expect((await evaluate(acme, two.agentId, { amount: 10 })).decision).toBe('rejected')
    await endHolds(app, one.agentId)
    expect((await simulate(acme, two.agentId, { amount: 10 })).decision).toBe('approved')
    await aHold(acme, one.agentId, 15)
    await endHolds(app, one.agentId)
    const { decision, remainingBudget } = await evaluate(acme, two.agentId, { amount: 10 })
    expect([decision, remainingBudget]).toEqual(['approved', 10])
    expect(await budgetOf(acme, parent.id)).toEqual([10, 0, 10])
  })

  test('gives back what was over for the spend, even if this process believes it is earlier', async () => {
    const { organizationId } = acme
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 20 })
    const slow = { ...app.time, estimate: () => app.time.estimate() - 60_000 }
    const gateway = createPathGateway({ ...app, time: slow })
    const fifteen = () => aSubmission({ organizationId }, agentId, { amount: units(15) })
    await aHold(acme, agentId, 15)
    await endHolds(app, agentId)
    expect((await gateway.preview(fifteen().spend, undefined)).decision).toBe('approved')
    await aHold(acme, agentId, 15)
    await endHolds(app, agentId)
    expect((await gateway.decide(fifteen())).decision).toBe('approved')
    await gateway.stop()
  })

  test('is waited for by a spend with a deadline, which keeps its key and is noted once', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 20 })
    const gateway = createPathGateway(app)
    await aHold(acme, agentId, 15)
    await endHolds(app, agentId)
    const noted: string[] = []
    const idempotency = anIdempotencyKey(agentId, 'one')
    const aRequest = () =>
      aSubmission(
        acme,
        agentId,
        { amount: units(15), holdMs: 60_000 },
        {
          idempotency,
          answerBy: performance.now() + 60_000,
          alongside: ({ id, decision }) => {
            noted.push(decision)
            return [
              { text: 'update transactions set reason = $2 where id = $1', values: [id, decision] },
            ]
          },
        },
      )
    const [first, second] = await Promise.all([
      gateway.decide(aRequest()),
      gateway.decide(aRequest()),
    ])
    expect([first.decision, first.isReplay]).toEqual(['approved', false])
    expect([second.id, second.decision, second.isReplay]).toEqual([first.id, 'approved', true])
    expect((await gateway.decide(aRequest())).id).toBe(first.id)
    expect(
      await app.rows('select reason, status from transactions where id = $1', [first.id]),
    ).toEqual([{ reason: 'approved', status: 'held' }])
    await waitUntil(async () => (await countAdvisoryLocks(app.database.db)) === 0)
    expect(await budgetOf(acme, id)).toEqual([15, 15, 5])
    expect(noted).toEqual(['rejected', 'approved'])
    await gateway.stop()
  })

  test('gives back what a limit counts, too', async () => {
    const rules = [{ type: 'limit', maxAmount: 10, window: 'day' }]
    const { agentId } = await anActiveMandate(acme, { rules })
    await aHold(acme, agentId, 8)
    await endHolds(app, agentId)
    expect((await evaluate(acme, agentId, { amount: 10 })).decision).toBe('approved')
  })

  test('is asked about overdue holds only where they may take the room that is lacking', async () => {
    const rules = [{ type: 'amount', max: 50 }]
    const { agentId } = await anActiveMandate(acme, { rules })
    const looks = async (amount: number) => {
      statements = []
      await evaluate(acme, agentId, { amount })
      return statements.filter((text) => text.includes('ancestor_ids) &&')).length
    }
    const free = [await looks(40), await looks(60), await looks(49), await looks(45)]
    await aHold(acme, agentId, 1)
    expect({ free, held: [await looks(1), await looks(60), await looks(45)] }).toEqual({
      free: [0, 0, 0, 0],
      held: [0, 0, 1],
    })
  })
})

describeOnPostgres('the sweeper of holds, when rows of one organization are locked', () => {
  test('gives back those of the others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const logged: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
    const app = await createTestApp('postgres', {}, log)
    const { db } = app.database
    const [acme, other] = [await app.organization(), await app.organization('Other')]
    const [locked, free] = [await anActiveMandate(acme), await anActiveMandate(other)]
    for (const [owner, { agentId }] of [
      [acme, locked],
      [other, free],
    ] as const) {
      await aHold(owner, agentId, 10)
      await endHolds(app, agentId)
    }
    await db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({
        text: 'select 1 from mandates where agent_id = $1 for update',
        values: [locked.agentId],
      })
      vi.advanceTimersByTime(SWEEPS_EVERY_MS)
      await waitUntil(async () => {
        const held = await app.rows<{ agent_id: string }>(
          `select agent_id from transactions where status = 'held'`,
        )
        return held.length === 1 && held[0]?.agent_id === locked.agentId
      })
      // What is locked is shown as it is, and not waited for.
      expect(await budgetOf(acme, locked.id)).toEqual([10, 10, 90])
    })
    expect(await budgetOf(acme, locked.id)).toEqual([0, 0, 100])
    await app.stop()
    vi.useRealTimers()
    const events = logged.map((line): string => JSON.parse(line).event)
    expect(new Set(events.filter((event) => event.startsWith('holds')))).toEqual(
      new Set(['holds.locked']),
    )
  })

  test('finds them by an index that leads with the organization', async () => {
    const database = await createTestDatabase('postgres')
    const rows = await database.db.query<{ definition: string }>({
      text: `select indexdef as definition from pg_indexes
             where tablename = 'transactions' and indexdef like '%held%'`,
    })
    await database.drop()
    expect(rows.map(({ definition }) => /\((.+?)\) WHERE/.exec(definition)?.[1])).toEqual([
      'organization_id, expires_at, id',
    ])
  })
})

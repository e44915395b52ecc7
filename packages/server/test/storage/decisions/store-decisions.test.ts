import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import {
  type DecisionRow,
  storeDecisions,
  storeFigures,
} from '../../../src/storage/decisions/store-decisions.ts'
import { removeExpiredCounters } from '../../../src/storage/decisions/store-usage.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, DAY_MS } from '../../support/builders.ts'
import { budgetOf, evaluate } from '../../support/spends.ts'
import { dumpTables } from '../../support/tables.ts'

/** What the tables refuse, should a decision ever be wrong. */
describe('the database', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const aRow = (agentId: string): DecisionRow => ({
    id: newId(Date.now()),
    agentId,
    mandateId: null,
    mandateVersion: null,
    path: 'evaluate',
    decision: 'rejected',
    status: 'rejected',
    code: 'no_active_mandate',
    amount: 1n,
    currency: null,
    vendor: 'a.example.com',
    category: null,
    reference: null,
    reason: null,
    metadata: null,
    remainingBudget: 0n,
    flaggedBy: [],
    details: '{"b":1, "a":"\\u00e4"}',
    heldAmount: 0n,
    settledAmount: 0n,
    expiresAt: null,
    countedIn: null,
    noted: null,
    inputs: null,
    requestedBy: null,
  })

  const figuresOf = (mandateId: string, spent: bigint, held = 0n, overdrawn = 0n) => ({
    id: toUuid('mnd', mandateId) ?? '',
    budgetSpent: spent,
    budgetHeld: held,
    budgetOverdrawn: overdrawn,
    spentPeriodStart: null,
  })

  const store = (rows: readonly DecisionRow[], figures: ReturnType<typeof figuresOf>[]) =>
    app.database.db.transaction(async (tx) =>
      tx.send(storeDecisions(acme.organizationId, Date.now(), rows, figures)),
    )

  test('keeps details byte for byte', async () => {
    const { agentId } = await anActiveMandate(acme)
    const row = aRow(agentId)
    await store([row], [])
    const text = 'select details::text as details from transactions where id = $1'
    expect(await app.rows(text, [row.id])).toEqual([{ details: row.details }])
  })

  test('keeps what a path notes of some of them, and nothing of the others', async () => {
    const { agentId } = await anActiveMandate(acme)
    const noted = { external: { who: 'Ä, "B" {c}' }, flags: ['merchant_drift'] as const }
    const rows = [
      { ...aRow(agentId), noted },
      { ...aRow(agentId), noted: { ...noted, flags: [] } },
      aRow(agentId),
    ]
    await store(rows, [])
    const text = 'select external, flags from transactions where id = any($1::uuid[]) order by id'
    expect(await app.rows(text, [rows.map(({ id }) => id)])).toEqual([
      { external: noted.external, flags: ['merchant_drift'] },
      { external: noted.external, flags: null },
      { external: null, flags: null },
    ])
  })

  test('refuses a budget that is overspent by one micro, with everything of the batch', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    const before = await dumpTables(app.database.db)
    await expect(store([aRow(agentId)], [figuresOf(id, 10_000_001n)])).rejects.toMatchObject({
      constraint: 'budget_never_overspent',
    })
    expect(await dumpTables(app.database.db)).toBe(before)
    await store([aRow(agentId)], [figuresOf(id, 10_000_000n)])
    expect(await budgetOf(acme, id)).toEqual([10, 0, 0])
  })

  test('allows what was charged beyond the budget where it is marked as that', async () => {
    const { id } = await anActiveMandate(acme, { budgetTotal: 10 })
    const set = (spent: bigint, overdrawn: bigint) =>
      app.database.db.transaction(async (tx) =>
        tx.send(storeFigures(acme.organizationId, [figuresOf(id, spent, 0n, overdrawn)])),
      )
    await set(12_000_000n, 2_000_000n)
    expect(await budgetOf(acme, id)).toEqual([12, 0, 0])
    const broken = { constraint: 'budget_never_overspent' }
    await expect(set(12_000_001n, 2_000_000n)).rejects.toMatchObject(broken)
    await expect(set(1n, -1n)).rejects.toMatchObject({ constraint: 'overdrawn_is_not_negative' })
  })

  test('refuses that more is held than spent', async () => {
    const { id } = await anActiveMandate(acme)
    await expect(store([], [figuresOf(id, 1n, 2n)])).rejects.toMatchObject({
      constraint: 'held_is_part_of_spent',
    })
  })

  test('refuses a second transaction of the same id, and a second event of one', async () => {
    const { agentId } = await anActiveMandate(acme)
    const row = aRow(agentId)
    await store([row], [])
    await expect(store([row], [])).rejects.toMatchObject({ code: '23505' })
    const { transactionId } = await evaluate(acme, agentId)
    const again = `insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number)
                   select organization_id, id, kind, transaction_id, agent_id, now(), number
                   from webhook_events where id = $1`
    const id = toUuid('txn', transactionId)
    await expect(app.rows(again, [id])).rejects.toMatchObject({ code: '23505' })
  })

  test('refuses more refunded than was settled', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 1 })
    const text = 'update transactions set refunded_amount = settled_amount + 1 where id = $1'
    await expect(app.rows(text, [toUuid('txn', transactionId)])).rejects.toMatchObject({
      constraint: 'refund_is_part_of_settled',
    })
  })

  test('forgets counters when nothing of them counts any more, and not before', async () => {
    const rules = [{ type: 'limit', maxCount: 5, window: '10s' }]
    const { agentId, id } = await anActiveMandate(acme, { rules })
    await evaluate(acme, agentId, { amount: 1 })
    const counters = async () =>
      (await app.rows('select 1 from limit_counters where key like $1', [`${toUuid('mnd', id)}%`]))
        .length
    await removeExpiredCounters(app.database.db, Date.now())
    expect(await counters()).toBe(1)
    await removeExpiredCounters(app.database.db, Date.now() + 3 * DAY_MS)
    expect(await counters()).toBe(0)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Submission } from '../../src/gateway/submission.ts'
import { storeFigures } from '../../src/storage/decisions/store-decisions.ts'
import type { Statement, Tx } from '../../src/storage/engine/database.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import type { Engine } from '../support/database.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import {
  keepStatements,
  NotCommitted,
  readWork,
  type StatementWork,
} from '../support/read-plans.ts'

const RULES = [
  { type: 'limit', maxAmount: 900, window: 'day' },
  { type: 'limit', maxCount: 1_000, window: '1h', groupBy: 'vendor' },
  { type: 'price_drift', maxIncreasePercent: 900, effect: 'flag' },
]

/** As many agents spend at once as there are, and no more than these. */
const BATCHES = [1, 200] as const
/** What a statement may look at: some rows for each spend, whatever the tables hold. */
const ROWS_PER_SPEND = 8
/** As few as these are on one page, and may all be looked at. */
const ROWS_MIN = 20
/** What is written counts too: a row of transactions goes into a dozen indexes. */
const PAGES_PER_SPEND = 150

/**
 * The plans of what a decision sends, held by what they do: no statement reads a table from end to end, and
 * none looks at more than some rows for each spend.
 */
export function plansProof(engine: Engine, mandates: number): void {
  let app: TestApp
  let acme: Owner
  let agentIds: readonly string[]

  beforeAll(async () => {
    app = await createTestApp(engine)
    acme = await app.organization()
    bodyOf(await acme.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/hook' }))
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000_000, rules: RULES })
    const { db } = app.database
    await db.transaction((tx) =>
      withoutForeignKeys(tx, () => copyMandates(tx, agentId, mandates - 1)),
    )
    for (const table of ['agents', 'mandates']) await db.query({ text: `analyze ${table}` })
    const rows = await app.rows<{ id: string }>('select id from agents order by id limit 200')
    agentIds = rows.map(({ id }) => id)
  })
  afterAll(() => app?.stop())

  /** A batch with so many spends, each with a key, spread over the agents. */
  function aBatch(size: number, more: Partial<Submission> = {}): Submission[] {
    return Array.from({ length: size }, (_, index) => {
      const agentId = agentIds[index % agentIds.length] ?? ''
      const idempotency = anIdempotencyKey(agentId, `key ${index}`)
      return aSubmission(acme, agentId, { amount: 1_000_000n }, { idempotency, ...more })
    })
  }

  /** What one batch with all of them sends. */
  async function statementsOf(submissions: readonly Submission[]): Promise<Statement[]> {
    const kept: Statement[] = []
    const gateway = createPathGateway(app, keepStatements(app.database.db, kept))
    // The first batch meets policies that are not cached.
    for (let batches = 0; batches < 2; batches += 1) {
      kept.length = 0
      await Promise.all(submissions.map((one) => expectUnstored(gateway.decide(one))))
    }
    await gateway.stop()
    return kept
  }

  const expectUnstored = (decided: Promise<unknown>) =>
    expect(decided).rejects.toBeInstanceOf(NotCommitted)

  function expectLookUps(work: readonly StatementWork[], size: number): void {
    for (const { name, wholeTables, rows, pages, plan } of work) {
      expect(wholeTables, `${name} reads all of a table\n${plan}`).toEqual([])
      expect(rows, `${name} looks at too many rows\n${plan}`).toBeLessThanOrEqual(
        Math.max(ROWS_MIN, ROWS_PER_SPEND * size),
      )
      expect(pages, `${name} touches too many pages\n${plan}`).toBeLessThanOrEqual(
        PAGES_PER_SPEND * size,
      )
    }
  }

  test.each(BATCHES)('each statement of a batch of %s finds its rows by key', async (size) => {
    const statements = await statementsOf(aBatch(size))
    const work = await readWork(app.database.db, statements)
    const isOne = size === 1
    expect(work.map(({ name }) => name)).toEqual([
      'begin-batch',
      isOne ? 'lock-line-of' : 'lock-mandates-of',
      isOne ? 'read-spender' : 'read-spenders',
      isOne ? 'find-decision-key' : 'find-decision-keys',
      'read-counters',
      'read-vendor-histories',
      isOne ? 'store-decision' : 'store-decisions',
      isOne ? 'store-decision-key' : 'store-decision-keys',
      'store-counters',
      'store-vendor-histories',
      'count-evaluations',
      isOne ? 'store-transaction-event' : 'store-transaction-events',
      'queue-events',
    ])
    expectLookUps(work, size)
  })

  test.each(BATCHES)('so does a batch of %s that notes something', async (size) => {
    const noted = { external: { who: 'x' }, flags: [] }
    const work = await readWork(app.database.db, await statementsOf(aBatch(size, { noted })))
    expect(work.map(({ name }) => name)).toContain(
      size === 1 ? 'store-noted-decision' : 'store-noted-decisions',
    )
    expectLookUps(work, size)
  })

  test('the plan that sets figures serves ever more mandates, although it is kept', async () => {
    const statements = await statementsOf(aBatch(100))
    const more = 2_000
    const work = await readWork(app.database.db, statements, (tx) =>
      copyMandates(tx, agentIds[0] ?? '', more, 'later'),
    )
    const isAboutFigures = ({ name }: StatementWork) => name === 'store-decisions'
    expectLookUps(work.filter(isAboutFigures), 100)
  })

  test.each(BATCHES)(
    'figures of %s that change outside of a batch are set by key',
    async (size) => {
      const text = 'select id from mandates order by id limit $1::int'
      const rows = await app.rows<{ id: string }>(text, [size])
      const figures = rows.map(({ id }) => ({
        id,
        budgetSpent: 1n,
        budgetHeld: 0n,
        budgetOverdrawn: 0n,
        spentPeriodStart: null,
      }))
      const generic = { text: 'set local plan_cache_mode = force_generic_plan' }
      const work = await readWork(app.database.db, [
        generic,
        storeFigures(acme.organizationId, figures),
      ])
      // One page is read as a whole, because nothing is quicker.
      if (mandates > 10) expectLookUps(work, size)
      else expect(work[0]?.rows).toBeLessThanOrEqual(mandates * size)
    },
  )
}

/** More agents with a mandate like that of this one. */
async function copyMandates(tx: Tx, agentId: string, count: number, seed = ''): Promise<void> {
  const ids = `select md5($1::text || $3 || 'agent' || n)::uuid as new_agent, md5($1::text || $3 || 'mandate' || n)::uuid as new_mandate
               from generate_series(1, $2::int) as n`
  const values = [agentId, count, seed]
  await tx.query({
    text: `insert into agents (organization_id, id, name, status, tags, metadata, created_at, updated_at)
           select organization_id, ids.new_agent, name, status, tags, metadata, created_at, updated_at
           from agents cross join (${ids}) as ids where id = $1::text::uuid`,
    values,
  })
  const copied =
    'status, version, budget_total, valid_from, valid_until, created_at, activated_at, updated_at'
  await tx.query({
    text: `insert into mandates (organization_id, id, agent_id, ancestor_ids, ${copied})
           select organization_id, ids.new_mandate, ids.new_agent, ancestor_ids, ${copied}
           from mandates cross join (${ids}) as ids where agent_id = $1::text::uuid`,
    values,
  })
  const fixed = `version, name, currency, timezone, valid_from, valid_until, budget_period, budget_total, rules,
                 changed_at, policy_hash, origins`
  await tx.query({
    text: `insert into mandate_versions (organization_id, mandate_id, ${fixed})
           select organization_id, ids.new_mandate, ${fixed} from mandate_versions cross join (${ids}) as ids
           where mandate_id = (select id from mandates where agent_id = $1::text::uuid)`,
    values,
  })
}

/** The look at each foreign key takes longer than all else. Plans that are kept are made anew after it. */
async function withoutForeignKeys(tx: Tx, run: () => Promise<void>): Promise<void> {
  await tx.query({ text: 'set local session_replication_role = replica' })
  await run()
  await tx.query({ text: 'set local session_replication_role = default' })
}

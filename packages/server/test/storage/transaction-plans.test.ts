import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../src/storage/engine/database.ts'
import { ensurePartitions } from '../../src/storage/engine/partitions.ts'
import { listTransactions, type TransactionFilter } from '../../src/storage/list-transactions.ts'
import type { PageRequest } from '../../src/storage/page.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { expectPagesBelow } from '../support/read-plans.ts'
import { EVERY_TRANSACTION } from '../support/transaction-filter.ts'

/*
 * No list of transactions reads a month from end to end. The bound of a search is small here, so that
 * the pages that a statement touches show whether it is kept: each month has more than 800 pages.
 */
const ROWS = 40_000
const SEARCHED = 200
const PAGES_MAX = 500
/** The older half of the rows is from this long ago: another month, which is another partition. */
const MONTH_MS = 31 * 86_400_000
/** So many rows of a page are of the newer month. */
const CROSSING = 20
const AGENT = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const FIRST = { limit: 50, offset: 0, after: undefined }

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  await ensurePartitions(app.database.db, Date.now() - MONTH_MS)
  await app.rows(
    `insert into transactions (organization_id, id, agent_id, path, decision, status, code, amount, currency, vendor,
       remaining_budget, details, held_amount, settled_amount, refunded_amount, created_at)
     select $1::uuid, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
              || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
            case when n % 50 = 0 then $2::uuid else gen_random_uuid() end, 'evaluate', 'approved', 'settled',
            'approved', 1, 'USD', 'v.example', 0, to_json(repeat(md5(n::text), 10)), 0, 1, 0, at
     from (select n, now() - n * interval '1 ms'
                     - case when n > $3 / 2 then $4 * interval '1 ms' else interval '0' end as at
           from generate_series(1, $3) n) as spends`,
    [acme.organizationId, AGENT, ROWS, MONTH_MS],
  )
  await app.rows('vacuum analyze transactions')
})
afterAll(() => app.stop())

const expectBounded = (run: (db: Queryable) => Promise<unknown>): Promise<void> =>
  expectPagesBelow(PAGES_MAX, app.database.db, run)

const RECENT = Date.now() - 60_000
const FILTERS: readonly Partial<TransactionFilter>[] = [
  {},
  ...[{ agents: [AGENT] }, { agents: [AGENT, AGENT.replace('11', '12')] }, { agentIds: [AGENT] }],
  ...[{ mandates: [AGENT] }, { statuses: ['held'] }, { statuses: ['expired', 'voided'] }],
  ...[{ decisions: ['rejected'] }, { paths: ['acp'] }, { vendors: ['a.example'] }],
  ...[{ categories: ['rare'] }, { codes: ['new_vendor'] }, { reference: 'absent' }, { rule: 'r' }],
  ...[{ approvalId: AGENT }, { cardId: 'card_1' }, { q: 'absent' }, { isFlagged: true }],
  ...[{ minAmount: 1_000n }, { maxAmount: 0n }, { from: RECENT }, { to: RECENT }],
  { decisions: ['rejected'], vendors: ['a.example'], from: RECENT, agents: [AGENT] },
]

const transactionsBy =
  (filter: Partial<TransactionFilter>, page: PageRequest = FIRST) =>
  (db: Queryable) =>
    listTransactions(
      ...([
        db,
        acme.organizationId,
        { ...EVERY_TRANSACTION, ...filter },
        Date.now(),
        page,
      ] as const),
      { searchedMax: SEARCHED },
    )

test.each(FILTERS)('transactions by %o are read from an index, up to a bound', (filter) =>
  expectBounded(transactionsBy(filter)),
)

test.each(FILTERS)(
  'transactions by %o go on in the month before, up to a bound',
  async (filter) => {
    const after = await cursorBefore(CROSSING)
    await expectBounded(transactionsBy(filter, { ...FIRST, after }))
  },
)

test('transactions of two months are one list', async () => {
  const { rows, hasMore } = await transactionsBy(
    {},
    { ...FIRST, after: await cursorBefore(CROSSING) },
  )(app.database.db)
  const all = await app.rows<{ id: string; part: string }>(
    `select id, tableoid::regclass::text as part from transactions
     where organization_id = $1 order by id desc offset $2 limit $3`,
    [acme.organizationId, ROWS / 2 - CROSSING, FIRST.limit],
  )
  expect(new Set(all.map(({ part }) => part)).size).toBe(2)
  expect([rows.map(({ id }) => id), hasMore]).toEqual([all.map(({ id }) => id), true])
})

/** The cursor after which so many rows are left of the newer month. */
async function cursorBefore(left: number): Promise<string> {
  const [row] = await app.rows<{ id: string }>(
    'select id from transactions where organization_id = $1 order by id desc offset $2 limit 1',
    [acme.organizationId, ROWS / 2 - left - 1],
  )
  if (row === undefined) throw new Error('There are too few transactions.')
  return row.id
}

test('each month has more pages than a list may touch', async () => {
  const sizes = await app.rows<{ pages: number }>(
    `select (pg_relation_size(part) / 8192)::int as pages
     from (select distinct tableoid as part from transactions) as parts`,
  )
  expect(sizes).toHaveLength(2)
  for (const { pages } of sizes) expect(pages).toBeGreaterThan(PAGES_MAX)
})

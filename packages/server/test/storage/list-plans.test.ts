import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApprovalFilter, listApprovals } from '../../src/storage/approvals/approvals.ts'
import { listSpentBefore } from '../../src/storage/approvals/context.ts'
import { listSoonest } from '../../src/storage/approvals/soonest.ts'
import { findLeafRange } from '../../src/storage/audit/leaf-range.ts'
import { type LeafFilter, listLatestLeaves } from '../../src/storage/audit/read-leaves.ts'
import type { Queryable } from '../../src/storage/engine/database.ts'
import { nextAfter, type PageRequest } from '../../src/storage/page.ts'
import { listDeliveries } from '../../src/storage/webhooks/list-deliveries.ts'
import { readFeed } from '../../src/storage/webhooks/read-events.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { expectPagesBelow } from '../support/read-plans.ts'

/*
 * No list reads a table of history from end to end. The bound of a search is small here, so that the
 * pages that a statement touches show whether it is kept: each table has more than 800 pages.
 * transaction-plans.test.ts has the lists of transactions.
 */
const HISTORY = [
  ...(['transactions', 'webhook_events', 'webhook_deliveries'] as const),
  ...(['approvals', 'audit_leaves'] as const),
]
const ROWS = 20_000
const SEARCHED = 200
const PAGES_MAX = 500
const AGENT = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const ALL = {
  ...{ status: undefined, kind: undefined, from: undefined, to: undefined },
  ...{ eventIds: undefined, isTest: undefined, endpointId: undefined },
} as const
const FIRST = { limit: 50, offset: 0, after: undefined }

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  await app.rows(
    `insert into transactions (organization_id, id, agent_id, path, decision, status, code, amount, currency, vendor,
       remaining_budget, details, held_amount, settled_amount, refunded_amount, created_at)
     select $1::uuid, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n), 12, '0') || '7'
              || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
            case when n % 50 = 0 then $2::uuid else gen_random_uuid() end, 'evaluate', 'approved', 'settled',
            'approved', 1, 'USD', 'v.example', 0, to_json(repeat(md5(n::text), 10)), 0, 1, 0, now()
     from generate_series(1, $3) n`,
    [acme.organizationId, AGENT, ROWS],
  )
  await app.rows(
    `insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number, salt)
     select organization_id, id, 'transaction.approved', id, agent_id, now(),
            1000 + row_number() over (order by id), convert_to(repeat('s', 300), 'UTF8') from transactions`,
  )
  await app.rows(
    `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at)
     select organization_id, id, kind, repeat('b', 300), 'succeeded', 1, now() from webhook_events`,
  )
  await app.rows(
    `insert into approvals (organization_id, id, agent_id, mandate_id, transaction_id, path, vendor, amount, currency, lifts,
       digest, status, asked, asked_by, makes_known, waits_ms, expires_at, created_at)
     select organization_id, id, agent_id, agent_id, id, 'evaluate', 'v.example', 1, 'USD', '[]', repeat('d', 300), 'used', 1,
            '{}', false, 1, now(), now() from transactions`,
  )
  await app.rows(
    `insert into audit_leaves (organization_id, index, number, kind, subject, at, actor_id, commitment, hash)
     select organization_id, number - 1001, number, kind, 'txn_' || transaction_id, now(), agent_id::text,
            convert_to(repeat('c', 300), 'UTF8'), sha256(id::text::bytea) from webhook_events`,
  )
  for (const table of HISTORY) {
    await app.rows(`vacuum analyze ${table}`)
  }
})
afterAll(() => app.stop())

const expectBounded = (run: (db: Queryable) => Promise<unknown>): Promise<void> =>
  expectPagesBelow(PAGES_MAX, app.database.db, run)

const RECENT = Date.now() - 60_000

test.each([
  { status: 'pending' },
  { status: 'failed' },
  { status: 'canceled' },
  { kind: 'usage.warning' },
  { isTest: true },
  { isTest: false },
  { endpointId: AGENT },
  { endpointId: null },
  { eventIds: [AGENT] },
  { to: RECENT },
] as const)('deliveries by %o are read from an index, up to a bound', (filter) =>
  expectBounded((db) =>
    listDeliveries(db, acme.organizationId, { ...ALL, ...filter }, FIRST, SEARCHED),
  ),
)

describe('deliveries of which many wait for their first attempt', () => {
  const WAITING = 8_000
  let globex: Owner
  let initech: Owner
  beforeAll(async () => {
    globex = await app.organization('Globex')
    initech = await app.organization('Initech')
    // Five of the thirty deliveries of Initech were tried, and are to be retried.
    await addDeliveries(globex, { events: ROWS, tried: ROWS - WAITING, queued: WAITING })
    await addDeliveries(initech, { events: 30, tried: 15, queued: 20 })
    await app.rows('vacuum analyze webhook_events, webhook_deliveries, webhook_queue')
  })

  async function addDeliveries(
    { organizationId }: Owner,
    { events, tried, queued }: Record<'events' | 'tried' | 'queued', number>,
  ) {
    await app.rows(
      `insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number, salt)
       select $1::uuid, id, kind, transaction_id, agent_id, occurred_at, number, salt from webhook_events
       where organization_id = $2 order by id limit $3`,
      [organizationId, acme.organizationId, events],
    )
    await app.rows(
      `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at)
       select organization_id, id, kind, 'b', 'pending', 1, now() from webhook_events
       where organization_id = $1 order by id limit $2`,
      [organizationId, tried],
    )
    await app.rows(
      `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
       select organization_id, id, id, number, false, now() + interval '1 day' from webhook_events
       where organization_id = $1 order by id desc limit $2`,
      [organizationId, queued],
    )
  }

  const listOf = (owner: Owner, page: PageRequest, searchedMax?: number) => (db: Queryable) =>
    listDeliveries(db, owner.organizationId, ALL, page, searchedMax)

  test('are listed and counted without a look at each of them', async () => {
    // Each row that is shown costs 12 pages, in four look-ups.
    const first = { ...FIRST, limit: 20 }
    const page = await listOf(globex, first)(app.database.db)
    expect(page).toMatchObject({ total: 10_000, totalIsExact: false, hasMore: true })
    await expectBounded(listOf(globex, first))
    await expectBounded(listOf(globex, { ...first, after: page.rows.at(-1)?.id }))
  })

  test.each([1, 7, 100])('are each found once and counted once, by pages of %i', async (limit) => {
    const ids: string[] = []
    let after: string | undefined
    do {
      const { rows, ...page } = await listOf(initech, { limit, offset: 0, after })(app.database.db)
      expect(page).toMatchObject({ total: 30, totalIsExact: true })
      ids.push(...rows.map(({ id }) => id))
      after = nextAfter({ rows, ...page })
    } while (after !== undefined)
    expect(ids).toHaveLength(30)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
  })

  test.each([9, 14, 29])('are found beyond an offset of %i', async (offset) => {
    const all = await listOf(initech, FIRST)(app.database.db)
    const page = await listOf(initech, { limit: 3, offset, after: undefined })(app.database.db)
    expect(page.rows).toEqual(all.rows.slice(offset, offset + 3))
    expect(page).toMatchObject({ total: 30, hasMore: offset + 3 < 30 })
  })
})

test('each table of history has more pages than a list may touch', async () => {
  for (const table of HISTORY) {
    const [size] = await app.rows<{ pages: number }>(
      `select (coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree($1)),
                        pg_relation_size($1)) / 8192)::int as pages`,
      [table],
    )
    expect(size?.pages, table).toBeGreaterThan(PAGES_MAX)
  }
})

const EVERY_APPROVAL: ApprovalFilter = {
  ...{ status: undefined, agentId: undefined, vendor: undefined },
  ...{ from: undefined, to: undefined, agentIds: null },
}

test.each<Partial<ApprovalFilter>>([
  {},
  { agentId: AGENT },
  { agentIds: [AGENT] },
  { vendor: 'absent.example' },
  ...(['pending', 'approved', 'rejected', 'expired', 'used'] as const).map((status) => ({
    status,
  })),
  ...[{ from: RECENT }, { to: RECENT }],
])('approvals by %o are read from an index, up to a bound', (filter) =>
  expectBounded((db) =>
    listApprovals(
      ...([db, acme.organizationId, { ...EVERY_APPROVAL, ...filter }, Date.now()] as const),
      FIRST,
      SEARCHED,
    ),
  ),
)

test('the spends before of many requests of one agent are read once', async () => {
  const vendors = Array.from({ length: 50 }, (_, n) => (n === 0 ? 'v.example' : `v${n}.example`))
  const list = (db: Queryable) => listSpentBefore(db, acme.organizationId, [AGENT], vendors, 100)
  expect(await list(app.database.db)).toMatchObject([{ vendor: 'v.example', count: 100n }])
  await expectBounded(list)
})

describe('approvals that expire soon', () => {
  let globex: Owner
  beforeAll(async () => {
    globex = await app.organization('Globex')
    await app.rows(
      `insert into approvals (organization_id, id, agent_id, mandate_id, transaction_id, path, vendor, amount, currency, lifts,
         digest, status, asked, asked_by, makes_known, waits_ms, expires_at, created_at)
       select $1::uuid, id, agent_id, mandate_id, transaction_id, path, vendor, amount, currency, lifts,
              digest, 'pending', asked, asked_by, makes_known, 3600000, at + interval '1 hour', at
       from (select *, created_at - row_number() over (order by id) / 50 * interval '1 ms' as at
             from approvals where organization_id = $2) as a`,
      [globex.organizationId, acme.organizationId],
    )
    await app.rows('vacuum analyze approvals')
  })

  const listOf =
    (filter: Partial<ApprovalFilter>, page: PageRequest = FIRST) =>
    (db: Queryable) =>
      listSoonest(
        ...([db, globex.organizationId, { ...EVERY_APPROVAL, ...filter }, Date.now()] as const),
        ...([page, SEARCHED] as const),
      )

  test.each<Partial<ApprovalFilter>>([
    ...[{ agentId: AGENT }, { agentIds: [AGENT] }, { vendor: 'absent.example' }],
    ...[{ from: Date.now() + 3_600_000 }, { to: RECENT }],
  ])('by %o, are read from an index, up to a bound', async (filter) => {
    const { rows, ...page } = await listOf(filter)(app.database.db)
    expect(page).toMatchObject({ hasMore: true, totalIsExact: false })
    const after = nextAfter({ rows, ...page })
    await expectBounded(listOf(filter))
    await expectBounded(listOf(filter, { ...FIRST, after }))
  })

  test('are each found once, in the order of their expiry', async () => {
    const ids: string[] = []
    let after: string | undefined
    for (let pages = 0; pages < 12; pages++) {
      const page = await listOf({ agentId: AGENT }, { ...FIRST, limit: 3, after })(app.database.db)
      ids.push(...page.rows.map(({ id }) => id))
      after = nextAfter(page)
    }
    const all = await app.rows<{ id: string }>(
      `select id from approvals where organization_id = $1 and agent_id = $2
       order by expires_at, id limit $3`,
      [globex.organizationId, AGENT, ids.length],
    )
    expect(ids.length).toBeGreaterThan(10)
    expect(ids).toEqual(all.map(({ id }) => id))
  })
})

const EVERY_LEAF: LeafFilter = {
  ...{ kinds: undefined, subject: undefined, actorId: undefined },
  ...{ from: undefined, to: undefined },
}

test.each<Partial<LeafFilter>>([
  {},
  { kinds: ['mandate.created'] },
  { actorId: AGENT },
  ...[{ from: Date.now() + 60_000 }, { to: RECENT }],
])('leaves of the audit log by %o are read from an index, up to a bound', (filter) => {
  const part = { begin: ROWS - SEARCHED, end: ROWS, limit: 50 }
  return expectBounded((db) =>
    listLatestLeaves(db, acme.organizationId, { ...EVERY_LEAF, ...filter }, part),
  )
})

test('the leaves of a time are found by a few of them', () =>
  expectBounded((db) => findLeafRange(db, acme.organizationId, { from: RECENT, to: RECENT }, ROWS)))

test('leaves about one subject are read from an index', () => {
  const part = { begin: 0, end: ROWS, limit: 50 }
  const filter = { ...EVERY_LEAF, subject: 'txn_absent' }
  return expectBounded((db) => listLatestLeaves(db, acme.organizationId, filter, part))
})

test('events of a rare kind are searched up to a bound, and the search can go on', async () => {
  const { organizationId } = acme
  await expectBounded((db) => readFeed(db, organizationId, 0n, ['usage.warning'], 50, SEARCHED))
  const { db } = app.database
  const { events, lookedTo, searchedTo } = await readFeed(
    ...([db, organizationId, 1_000n, ['usage.warning'], 50, SEARCHED] as const),
  )
  expect(events).toEqual([])
  expect(searchedTo?.number).toBe(1_000n + BigInt(SEARCHED))
  expect(lookedTo).toBe(searchedTo?.number)
})

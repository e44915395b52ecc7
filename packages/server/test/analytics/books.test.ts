import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startAnalytics } from '../../src/analytics/analytics.ts'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { rebuildAnalytics } from '../../src/operator/rebuild-analytics.ts'
import { storeCountedChanges } from '../../src/storage/analytics/changes.ts'
import { storeLateDecline } from '../../src/storage/transactions.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import { askSums, readExport, sumExport } from './by-export.ts'

/** All on one day, whenever the test runs. */
const NOON = Date.parse('2026-11-10T12:00:00Z')

/** Refusals at so many vendors within a moment. */
const CROWD = `
  insert into transactions (organization_id, id, agent_id, path, decision, status, code, amount, currency,
    vendor, category, remaining_budget, details, held_amount, settled_amount, refunded_amount, created_at)
  select $1, (lpad(to_hex((extract(epoch from $3::timestamptz) * 1000)::bigint), 12, '0') || '70008000'
           || lpad(to_hex(n), 12, '0'))::uuid,
         $2, 'evaluate', 'rejected', 'rejected', 'no_active_mandate', 1000, 'USD',
         'v' || n || '.example', 'llm', 0, '{}', 0, 0, 0, $3::timestamptz
  from generate_series(0, 1299) as n`

interface Refusals {
  readonly isFolded: boolean
  readonly data: readonly { readonly count: number }[]
}

describe('books', () => {
  let app: TestApp
  let owner: Owner
  let agentId: string
  beforeAll(async () => {
    app = await createTestApp()
    owner = await app.organization()
    agentId = (await anActiveMandate(owner, { budgetTotal: 100_000 })).agentId
  })
  afterAll(() => app?.stop())
  afterEach(() => {
    app.clock.now = undefined
  })
  const parts = () => ({ db: app.database.db, clock: app.time.read })
  const ask = async (query = '') => bodyOf(await owner.get(`/analytics/spend?${query}`))

  test('a new organization has one from the start, which equals an empty export', async () => {
    const fresh = await app.organization()
    expect(bodyOf(await fresh.get('/analytics/spend'))).toMatchObject({ asOf: 0, data: [] })
  })

  test('an organization from before gets one from its record, and is told to wait until then', async () => {
    const old = await app.organization()
    const { agentId: spender } = await anActiveMandate(old)
    const { transactionId } = await evaluate(old, spender, { hold: { expiresIn: '1h' } })
    await app.rows('delete from analytics_books where organization_id = $1', [old.organizationId])
    const waiting = await old.get('/analytics/spend')
    expect([waiting.status, waiting.body.code]).toEqual([503, 'analytics_not_ready'])
    // Opened, and then the hold becomes something else before it is counted.
    await keepBooks(parts(), old.organizationId, 1)
    bodyOf(await old.post(`/transactions/${transactionId}/settle`, { amount: 0.5 }))
    expect(await keepBooks(parts(), old.organizationId, 100)).toBe(true)
    const question = { metric: 'spend', groupBy: ['agent'] } as const
    const expected = sumExport(await readExport(app, old), 'UTC', question)
    expect(await askSums(old, question)).toEqual(expected)
  })

  test('removed events do not keep a book from being filled', async () => {
    const old = await app.organization()
    const { agentId: spender } = await anActiveMandate(old)
    await evaluate(old, spender)
    for (const table of ['analytics_books', 'webhook_events']) {
      await app.rows(`delete from ${table} where organization_id = $1`, [old.organizationId])
    }
    expect(await keepBooks(parts(), old.organizationId, 100)).toBe(true)
    expect(bodyOf(await old.get('/analytics/spend')).data).toMatchObject([{ count: 1 }])
  })

  test('the old zone is named, and kept up to date, until everything is counted in the new one', async () => {
    expect(await keepBooks(parts(), owner.organizationId, 100)).toBe(true)
    await evaluate(owner, agentId)
    bodyOf(await owner.patch('/organization', { timezone: 'Asia/Tokyo' }))
    expect(await ask()).toMatchObject({ timezone: 'UTC', data: [] })
    // One step for the old book, one that opens the new one.
    await keepBooks(parts(), owner.organizationId, 2)
    expect(await ask()).toMatchObject({ timezone: 'UTC', data: [{ count: 1 }] })
    expect(await keepBooks(parts(), owner.organizationId, 100)).toBe(true)
    expect(await ask()).toMatchObject({ timezone: 'Asia/Tokyo', data: [{ count: 1 }] })
    const books = await app.rows('select 1 from analytics_books where organization_id = $1', [
      owner.organizationId,
    ])
    expect(books).toHaveLength(1)
  })

  test('what every book has counted is not kept', async () => {
    const { transactionId } = await evaluate(owner, agentId, { hold: { expiresIn: '1h' } })
    bodyOf(await owner.post(`/transactions/${transactionId}/void`))
    await keepBooks(parts(), owner.organizationId, 100)
    await evaluate(owner, agentId)
    await keepBooks(parts(), owner.organizationId, 100)
    const kept = await app.rows('select 1 from analytics_changes where organization_id = $1', [
      owner.organizationId,
    ])
    expect(kept).toEqual([])
  })

  test('the largest groups of a day that is over are told apart, and every sum stays complete', async () => {
    app.clock.now = NOON
    const crowded = await app.organization()
    const { agentId: spender } = await anActiveMandate(crowded)
    await app.rows(CROWD, [crowded.organizationId, spender, new Date(NOON).toISOString()])
    await evaluate(crowded, spender, { vendor: 'v1299.example' })
    await app.rows('delete from analytics_books where organization_id = $1', [
      crowded.organizationId,
    ])
    const { client } = await aKey(app, crowded, { agentIds: [spender] })
    /** Whether groups are folded, how many are told, and how many refusals, as each of these sees it. */
    const refusalsOf = async () =>
      Promise.all(
        [crowded, client].map(async (reader) => {
          const query = 'metric=rejections&groupBy=vendor&from=2026-11-10&to=2026-11-11&top=100'
          const { body } = await reader.get(`/analytics/spend?${query}`)
          const { isFolded, data } = body as unknown as Refusals
          return [isFolded, data.length, data.reduce((sum, { count }) => sum + count, 0)]
        }),
      )
    expect(await keepBooks(parts(), crowded.organizationId, 200)).toBe(true)
    expect(await refusalsOf()).toEqual(Array(2).fill([false, 101, 1_300]))
    app.clock.now = NOON + 2 * DAY_MS
    expect(await keepBooks(parts(), crowded.organizationId, 200)).toBe(true)
    expect(await refusalsOf()).toEqual(Array(2).fill([true, 101, 1_300]))
    // What has little of one measure may have the most of another.
    const spends = await crowded.get(
      '/analytics/spend?groupBy=vendor&from=2026-11-10&to=2026-11-11',
    )
    expect(bodyOf(spends).data).toMatchObject([{ group: { vendor: 'v1299.example' }, count: 1 }])
  })

  test('a day that is over is read from its cells again once something became of it', async () => {
    app.clock.now = NOON
    const acme = await app.organization()
    const { agentId: spender } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, spender, {
      amount: 3,
      hold: { expiresIn: '5d' },
    })
    const isRolled = async () => {
      expect(await keepBooks(parts(), acme.organizationId, 100)).toBe(true)
      const [row] = await app.rows<{ isRolled: boolean }>(
        'select is_rolled as "isRolled" from analytics_days where organization_id = $1',
        [acme.organizationId],
      )
      return row?.isRolled
    }
    const spent = async () =>
      bodyOf(await acme.get('/analytics/spend?groupBy=vendor&from=2026-11-10&to=2026-11-11')).data
    expect(await isRolled()).toBe(false)
    app.clock.now = NOON + 2 * DAY_MS
    expect(await isRolled()).toBe(true)
    expect(await spent()).toMatchObject([{ held: 3, settled: 0 }])
    bodyOf(await acme.post(`/transactions/${transactionId}/settle`, { amount: 2 }))
    expect(await isRolled()).toBe(false)
    expect(await spent()).toMatchObject([{ held: 0, settled: 2 }])
    // It is left alone for a while first: more may come.
    app.clock.now += 5 * 60_000 - 1
    expect(await isRolled()).toBe(false)
    app.clock.now += 1
    expect(await isRolled()).toBe(true)
    expect(await spent()).toMatchObject([{ held: 0, settled: 2 }])
  })

  test('a decision that was declined too late moves to the code of the decline, once', async () => {
    const late = await app.organization()
    const { agentId: spender } = await anActiveMandate(late)
    const decline = { code: 'deadline_passed', details: '{"firstFailure":null,"rules":[]}' }
    /** As the gateway does it once the deadline has passed, for a hold that it has voided. */
    const declineLate = (id: string) =>
      app.database.db.transaction(async (tx) => {
        const before = { held: 0n, settled: 0n, refunded: 0n, code: 'approved', rule: null }
        const after = { ...before, code: decline.code }
        tx.send(storeLateDecline(late.organizationId, id, decline))
        tx.sendLast(
          storeCountedChanges(late.organizationId, [{ transactionId: id, before, after }]),
        )
      })
    const holdAndVoid = async (): Promise<string> => {
      const hold = { expiresIn: '1h' }
      const { transactionId } = await evaluate(late, spender, { hold })
      bodyOf(await late.post(`/transactions/${transactionId}/void`))
      return toUuid('txn', transactionId) ?? ''
    }
    const counted = await holdAndVoid()
    await keepBooks(parts(), late.organizationId, 100)
    await declineLate(counted)
    await declineLate(await holdAndVoid())
    await keepBooks(parts(), late.organizationId, 100)
    const { data } = bodyOf(await late.get('/analytics/spend?groupBy=code,agent'))
    const group = { code: 'deadline_passed', agent: spender }
    expect(data).toMatchObject([{ group, count: 2, held: 0, settled: 0 }])
  })

  test('rebuilding mends sums that are wrong, while a worker keeps them', async () => {
    const { db } = app.database
    const worker = startAnalytics({ db, clock: app.time.read, log: silentLog })
    try {
      expect(await keepBooks(parts(), owner.organizationId, 100)).toBe(true)
      const right = (await ask('groupBy=vendor')).data
      await app.rows(
        'update analytics_cells set settled = settled + 1 where organization_id = $1',
        [owner.organizationId],
      )
      expect((await ask('groupBy=vendor')).data).not.toEqual(right)
      worker.wake()
      const organization = toPublicId('org', owner.organizationId)
      const { counted } = await rebuildAnalytics({ db }, organization, () => {})
      expect(counted).toBeGreaterThan(0)
      expect((await ask('groupBy=vendor')).data).toEqual(right)
    } finally {
      await worker.stop()
    }
  })

  test.runIf(usualEngine() === 'postgres')(
    'several processes count everything once, while it is decided',
    async () => {
      const other = await joinTestApp(app)
      try {
        const workers = [app, other].map(({ time, database }) =>
          startAnalytics({ db: database.db, clock: time.read, log: silentLog }),
        )
        const stepping = Promise.all(
          Array.from({ length: 12 }, async (_, index) => {
            const { transactionId } = await evaluate(owner, agentId, { hold: { expiresIn: '1h' } })
            workers[index % 2]?.wake()
            await owner.post(
              `/transactions/${transactionId}/${index % 3 === 0 ? 'void' : 'settle'}`,
            )
            workers[(index + 1) % 2]?.wake()
          }),
        )
        await stepping
        for (const worker of workers) await worker.stop()
        expect(await keepBooks(parts(), owner.organizationId, 100)).toBe(true)
        const question = { metric: 'spend', groupBy: ['agent', 'vendor'] } as const
        const expected = sumExport(await readExport(app, owner), 'Asia/Tokyo', question)
        expect(await askSums(owner, question)).toEqual(expected)
      } finally {
        await other.stop()
      }
    },
  )
})

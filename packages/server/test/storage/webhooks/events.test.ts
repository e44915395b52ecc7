import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/engine/database.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { storeEvents, storeTransactionEvents } from '../../../src/storage/webhooks/events.ts'
import { queueEvents } from '../../../src/storage/webhooks/queue-events.ts'
import {
  type FeedReading,
  findEventNumber,
  findLastEvent,
  listEventsAfter,
  readFeed,
} from '../../../src/storage/webhooks/read-events.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { changesOf } from '../../support/changes.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { createRandom } from '../../support/random.ts'
import { STAYS_OPEN } from '../../support/row-lock.ts'
import { silentLog } from '../../support/silent-log.ts'
import { evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'

const AGENT = '019a8561-7c5e-7d40-9b5e-000000000002'

const someEvents = (count: number, decision = 'approved') =>
  Array.from({ length: count }, () => ({ id: newId(Date.now()), agentId: AGENT, decision }))

const REJECTED = ['transaction.rejected'] as const

/** Follows the feed of an organization by its numbers until it has seen this many. */
async function followFeed(db: Database, organizationId: string, count: number) {
  const seen: { readonly id: string; readonly number: bigint }[] = []
  await waitUntil(async () => {
    const after = seen.at(-1)?.number ?? 0n
    seen.push(...(await listEventsAfter(db, organizationId, after, undefined, 50)))
    return seen.length >= count
  })
  return seen
}

const numbersTo = (last: number, after = 0n) =>
  Array.from({ length: last }, (_, index) => after + BigInt(index + 1))

/** A feed without the numbers that the making of the organization has taken. */
async function withNewFeed(app: TestApp): Promise<Owner> {
  const owner = await app.organization()
  await app.rows('delete from changes where organization_id = $1', [owner.organizationId])
  await app.rows('update event_feeds set last_number = 0 where organization_id = $1', [
    owner.organizationId,
  ])
  return owner
}

describe('events', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    acme = await withNewFeed(app)
  })

  const store = ({ organizationId }: Owner, events: ReturnType<typeof someEvents>) =>
    app.database.db.query(storeTransactionEvents(organizationId, Date.now(), events))

  test('are numbered from one without a gap, by organization, in the order of a batch', async () => {
    const { db } = app.database
    const globex = await withNewFeed(app)
    expect(await findLastEvent(db, acme.organizationId)).toBeUndefined()
    const [first, other, second] = [someEvents(3), someEvents(2), someEvents(4)]
    await store(acme, first)
    await store(globex, other)
    await store(acme, second)
    const feed = await listEventsAfter(db, acme.organizationId, 0n, undefined, 100)
    expect(feed.map(({ number }) => number)).toEqual(numbersTo(7))
    expect(feed.map(({ id }) => id)).toEqual([...first, ...second].map(({ id }) => id))
    expect((await findLastEvent(db, acme.organizationId))?.number).toBe(7n)
    expect(await findEventNumber(db, acme.organizationId, second[0]?.id ?? '')).toBe(4n)
    expect(await findEventNumber(db, acme.organizationId, other[0]?.id ?? '')).toBe(undefined)
  })

  test('of a kind that is rare are gone on from behind everything that was looked at', async () => {
    const rare = someEvents(2, 'rejected')
    await store(acme, [...someEvents(3), ...rare, ...someEvents(4)])
    const read = async (after: bigint, limit: number) => {
      const { db } = app.database
      const reading = await readFeed(db, acme.organizationId, after, REJECTED, limit)
      return { ids: reading.events.map(({ id }) => id), lookedTo: reading.lookedTo }
    }
    const ids = rare.map(({ id }) => id)
    expect(await read(0n, 10)).toEqual({ ids, lookedTo: 9n })
    expect(await read(9n, 10)).toEqual({ ids: [], lookedTo: 9n })
    // There may be more of them where as many were found as were asked for.
    expect(await read(0n, 1)).toEqual({ ids: ids.slice(0, 1), lookedTo: 4n })
    expect(await read(4n, 1)).toEqual({ ids: ids.slice(1), lookedTo: 5n })
    expect(await read(5n, 1)).toEqual({ ids: [], lookedTo: 9n })
  })

  test('are queued under their own numbers, and only if somebody asks for it', async () => {
    const { organizationId } = acme
    const [kept, told, alike] = [someEvents(2), someEvents(2), someEvents(1)]
    await store(acme, kept)
    await app.database.db.transaction(async (tx) => {
      tx.send(storeTransactionEvents(organizationId, Date.now(), told))
      tx.send(storeTransactionEvents(organizationId, Date.now(), alike))
      tx.send(queueEvents(organizationId, Date.now(), [...told, ...alike]))
    })
    const rows = await app.database.db.query<{ id: string; number: bigint; failures: number }>({
      text: `select event_id as id, number, failures from webhook_queue
             where organization_id = $1 order by number`,
      values: [acme.organizationId],
    })
    const queued = [...told, ...alike]
    expect(rows).toEqual(queued.map(({ id }, at) => ({ id, number: BigInt(at + 3), failures: 0 })))
  })

  test('are refused where there is no feed to number them, and not lost', async () => {
    await app.rows('delete from event_feeds where organization_id = $1', [acme.organizationId])
    await expect(store(acme, someEvents(1))).rejects.toMatchObject({ column: 'number' })
  })

  test('that are not stored leave no gap in the numbers', async () => {
    const [event] = someEvents(1)
    await store(acme, event ? [event] : [])
    await expect(store(acme, event ? [event] : [])).rejects.toMatchObject({ code: '23505' })
    await app.database.db
      .transaction(async (tx) => {
        tx.send(storeTransactionEvents(acme.organizationId, Date.now(), someEvents(5)))
        throw new Error('given up')
      })
      .catch(() => {})
    await store(acme, someEvents(1))
    const feed = await listEventsAfter(app.database.db, acme.organizationId, 0n, undefined, 10)
    expect(feed.map(({ number }) => number)).toEqual([1n, 2n])
  })

  test('of budgets and tests keep their figures and their data', async () => {
    const nobody = { transactionId: null, agentId: null, mandateId: null }
    const nothing = { ...nobody, outcome: null, sample: null }
    const figures = { budgetTotal: 10_000_000n, budgetSpent: 8_000_000n }
    const budget = {
      ...nothing,
      ...figures,
      id: newId(Date.now()),
      kind: 'mandate.budget.warning',
    } as const
    const sample = { a: 'quoted "text"', b: [1, 'ä', null], c: '{x,y}\\' }
    const test = {
      ...nothing,
      id: newId(Date.now()),
      kind: 'transaction.rejected',
      budgetTotal: null,
      budgetSpent: null,
      sample: JSON.stringify(sample),
    } as const
    const events = [{ ...budget, agentId: AGENT, mandateId: AGENT }, test]
    await app.database.db.query(storeEvents(acme.organizationId, 1_000, events))
    const [first, second] = await listEventsAfter(
      app.database.db,
      acme.organizationId,
      0n,
      undefined,
      10,
    )
    expect(first).toMatchObject({ ...figures, mandateId: AGENT, agentId: AGENT, occurredAt: 1_000 })
    expect(second).toMatchObject({ kind: 'transaction.rejected', sample, transaction: null })
  })
})

describeOnPostgres('the feed of events, with several processes that write', () => {
  let app: TestApp
  let acme: Owner
  let writers: readonly Database[]

  beforeAll(async () => {
    app = await createTestApp('postgres')
    const open = () => openPostgres({ url: app.database.url, connectionsMax: 1 }, silentLog)
    writers = await Promise.all(Array.from({ length: 4 }, open))
  })
  afterAll(async () => {
    await Promise.all(writers.map((db) => db.close()))
    await app.stop()
  })
  beforeEach(async () => {
    acme = await withNewFeed(app)
  })

  const isWaiting = async () =>
    (
      await app.rows(`select 1 from pg_stat_activity
                      where datname = current_database() and wait_event_type = 'Lock'`)
    ).length > 0

  test('shows nothing that comes later before a transaction that commits late', async () => {
    const { organizationId } = acme
    const [slow, fast] = writers
    if (!slow || !fast) return
    const [early, late] = [someEvents(2), someEvents(2)]
    let other: Promise<unknown> = Promise.resolve()
    await slow.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query(storeTransactionEvents(organizationId, Date.now(), early))
      other = fast.query(storeTransactionEvents(organizationId, Date.now(), late))
      await waitUntil(isWaiting)
      expect(await listEventsAfter(app.database.db, organizationId, 0n, undefined, 10)).toEqual([])
      expect(await findLastEvent(app.database.db, organizationId)).toBeUndefined()
    })
    await other
    const feed = await listEventsAfter(app.database.db, organizationId, 0n, undefined, 10)
    expect(feed.map(({ id }) => id)).toEqual([...early, ...late].map(({ id }) => id))
    expect(feed.map(({ number }) => number)).toEqual(numbersTo(4))
  })

  test('is seen whole, once and in order by whoever follows it, also where commits come late', async () => {
    const { organizationId } = acme
    const random = createRandom(7)
    const BATCHES = 60
    const stored: string[] = []
    const rare: string[] = []
    const write = async (db: Database): Promise<void> => {
      for (let batch = 0; batch < BATCHES; batch++) {
        const isRare = batch % 6 === 0
        const events = someEvents(random.between(1, 5), isRare ? 'rejected' : 'approved')
        const ids = events.map(({ id }) => id)
        stored.push(...ids)
        if (isRare) rare.push(...ids)
        const isHeld = batch % 10 === 0
        await db.transaction(async (tx) => {
          await tx.query(storeTransactionEvents(organizationId, Date.now(), events))
          // Held open although all is stored: the others wait, and the reader must wait for it too.
          if (isHeld) await new Promise((resolve) => setTimeout(resolve, random.between(5, 60)))
        })
      }
    }
    const writing = Promise.all(writers.map(write))
    const readers = [undefined, REJECTED].map(async (kinds) => {
      const seen: bigint[] = []
      const ids: string[] = []
      let isOver = false
      void writing.then(() => {
        isOver = true
      })
      let wasOver: boolean
      let reading: FeedReading = { events: [], lookedTo: 0n, searchedTo: undefined }
      do {
        wasOver = isOver
        reading = await readFeed(app.database.db, organizationId, reading.lookedTo, kinds, 20)
        seen.push(...reading.events.map(({ number }) => number))
        ids.push(...reading.events.map(({ id }) => id))
      } while (!wasOver || reading.events.length > 0)
      return { seen, ids, lookedTo: reading.lookedTo }
    })
    const [all, few] = await Promise.all(readers)
    await writing
    expect(all?.seen).toEqual(numbersTo(stored.length))
    expect(all?.ids.toSorted()).toEqual(stored.toSorted())
    expect(few?.ids.toSorted()).toEqual(rare.toSorted())
    expect(few?.lookedTo).toBe(BigInt(stored.length))
  })

  test('holds every decision of two gateways once, in the order of the numbers', async () => {
    const other = await joinTestApp(app)
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000_000 })
    // What was changed until then has numbers, too.
    const before = (await changesOf(app, acme)).at(-1)?.number
    const clients = [acme, other.client(acme.apiKey)]
    const following = followFeed(app.database.db, acme.organizationId, 200)
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const client = clients[n % 2] ?? acme
        return evaluate(client, agentId, { amount: (n + 1) / 100 })
      }),
    )
    const seen = await following
    expect(seen.map(({ number }) => number)).toEqual(numbersTo(200, before))
    const digits = (id: string) => id.replaceAll('-', '')
    const decided = answers.map(({ transactionId }) => transactionId.replace('txn_', ''))
    expect(seen.map(({ id }) => digits(id)).toSorted()).toEqual(decided.toSorted())
    await other.stop()
  })
})

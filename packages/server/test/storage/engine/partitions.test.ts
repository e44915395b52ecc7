import { afterAll, beforeAll, expect, test } from 'vitest'
import { idAt } from '../../../src/core/id.ts'
import type { Database } from '../../../src/storage/engine/database.ts'
import { ensurePartitions } from '../../../src/storage/engine/partitions.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import {
  describeOnPostgres,
  describeOnUsualEngine,
  type TestDatabase,
} from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { createDatabaseWithoutMonths } from './without-months.ts'

const ORGANIZATION = '019a8561-7c5e-7d40-9b5e-000000000001'

/** An id of this instant; the tail tells ids of the same instant apart. */
const anId = (instant: number, tail: string) =>
  idAt(instant).replace(/0{12}$/, tail.padStart(12, '0'))

async function insertTransaction(db: Database, id: string): Promise<void> {
  await db.query({
    text: `insert into transactions (organization_id, id, agent_id, path, decision, status, code,
             amount, vendor, remaining_budget, details, held_amount, settled_amount,
             refunded_amount, created_at)
           values ($1, $2, $1, 'evaluate', 'rejected', 'rejected', 'no_active_mandate', 1,
                   'a.example.com', 0, '{}', 0, 0, 0, now())`,
    values: [ORGANIZATION, id],
  })
}

async function partitionOf(db: Database, id: string): Promise<unknown> {
  const [row] = await db.query({
    text: 'select tableoid::regclass::text as place from transactions where id = $1',
    values: [id],
  })
  return row?.['place']
}

async function partitionsOf(db: Database, table: string): Promise<unknown[]> {
  const rows = await db.query({
    text: `select inhrelid::regclass::text as name from pg_inherits
           where inhparent = $1::regclass order by name`,
    values: [table],
  })
  return rows.map((row) => row['name'])
}

describeOnUsualEngine('partitions', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabaseWithoutMonths(engine)
  })
  afterAll(() => database.drop())

  test('are made for this month and the next two, over the end of the year', async () => {
    await ensurePartitions(database.db, Date.UTC(2040, 10, 30, 23, 59))
    for (const table of ['transactions', 'webhook_events']) {
      const names = await partitionsOf(database.db, table)
      const months = ['2040_11', '2040_12', '2041_01'].map((month) => `${table}_${month}`)
      expect(names).toEqual([...months, `${table}_rest`])
    }
  })

  test('take the rows of their month, to the first and the last millisecond', async () => {
    const places: [number, string][] = [
      [Date.UTC(2040, 11, 1), 'transactions_2040_12'],
      [Date.UTC(2041, 0, 1) - 1, 'transactions_2040_12'],
      [Date.UTC(2041, 0, 1), 'transactions_2041_01'],
      [Date.UTC(2040, 10, 1) - 1, 'transactions_rest'],
      [Date.UTC(2041, 1, 1), 'transactions_rest'],
    ]
    for (const [instant, place] of places) {
      for (const id of [anId(instant, '0'), anId(instant, 'ffff')]) {
        await insertTransaction(database.db, id)
        expect(await partitionOf(database.db, id)).toBe(place)
      }
    }
  })

  test('are left as they are when they are there already', async () => {
    const before = await partitionsOf(database.db, 'transactions')
    await ensurePartitions(database.db, Date.UTC(2040, 10, 5))
    await ensurePartitions(database.db, Date.UTC(2040, 10, 5))
    expect(await partitionsOf(database.db, 'transactions')).toEqual(before)
  })

  test('cost one question where none is missing, and no lock', async () => {
    const sent: string[] = []
    const watched = watchDatabase(database.db, (text) => sent.push(text))
    await ensurePartitions(watched, Date.UTC(2040, 10, 5))
    expect(sent).toEqual([expect.stringContaining('pg_class')])
  })

  test('are no obstacle where rows of their month are in the default partition already', async () => {
    const early = anId(Date.UTC(2041, 1, 1), '0')
    expect(await partitionOf(database.db, early)).toBe('transactions_rest')
    await ensurePartitions(database.db, Date.UTC(2041, 0, 15))
    const [february, march] = [anId(Date.UTC(2041, 1, 20), 'b'), anId(Date.UTC(2041, 2, 20), 'a')]
    await insertTransaction(database.db, february)
    await insertTransaction(database.db, march)
    expect(await partitionOf(database.db, early)).toBe('transactions_rest')
    expect(await partitionOf(database.db, february)).toBe('transactions_rest')
    expect(await partitionOf(database.db, march)).toBe('transactions_2041_03')
  })
})

describeOnPostgres('partitions that several processes make at once', () => {
  test('are made once, and nobody fails', async () => {
    const database = await createDatabaseWithoutMonths('postgres')
    // As many as each needs at once: waiting for a connection has a limit of its own.
    const open = () => openPostgres({ url: database.url, connectionsMax: 3 }, silentLog)
    const processes = await Promise.all(Array.from({ length: 4 }, open))
    await Promise.all(
      processes.flatMap((db) =>
        [0, 1, 2].map((month) => ensurePartitions(db, Date.UTC(2050, month, 1))),
      ),
    )
    expect(await partitionsOf(database.db, 'transactions')).toHaveLength(6)
    await Promise.all(processes.map((db) => db.close()))
    await database.drop()
  })
})

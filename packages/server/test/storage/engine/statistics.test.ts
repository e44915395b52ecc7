import { afterAll, beforeAll, expect, test } from 'vitest'
import { analyzeGrownTables } from '../../../src/storage/engine/statistics.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  describeOnUsualEngine,
  type Engine,
  type TestDatabase,
} from '../../support/database.ts'
import { STAYS_OPEN } from '../../support/row-lock.ts'
import { waitUntil } from '../../support/wait-until.ts'

const ORGANIZATION = '019a8561-7c5e-7d40-9b5e-000000000001'

/** Without the server's own daemon, which may come by at any time. */
async function aDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await createTestDatabase(engine)
  await database.db.query({ text: 'alter table webhook_queue set (autovacuum_enabled = false)' })
  return database
}

const grow = ({ db }: TestDatabase, count: number) =>
  db.query({
    text: `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
           select $1, gen_random_uuid(), gen_random_uuid(), n, false, now()
           from generate_series(1, $2::int) as n`,
    values: [ORGANIZATION, count],
  })

/** How many rows the planner takes the queue for; -1 before anybody has looked. */
async function estimateOf({ db }: TestDatabase): Promise<number> {
  const [row] = await db.query<{ rows: number }>({
    text: `select reltuples::int as rows from pg_class where relname = 'webhook_queue'`,
  })
  return row?.rows ?? 0
}

describeOnUsualEngine('the figures of the planner', (engine) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await aDatabase(engine)
  })
  afterAll(() => database.drop())

  /** The server counts changes with a delay, so this may have to be asked for more than once. */
  async function analyzedTo(rows: number): Promise<void> {
    await waitUntil(async () => {
      await analyzeGrownTables(database.db)
      return (await estimateOf(database)) === rows
    })
  }

  test('are left alone for a table that is small', async () => {
    const before = await estimateOf(database)
    await grow(database, 100)
    await analyzeGrownTables(database.db)
    expect(await estimateOf(database)).toBe(before)
  })

  test('are made anew for a table that has grown to three times what they say, and not before', async () => {
    await grow(database, 900)
    await analyzedTo(1_000)
    await grow(database, 1_000)
    await grow(database, 10)
    for (let n = 0; n < 5; n++) await analyzeGrownTables(database.db)
    expect(await estimateOf(database)).toBe(1_000)
    await grow(database, 2_000)
    await analyzedTo(4_010)
  })
})

describeOnPostgres('the figures of the planner', () => {
  test('are not waited for where another process holds the table', async () => {
    const database = await aDatabase('postgres')
    await grow(database, 1_000)
    await database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'lock table webhook_queue in share update exclusive mode' })
      await analyzeGrownTables(database.db)
    })
    await waitUntil(async () => {
      await analyzeGrownTables(database.db)
      return (await estimateOf(database)) === 1_000
    })
    await database.drop()
  })
})

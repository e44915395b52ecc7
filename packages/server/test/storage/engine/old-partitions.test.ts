import { afterAll, beforeAll, expect, test } from 'vitest'
import { idAt } from '../../../src/core/id.ts'
import { dropIfEmpty, listOldPartitions } from '../../../src/storage/engine/old-partitions.ts'
import { ensurePartitions } from '../../../src/storage/engine/partitions.ts'
import {
  describeOnPostgres,
  describeOnUsualEngine,
  type TestDatabase,
} from '../../support/database.ts'
import { STAYS_OPEN } from '../../support/row-lock.ts'
import { createDatabaseWithoutMonths } from './without-months.ts'

const ORGANIZATION = '019a8561-7c5e-7d40-9b5e-000000000001'
const MAY = { table: 'webhook_events', name: 'webhook_events_2031_05' }
const JUNE = { table: 'webhook_events', name: 'webhook_events_2031_06' }

let database: TestDatabase

/** May, June and July of that year. */
async function open(engine?: 'embedded' | 'postgres'): Promise<void> {
  database = await createDatabaseWithoutMonths(engine)
  await ensurePartitions(database.db, Date.UTC(2031, 4, 15))
}

const insertEvent = (at: number) =>
  database.db.query({
    text: `insert into webhook_events (organization_id, id, kind, occurred_at, number)
           values ($1, $2, 'transaction.approved', now(), 1)`,
    values: [ORGANIZATION, idAt(at)],
  })

const namesBy = async (now: number): Promise<string[]> =>
  (await listOldPartitions(database.db, ['webhook_events'], now)).map(({ name }) => name)

describeOnUsualEngine('a month of history', (engine) => {
  beforeAll(() => open(engine))
  afterAll(() => database.drop())

  test('is old a month after its end, and what has no month never is', async () => {
    expect(await namesBy(Date.UTC(2031, 6, 1))).toEqual([])
    expect(await namesBy(Date.UTC(2031, 6, 4))).toEqual([MAY.name])
    expect(await namesBy(Date.UTC(2041, 0, 1))).toEqual([
      MAY.name,
      JUNE.name,
      'webhook_events_2031_07',
    ])
  })

  test('is dropped only where it is empty', async () => {
    await insertEvent(Date.UTC(2031, 4, 20))
    expect(await dropIfEmpty(database.db, MAY)).toBe('kept')
    expect(await dropIfEmpty(database.db, JUNE)).toBe('dropped')
    await database.db.query({ text: 'delete from webhook_events' })
    expect(await dropIfEmpty(database.db, MAY)).toBe('dropped')
    expect(await namesBy(Date.UTC(2041, 0, 1))).toEqual(['webhook_events_2031_07'])
  })
})

describeOnPostgres('a month that somebody uses', () => {
  beforeAll(() => open('postgres'))
  afterAll(() => database.drop())

  test('is left for another time, and keeps nobody waiting meanwhile', async () => {
    await database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'select 1 from webhook_events limit 1' })
      expect(await dropIfEmpty(database.db, MAY)).toBe('busy')
      await insertEvent(Date.UTC(2031, 5, 20))
    })
    expect(await dropIfEmpty(database.db, MAY)).toBe('dropped')
  })

  test('is kept if an event comes while it waits', async () => {
    let dropping: Promise<unknown> | undefined
    await database.db.transaction(async (tx) => {
      await tx.query({ text: 'delete from webhook_events' })
    })
    await database.db.transaction(async (tx) => {
      await tx.query({
        text: `insert into webhook_events (organization_id, id, kind, occurred_at, number)
               values ($1, $2, 'transaction.approved', now(), 2)`,
        values: [ORGANIZATION, idAt(Date.UTC(2031, 5, 21))],
      })
      dropping = dropIfEmpty(database.db, JUNE)
    })
    expect(await dropping).not.toBe('dropped')
    expect(await namesBy(Date.UTC(2041, 0, 1))).toContain(JUNE.name)
  })
})

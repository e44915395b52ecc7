import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'
import { startWireCounter, type WireCounter } from './wire-counter.ts'

describeOnPostgres('the counter on the wire', () => {
  let database: TestDatabase
  let wire: WireCounter
  let db: Database
  const ONE = { text: 'select 1' }
  const NAMED = { name: 'two', text: 'select $1::int', values: [2] }

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    wire = await startWireCounter(database.url)
    db = await openPostgres({ url: wire.url, connectionsMax: 1 }, silentLog)
    await db.query(ONE)
  })
  afterAll(async () => {
    await db?.close()
    await wire?.close()
    await database?.drop()
  })

  test('counts a round trip for each answer that is waited for', async () => {
    const { roundTrips, statements } = await wire.count(async () => {
      await db.query(ONE)
      await db.query(ONE)
    })
    expect([roundTrips, statements]).toEqual([2, ['select 1', 'select 1']])
  })

  test('counts one round trip for what is sent together', async () => {
    const { roundTrips, statements } = await wire.count(() =>
      db.transaction(async (tx) => {
        await Promise.all([tx.query(ONE), tx.query(ONE), tx.query(ONE)])
        tx.send(ONE)
      }),
    )
    const ones = Array(3).fill('select 1')
    expect([roundTrips, statements]).toEqual([2, ['begin', ...ones, 'select 1', 'commit']])
  })

  test('counts a round trip for what follows the first of several answers', async () => {
    const { roundTrips } = await wire.count(() =>
      db.transaction(async (tx) => {
        await Promise.all([tx.query(ONE).then(() => tx.query(ONE)), tx.query(ONE)])
      }),
    )
    expect(roundTrips).toBe(3)
  })

  test('tells what was parsed from what was prepared, and names both', async () => {
    const first = await wire.count(() => db.query(NAMED))
    const second = await wire.count(() => db.query(NAMED))
    expect([first.parses, second.parses]).toEqual([1, 0])
    expect(second.statements).toEqual(['select $1::int'])
  })
})

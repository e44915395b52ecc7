import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../src/storage/engine/database.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { waitUntil } from '../../support/wait-until.ts'

const UNAVAILABLE = { code: 'storage_unavailable', retryAfterSeconds: 1 }

describeOnPostgres('a connection that is cut without a word', () => {
  let test: TestDatabase
  let proxy: TcpProxy
  let db: Database
  beforeEach(async () => {
    test = await createTestDatabase('postgres')
    await test.db.query({ text: 'create table notes (id int)' })
    proxy = await startTcpProxy(test.url)
    db = await openPostgres({ url: proxy.url }, silentLog)
  })
  afterEach(async () => {
    await db.close()
    await proxy.close()
    await test.drop()
  })

  const insert = { text: 'insert into notes values (1)' }
  const countNotes = async () => {
    const text = 'select count(*)::int as notes from notes'
    return (await test.db.query({ text }))[0]?.['notes']
  }

  it('at the commit leaves the outcome unknown: told as unavailable, though it is stored', async () => {
    proxy.cutAnswerTo('commit')
    await expect(db.transaction((tx) => tx.query(insert))).rejects.toMatchObject(UNAVAILABLE)
    await waitUntil(async () => (await countNotes()) === 1)
    expect(await db.isReady()).toBe(true)
  })

  it('within a transaction is told as unavailable, and nothing is stored', async () => {
    proxy.cutAnswerTo('insert into notes')
    await expect(db.transaction((tx) => tx.query(insert))).rejects.toMatchObject(UNAVAILABLE)
    expect(await db.query({ text: 'select id from notes' })).toEqual([])
  })

  it('at a single statement is told as unavailable, and the next one is answered', async () => {
    proxy.cutAnswerTo('insert into notes')
    await expect(db.query(insert)).rejects.toMatchObject(UNAVAILABLE)
    expect(await db.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }])
  })
})

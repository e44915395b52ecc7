import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countMigrations } from '../../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../support/database.ts'
import { holdLocks } from '../../support/row-lock.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitUntil } from '../../support/wait-until.ts'

const UNAVAILABLE = { code: 'storage_unavailable', status: 503, retryAfterSeconds: 1 }

describeOnPostgres('the connection to PostgreSQL', () => {
  let test: TestDatabase
  let other: Awaited<ReturnType<typeof openPostgres>>
  beforeEach(async () => {
    test = await createTestDatabase('postgres')
    other = await openPostgres(test, silentLog)
    await other.query({ text: 'create table notes (id int)' })
  })
  afterEach(async () => {
    await other.close()
    await test.drop()
  })

  const backendOf = async (db: { query: typeof test.db.query }) => {
    const [row] = await db.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
    return row?.pid ?? 0
  }
  const terminate = (pid: number) =>
    other.query({ text: 'select pg_terminate_backend($1, 5000)', values: [pid] })

  it('lost in a transaction is told as unavailable, keeps nothing, and is made again', async () => {
    const outcome = test.db.transaction(async (tx) => {
      await tx.query({ text: 'insert into notes values (1)' })
      await terminate(await backendOf(tx))
      await tx.query({ text: 'insert into notes values (2)' })
    })
    await expect(outcome).rejects.toMatchObject(UNAVAILABLE)
    expect(await test.db.query({ text: 'select id from notes' })).toEqual([])
  })

  it('lost before the commit is told as unavailable, though every statement went well', async () => {
    const outcome = test.db.transaction(async (tx) => {
      await tx.query({ text: 'insert into notes values (1)' })
      await terminate(await backendOf(tx))
      return 'committed'
    })
    await expect(outcome).rejects.toMatchObject(UNAVAILABLE)
    expect(await other.query({ text: 'select id from notes' })).toEqual([])
    expect(await test.db.isReady()).toBe(true)
  })

  it('lost while a statement runs is told as unavailable', async () => {
    const pids: number[] = []
    const outcome = test.db.transaction(async (tx) => {
      pids.push(await backendOf(tx))
      await tx.query({ text: 'select pg_sleep(60)' })
    })
    const expected = expect(outcome).rejects.toMatchObject(UNAVAILABLE)
    await waitUntil(() => pids.length === 1)
    await terminate(pids[0] ?? 0)
    await expected
  })

  it('lost while it was idle is noticed by nobody', async () => {
    await terminate(await backendOf(test.db))
    await waitUntil(() => test.db.isReady())
    expect(await test.db.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }])
  })

  it('is waited for in vain when all are in use', async () => {
    const single = await openPostgres({ ...test, connectionsMax: 1 }, silentLog)
    const outcome = single.transaction(() => single.query({ text: 'select 1' }))
    await expect(outcome).rejects.toMatchObject(UNAVAILABLE)
    expect(await single.isReady()).toBe(true)
    await single.close()
  })

  it.each([
    ['a lock was waited for in vain', 'lock_timeout', 'lock table notes'],
    ['a statement took too long', 'statement_timeout', 'select pg_sleep(600)'],
  ])('is used again after %s: nothing is wrong with it', async (_, limit, text) => {
    const single = await openPostgres({ ...test, connectionsMax: 1 }, silentLog)
    const locks = await holdLocks(other, { text: 'lock table notes' })
    const pids: number[] = []
    const outcome = single.transaction(async (tx) => {
      pids.push(await backendOf(tx))
      tx.send({ text: `set local ${limit} = '1ms'` })
      await tx.query({ text })
    })
    await expect(outcome).rejects.toMatchObject(UNAVAILABLE)
    expect(pids).toEqual([await backendOf(single)])
    await locks.release()
    await single.close()
  })

  it('has limits on statements, locks and idle transactions', async () => {
    const [row] = await test.db.query({
      text: `select current_setting('statement_timeout') as statement,
                    current_setting('lock_timeout') as lock,
                    current_setting('idle_in_transaction_session_timeout') as idle,
                    current_setting('application_name') as name`,
    })
    const name = `purser/${await countMigrations()}`
    expect(row).toEqual({ statement: '30s', lock: '10s', idle: '5s', name })
  })

  it('runs statements without compiling them first, which can take seconds', async () => {
    const [row] = await test.db.query({ text: `select current_setting('jit') as jit` })
    expect(row).toEqual({ jit: 'off' })
  })

  it('reports a gap when the one for notifications is lost, and again when it is back', async () => {
    const heard: string[] = []
    const onMessage = (payload: string) => heard.push(payload)
    await test.db.listen('news', { onMessage, onGap: () => heard.push('gap') })
    const listening = `select pid from pg_stat_activity
                       where query like 'listen %' and datname = current_database()`
    const [row] = await other.query<{ pid: number }>({ text: listening })
    await terminate(row?.pid ?? 0)
    await waitUntil(() => heard.length === 2)
    await other.query({ text: "select pg_notify('news', 'after')" })
    await waitUntil(() => heard.length === 3)
    expect(heard).toEqual(['gap', 'gap', 'after'])
  })

  it('for notifications ends with the database', async () => {
    const db = await openPostgres(test, silentLog)
    await db.listen('news', { onMessage: () => {}, onGap: () => {} })
    await db.close()
    const text = `select count(*)::int as listening from pg_stat_activity
                  where query like 'listen %' and datname = current_database()`
    await waitUntil(async () => (await other.query({ text }))[0]?.['listening'] === 0)
  })
})

describeOnPostgres('a server that does not sync commits', () => {
  it('is used with a warning', async () => {
    const test = await createTestDatabase('postgres')
    const name = new URL(test.url).pathname.slice(1)
    await test.db.query({ text: `alter database ${name} set synchronous_commit = off` })
    const warnings: unknown[] = []
    const log = { ...silentLog, warn: (...warning: unknown[]) => warnings.push(warning) }
    const db = await openPostgres(test, log)
    expect(warnings).toEqual([
      [
        expect.objectContaining({ synchronous_commit: 'off' }),
        expect.stringContaining('does not sync commits to disk'),
      ],
    ])
    await db.close()
    await test.drop()
  })
})

describeOnPostgres('a server that is too old', () => {
  it('is refused', async () => {
    const test = await createTestDatabase('postgres')
    const name = new URL(test.url).pathname.slice(1)
    // There is no old server to ask, so a function that answers like one is put before the real one.
    await test.db.query({
      text: `create schema older;
             create function older.current_setting(name text) returns text language sql as $$
               select case name when 'server_version_num' then '140012' else '14.12' end $$;
             alter database ${name} set search_path = older, pg_catalog, public`,
    })
    await expect(openPostgres(test, silentLog)).rejects.toThrow(
      'PostgreSQL 14.12 is too old. Purser needs version 15 or newer.',
    )
    await test.drop()
  })
})

describe('opening PostgreSQL', () => {
  it('says that nobody listens at the address', async () => {
    const port = await closedPort()
    const opening = openPostgres({ url: `postgres://purser@127.0.0.1:${port}/purser` }, silentLog)
    await expect(opening).rejects.toThrow(/PostgreSQL cannot be reached: .*ECONNREFUSED/)
  })

  it('gives up on a server that accepts and stays silent', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const opening = openPostgres({ url: `postgres://purser@127.0.0.1:${port}/purser` }, silentLog)
    await expect(opening).rejects.toThrow(/PostgreSQL cannot be reached: .*time/i)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

async function closedPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

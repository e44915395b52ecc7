import { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database, Statement } from '../../../src/storage/engine/database.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../support/database.ts'

const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

/** Counts the Sync messages in each write of a connection. */
/** Watches the connection that sends `insert`: others of this process may write at any time. */
function watchWrites() {
  const writes: { readonly socket: Socket; readonly syncs: number; readonly isInsert: boolean }[] =
    []
  const original = Socket.prototype._writev
  if (!original) throw new Error('Sockets no longer join their writes.')
  const spy = vi.spyOn(Socket.prototype, '_writev').mockImplementation(function (
    this: Socket,
    chunks,
    done,
  ) {
    const messages = chunks.map((one) =>
      Buffer.isBuffer(one) ? one : Reflect.get(Object(one), 'chunk'),
    )
    writes.push({
      socket: this,
      syncs: messages.filter((message) => SYNC.equals(message)).length,
      isInsert: messages.some((message) => String(message).includes('insert-noted')),
    })
    return original.call(this, chunks, done)
  })
  const syncs = (): number[] => {
    const own = writes.find(({ isInsert }) => isInsert)?.socket
    return writes.filter(({ socket }) => socket === own).map((write) => write.syncs)
  }
  return { syncs, end: () => spy.mockRestore() }
}

const insert = (n: unknown): Statement => ({
  name: 'insert-noted',
  text: 'insert into noted (n) values ($1::int)',
  values: [n],
})
const divide = (by: string): Statement => ({
  name: 'divide',
  text: 'select 10 / $1::int as result',
  values: [by],
})

describeOnPostgres('statements that travel together', () => {
  let database: TestDatabase
  let db: Database
  const stored = async () => {
    const rows = await db.query<{ n: number }>({ text: 'select n from noted order by n' })
    return rows.map(({ n }) => n)
  }

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    db = database.db
    await db.query({ text: 'create table noted (n int)' })
  })
  beforeEach(() => db.query({ text: 'delete from noted' }))
  afterAll(() => database.drop())

  test('have one Sync per trip, and each gets its own rows', async () => {
    const run = () =>
      db.transaction(async (tx) => {
        const answers = await Promise.all([
          tx.query({ name: 'two', text: 'select 2 as n union all select 3 order by 1' }),
          tx.query({ name: 'none', text: 'select 1 as n where false' }),
          tx.query(divide('5')),
          tx.query({ text: 'select $1::bigint as big', values: ['7'] }),
        ])
        tx.send(insert('1'))
        return answers
      })
    const expected = [[{ n: 2 }, { n: 3 }], [], [{ result: 2 }], [{ big: 7n }]]
    expect(await run()).toEqual(expected)
    const writes = watchWrites()
    try {
      expect(await run()).toEqual(expected)
      expect(writes.syncs()).toEqual([1, 1])
    } finally {
      writes.end()
    }
    expect(await stored()).toEqual([1, 1])
  })

  test('fail together behind the first that fails, with the commit, and leave the connection usable', async () => {
    const late: Statement = { name: 'late', text: 'select 4 as n' }
    const failed = db.transaction(async (tx) => {
      tx.send(insert('1'))
      tx.send(divide('0'))
      // The server skips these, so they must be prepared later.
      tx.send(late)
      tx.send(insert('2'))
    })
    await expect(failed).rejects.toThrow('division by zero')
    expect(await stored()).toEqual([])
    const rows = await db.transaction(async (tx) => {
      const found = await Promise.all([tx.query(late), tx.query(divide('5'))])
      tx.send(insert('3'))
      return found
    })
    expect(rows).toEqual([[{ n: 4 }], [{ result: 2 }]])
    expect(await stored()).toEqual([3])
  })

  test('are rolled back if a value cannot be sent', async () => {
    const circle: { self?: object } = {}
    circle.self = circle
    const failed = db.transaction(async (tx) => {
      tx.send(insert('1'))
      tx.send({ name: 'circle', text: 'select $1::json', values: [circle] })
    })
    await expect(failed).rejects.toThrow('circular')
    expect(await stored()).toEqual([])
    await db.transaction(async (tx) => tx.send(insert('2')))
    expect(await stored()).toEqual([2])
  })

  test('see what was committed while one before them waited for a lock', async () => {
    await db.query({ text: 'create table locked (id int primary key, n int)' })
    await db.query({ text: 'insert into locked values (1, 0)' })
    await db.query(insert('1'))
    let waiting: Promise<unknown[][]> | undefined
    await db.transaction(async (tx) => {
      await tx.query({ text: 'select 1 from locked where id = 1 for update' })
      waiting = db.transaction((other) =>
        Promise.all([
          other.query({ name: 'lock', text: 'select n from locked where id = 1 for update' }),
          other.query({ name: 'behind', text: 'select n from noted' }),
        ]),
      )
      await vi.waitUntil(async () => {
        const text = "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
        return (await db.query({ text })).length > 0
      })
      await tx.query({ text: 'update noted set n = 2' })
    })
    expect(await waiting).toEqual([[{ n: 0 }], [{ n: 2 }]])
  })

  test('are refused if a migration has changed their columns, and never read in the old shape', async () => {
    await db.query({ text: 'create table shaped (a int, b text)' })
    await db.query({ text: "insert into shaped values (1, 'x')" })
    const read: Statement = { name: 'read-shaped', text: 'select * from shaped' }
    const readOnce = () => db.transaction((tx) => tx.query(read))
    expect(await readOnce()).toEqual([{ a: 1, b: 'x' }])
    await db.query({ text: 'alter table shaped drop column a' })
    await expect(readOnce()).rejects.toThrow('cached plan must not change result type')
  })
})

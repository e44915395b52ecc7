import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Problem } from '../../../src/base/errors.ts'
import {
  createTestDatabase,
  describeOnEveryEngine,
  type TestDatabase,
} from '../../support/database.ts'
import { waitUntil } from '../../support/wait-until.ts'

describeOnEveryEngine('a database', (engine) => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase(engine)
    await test.db.query({ text: 'create table amounts (id int primary key, amount int8)' })
    await test.db.query({
      text: `create table later (id int,
               constraint later_is_unique unique (id) deferrable initially deferred)`,
    })
  })
  beforeEach(async () => {
    await test.db.query({ text: 'truncate amounts, later' })
  })
  afterAll(() => test.drop())

  const insert = (id: number) => ({ text: 'insert into amounts values ($1, 1)', values: [id] })
  const countRows = async (table = 'amounts') => {
    const [row] = await test.db.query({ text: `select count(*)::int as rows from ${table}` })
    return row?.['rows']
  }

  it('keeps a transaction that ends well, and gives what it returned', async () => {
    const result = await test.db.transaction(async (tx) => {
      await tx.query(insert(1))
      return 'done'
    })
    expect(result).toBe('done')
    expect(await countRows()).toBe(1)
  })

  it('rolls back a transaction that throws, and throws the same error', async () => {
    const mistake = new Error('mistake')
    const outcome = test.db.transaction(async (tx) => {
      await tx.query(insert(1))
      throw mistake
    })
    await expect(outcome).rejects.toBe(mistake)
    expect(await countRows()).toBe(0)
  })

  it('keeps a write that follows a transaction which threw before its first statement', async () => {
    // `begin` is on its way and not answered when it throws; the connection must not stay inside it.
    const refused = test.db.transaction(async () => {
      throw new Error('refused at once')
    })
    await expect(refused).rejects.toThrow('refused at once')
    await test.db.query(insert(1))
    await expect(
      test.db.transaction(async () => Promise.reject(new Error('again'))),
    ).rejects.toThrow()
    expect(await countRows()).toBe(1)
  })

  it('fails with the error of a statement that was only sent, and stores nothing', async () => {
    const failing = test.db.transaction(async (tx) => {
      tx.send(insert(1))
      tx.send(insert(1))
      return 'done'
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await countRows()).toBe(0)
  })

  it('sends what is to be the last behind everything else, and fails with it', async () => {
    const insertNext = { text: 'insert into amounts select 10 + count(*), 1 from amounts' }
    await test.db.transaction(async (tx) => {
      tx.sendLast(insertNext)
      await tx.query(insert(1))
      tx.send(insert(2))
    })
    const rows = await test.db.query({ text: 'select id from amounts order by id' })
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 12 }])
    const failing = test.db.transaction(async (tx) => {
      tx.sendLast(insert(1))
      await tx.query(insert(3))
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await countRows()).toBe(3)
  })

  it('rolls back and says so when the failure of a statement was swallowed', async () => {
    const outcome = test.db.transaction(async (tx) => {
      await tx.query(insert(1))
      await tx.query(insert(1)).catch(() => undefined)
    })
    await expect(outcome).rejects.toThrow('The transaction was rolled back')
    expect(await countRows()).toBe(0)
  })

  it('reports a constraint that is only checked at commit, and keeps nothing', async () => {
    const outcome = test.db.transaction(async (tx) => {
      await tx.query({ text: 'insert into later values (1), (1)' })
    })
    await expect(outcome).rejects.toMatchObject({ code: '23505', constraint: 'later_is_unique' })
    expect(await countRows('later')).toBe(0)
  })

  it('can be used after every kind of failure', async () => {
    await expect(test.db.query({ text: 'select 1 / 0' })).rejects.toMatchObject({ code: '22012' })
    await expect(test.db.query({ text: 'selec' })).rejects.toMatchObject({ code: '42601' })
    const failing = test.db.transaction((tx) => tx.query({ text: 'select 1 / 0' }))
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    const named = { name: 'fails', text: 'select 1 / $1::int as one', values: [0] }
    await expect(test.db.query(named)).rejects.toMatchObject({ code: '22012' })
    expect(await test.db.query({ ...named, values: [1] })).toEqual([{ one: 1 }])
  })

  it('runs statements that are sent together in the order they were sent', async () => {
    const rows = await test.db.transaction(async (tx) => {
      const sent = [1, 2, 3].map((id) => tx.query(insert(id)))
      const counted = tx.query({ text: 'select count(*)::int as rows from amounts' })
      await Promise.all(sent)
      return counted
    })
    expect(rows).toEqual([{ rows: 3 }])
  })

  it('keeps nothing when one of the statements that were sent together fails', async () => {
    const outcome = test.db.transaction((tx) =>
      Promise.all([1, 2, 2, 3].map((id) => tx.query(insert(id)))),
    )
    await expect(outcome).rejects.toMatchObject({ code: '23505' })
    expect(await countRows()).toBe(0)
  })

  it('refuses a statement of a transaction that has ended', async () => {
    const tx = await test.db.transaction(async (open) => open)
    await expect(tx.query(insert(1))).rejects.toThrow('The transaction has ended')
    expect(await countRows()).toBe(0)
  })

  it('lets transactions wait for each other instead of mixing them', async () => {
    const add = () =>
      test.db.transaction(async (tx) => {
        const [row] = await tx.query<{ amount: bigint }>({
          text: 'select amount from amounts where id = 1 for update',
        })
        const values = [(row?.amount ?? 0n) + 1n]
        await tx.query({ text: 'update amounts set amount = $1 where id = 1', values })
      })
    await test.db.query(insert(1))
    await Promise.all(Array.from({ length: 30 }, add))
    const rows = await test.db.query({ text: 'select amount from amounts' })
    expect(rows).toEqual([{ amount: 31n }])
  })

  it('turns a constraint that a caller can break into a problem', async () => {
    await test.db.query({ text: 'create table named (id int)' })
    await test.db.query({
      text: `alter table named
             add constraint mandate_belongs_to_an_agent check (id > 0)`,
    })
    const outcome = test.db.query({ text: 'insert into named values (0)' })
    await expect(outcome).rejects.toBeInstanceOf(Problem)
    await expect(outcome).rejects.toMatchObject({ code: 'agent_not_found' })
  })

  it('delivers notifications to who listens, and stops when told', async () => {
    const heard: string[] = []
    const stop = await test.db.listen('News', {
      onMessage: (it) => heard.push(it),
      onGap: () => {},
    })
    await test.db.query({ text: "select pg_notify('News', 'one'), pg_notify('Other', 'x')" })
    await test.db.transaction((tx) => tx.query({ text: "select pg_notify('News', 'two')" }))
    await waitUntil(() => heard.length === 2)
    await stop()
    await test.db.query({ text: "select pg_notify('News', 'three')" })
    await test.db.query({ text: 'select 1' })
    expect(heard).toEqual(['one', 'two'])
  })

  it('does not hand on a transaction that somebody opened without closing it', async () => {
    await test.db.query({ text: 'begin' })
    await test.db.query({ text: 'insert into amounts values (1, 1)' })
    expect(await countRows()).toBe(1)
    await test.db.query({ text: 'rollback' })
    expect(await countRows()).toBe(1)
  })

  it('says that it is ready', async () => {
    expect(await test.db.isReady()).toBe(true)
  })
})

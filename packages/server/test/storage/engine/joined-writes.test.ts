import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { expect, test, vi } from 'vitest'
import { joinWrites } from '../../../src/storage/engine/joined-writes.ts'
import { createTestDatabase, describeOnPostgres } from '../../support/database.ts'

/** A client whose connection notes what is written at once. */
function aClient() {
  const written: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => done(void written.push(String(chunk))),
    writev: (chunks, done) => done(void written.push(chunks.map(({ chunk }) => chunk).join(' '))),
  })
  const client = { connection: { stream } } as unknown as PoolClient
  return { client, stream, written }
}

/** As the driver does it: several messages make a statement. */
function sendStatement(stream: Writable, name: string): void {
  stream.cork()
  stream.write(`bind ${name}`)
  stream.write('sync')
  stream.uncork()
}

test('what is sent at once is written at once, and what is sent later with what follows it', async () => {
  const { client, stream, written } = aClient()
  const join = joinWrites(client)
  const send = (name: string): void => {
    join()
    sendStatement(stream, name)
  }
  send('a')
  await Promise.resolve()
  send('b')
  expect(written).toEqual([])
  await setImmediate()
  expect(written).toEqual(['bind a sync bind b sync'])
  send('c')
  await setImmediate()
  expect(written).toEqual(['bind a sync bind b sync', 'bind c sync'])
})

describeOnPostgres('a transaction on a server', () => {
  test('writes its statements and its commit at once, and is rolled back whole', async () => {
    const { db, drop } = await createTestDatabase('postgres')
    await db.query({ text: 'create table noted (n int)' })
    const note = (n: string) => ({ text: 'insert into noted values ($1::int)', values: [n] })
    const notes = (...all: string[]) =>
      db.transaction(async (tx) => {
        for (const n of all) tx.send(note(n))
      })
    const write = vi.spyOn(Socket.prototype, '_writev')
    try {
      await notes('1', '2', '3')
      expect(write).toHaveBeenCalledTimes(1)
      await expect(notes('4', 'none', '5')).rejects.toThrow('invalid input')
      expect(await db.query({ text: 'select n from noted order by n' })).toHaveLength(3)
    } finally {
      write.mockRestore()
      await drop()
    }
  })
})

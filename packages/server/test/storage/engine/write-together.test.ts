import { Writable } from 'node:stream'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { writeTogether } from '../../../src/storage/engine/write-together.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** The part of the driver's client that is used, over a stream that notes what leaves together. */
function aClient() {
  const left: string[][] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      left.push([String(chunk)])
      done()
    },
    writev(chunks, done) {
      left.push(chunks.map(({ chunk }) => String(chunk)))
      done()
    },
  })
  const client = { connection: { stream } } as unknown as PoolClient
  const send = (text: string) => {
    writeTogether(client)
    stream.write(text)
  }
  return { client, left, send }
}

test('what is sent in one turn leaves in one write, also from promises of that turn', async () => {
  const { left, send } = aClient()
  send('begin')
  const read = Promise.resolve().then(async () => {
    send('lock')
    await Promise.resolve()
    send('commit')
  })
  expect(left).toEqual([])
  await read
  await waitUntil(() => left.length > 0)
  expect(left).toEqual([['begin', 'lock', 'commit']])
})

test('what is sent in a later turn does not wait for anything', async () => {
  const { left, send } = aClient()
  for (const [turn, text] of ['one', 'two'].entries()) {
    send(text)
    await waitUntil(() => left.length > turn)
  }
  expect(left).toEqual([['one'], ['two']])
})

test('a client without a stream is left alone', () => {
  expect(() => writeTogether({} as unknown as PoolClient)).not.toThrow()
})

import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutSilent } from '../../../src/storage/engine/cut-silent.ts'
import { sendAlone } from '../../../src/storage/engine/send.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../support/database.ts'

describeOnPostgres('a limit on the silence of PostgreSQL', () => {
  let test: TestDatabase
  let pool: Pool
  let endChecks: () => void
  beforeAll(async () => {
    test = await createTestDatabase('postgres')
    pool = new Pool({ connectionString: test.url, max: 2, pipeline: true })
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    endChecks = cutSilent(pool, 1_000)
  })
  afterAll(async () => {
    endChecks()
    await pool.end()
    await test.drop()
  })

  it('ends the connection of a query without an answer, and every query behind it', async () => {
    const client = await pool.connect()
    const silent = client.query('select pg_sleep(60)')
    const behind = client.query('select 1')
    await expect(silent).rejects.toThrow('Query read timeout')
    await expect(behind).rejects.toThrow(/Query read timeout|Connection terminated/)
    client.release(true)
  })

  it('leaves connections alone that answer one query after the other', async () => {
    const client = await pool.connect()
    for (let count = 0; count < 6; count += 1) await client.query('select pg_sleep(0.5)')
    const { rows } = await client.query('select 1 as one')
    expect(rows).toEqual([{ one: 1 }])
    client.release()
  })

  it('leaves a query alone that has a limit of its own', async () => {
    const client = await pool.connect()
    const answer = sendAlone(client, { text: 'select pg_sleep(3)', timeoutMs: 60_000 })
    await expect(answer).resolves.toMatchObject({ command: 'SELECT' })
    client.release()
  })
})

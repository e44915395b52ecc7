import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'

/** The server says what it says when its disk is full. */
const FILL = `
  create function refuse() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on agents for each row execute function refuse()`

describe.runIf(usualEngine() === 'postgres')('a PostgreSQL server whose disk is full', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
  })
  afterAll(() => app?.stop())

  test('is called that to a read as well, which leaves the gateway ready', async () => {
    const read = `do $$ begin raise exception 'no space for a sort' using errcode = '53100'; end $$`
    await expect(app.database.db.query({ text: read })).rejects.toMatchObject({
      code: 'storage_full',
    })
    expect((await app.app.inject('/readyz')).statusCode).toBe(200)
  })

  test('is called that, and the gateway is not ready', async () => {
    const ready = async () => (await app.app.inject('/readyz')).json()
    expect(await ready()).toMatchObject({ status: 'ready', storageFull: false })
    await app.rows(FILL)
    const { status, body, headers } = await acme.post('/agents', { name: 'New' })
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'storage_full', '30'])
    expect(body.detail).toContain('The disk of the database is full')
    const answer = await app.app.inject('/readyz')
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ status: 'not_ready', database: true, storageFull: true })
    expect(bodyOf(await acme.get('/agents')).data).toEqual([])
  })
})

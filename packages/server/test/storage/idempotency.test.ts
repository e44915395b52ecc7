import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claimIdempotencyKey,
  findStoredAnswers,
  removeExpiredAnswers,
  storeAnswer,
} from '../../src/storage/idempotency.ts'
import { newId } from '../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { DAY_MS } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'

const ANSWER = { fingerprint: Buffer.from('print'), answer: Buffer.from('answer') }
const NOW = Date.parse('2026-11-15T12:00:00Z')

describe('stored answers', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const space = newId(Date.now())
  const store = (key: string, at: number) =>
    app.database.db.transaction((tx) =>
      storeAnswer(tx, acme.organizationId, { space, key }, ANSWER, at),
    )
  const find = (organizationId: string, spaces: string[], key: string) =>
    app.database.db.transaction((tx) => findStoredAnswers(tx, organizationId, spaces, key))

  test('are found by their organization and in their space only', async () => {
    const { organizationId } = acme
    await store('mine', NOW)
    const found = [{ ...ANSWER, space, createdAt: NOW }]
    expect(await find(organizationId, [space], 'mine')).toEqual(found)
    expect(await find(organizationId, [newId(Date.now()), space], 'mine')).toEqual(found)
    expect(await find(organizationId, [newId(Date.now())], 'mine')).toEqual([])
    expect(await find(newId(Date.now()), [space], 'mine')).toEqual([])
  })

  test('are removed when their time is over, and the others stay', async () => {
    await store('old', NOW - 7 * DAY_MS)
    await store('young', NOW - 7 * DAY_MS + 1)
    expect(await removeExpiredAnswers(app.database.db, NOW)).toBe(1)
    expect(await removeExpiredAnswers(app.database.db, NOW)).toBe(0)
    const keys = await app.rows<{ key: string }>('select key from idempotency_keys')
    expect(keys.map(({ key }) => key)).toContain('young')
    expect(keys.map(({ key }) => key)).not.toContain('old')
  })

  test('are removed at most a thousand at once', async () => {
    await app.rows(
      `insert into idempotency_keys (organization_id, space, key, fingerprint, answer, created_at)
       select $1, $1, 'bulk' || n, '', '', '2020-01-01' from generate_series(1, 1001) n`,
      [acme.organizationId],
    )
    expect(await removeExpiredAnswers(app.database.db, NOW)).toBe(1_000)
    expect(await removeExpiredAnswers(app.database.db, NOW)).toBe(1)
  })
})

describeOnPostgres('a claimed key', () => {
  test('is refused to others until the transaction ends, however it ends', async () => {
    const app = await createTestApp('postgres')
    const { db } = app.database
    const [organization, space] = [newId(Date.now()), newId(Date.now())]
    const claim = (id: string, key: string, where = space) =>
      db.transaction((tx) => claimIdempotencyKey(tx, id, { space: where, key }))

    const ending = db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      expect(await claimIdempotencyKey(tx, organization, { space, key: 'key' })).toBe(true)
      expect(await claim(organization, 'key')).toBe(false)
      expect(await claim(organization, 'another')).toBe(true)
      expect(await claim(organization, 'key', newId(Date.now()))).toBe(true)
      expect(await claim(newId(Date.now()), 'key')).toBe(true)
      throw new Error('The process died.')
    })
    await expect(ending).rejects.toThrow('The process died.')
    expect(await claim(organization, 'key')).toBe(true)
    await app.stop()
  })
})

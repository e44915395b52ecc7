import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeyCache, type KeyCache } from '../../src/http/key-cache.ts'
import type { Database, Listener } from '../../src/storage/engine/queryable.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey } from '../support/builders.ts'

let app: TestApp
let acme: Owner
let cache: KeyCache
let announce: Listener
let queries = 0
let now = 0

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

beforeEach(async () => {
  const { db } = app.database
  const watched: Database = {
    ...db,
    query: (statement) => {
      queries++
      return db.query(statement)
    },
    // Announcements come when the test says so, and get lost when it does not.
    listen: async (_channel, listener) => {
      announce = listener
      return async () => {}
    },
  }
  cache = await createKeyCache(watched, () => now)
})

async function aKnownKey(): Promise<string> {
  const { prefix } = (await aKey(app, acme)).key
  expect(await isLive(prefix)).toBe(true)
  return prefix
}

async function isLive(prefix: string): Promise<boolean> {
  return (await cache.find(prefix)) !== undefined
}

const revokeInSilence = (prefix: string) =>
  app.rows('update api_keys set revoked_at = now() where public_id = $1', [prefix])

describe('the cache of keys', () => {
  test('asks the database again within a second, though no announcement came', async () => {
    const prefix = await aKnownKey()
    await revokeInSilence(prefix)
    now += 899
    expect(await isLive(prefix)).toBe(true)
    now += 1
    expect(await isLive(prefix)).toBe(false)
  })

  test('drops a key the moment its revocation is announced, and no other', async () => {
    const [one, two] = [await aKnownKey(), await aKnownKey()]
    await revokeInSilence(one)
    await revokeInSilence(two)
    announce.onMessage(one)
    expect([await isLive(one), await isLive(two)]).toEqual([false, true])
  })

  test('drops everything when announcements may have been missed', async () => {
    const prefix = await aKnownKey()
    await revokeInSilence(prefix)
    announce.onGap()
    expect(await isLive(prefix)).toBe(false)
  })

  test('asks for the plan together with a key that it has known, and after one that is new', async () => {
    const { prefix } = (await aKey(app, acme)).key
    const first = cache.find(prefix)
    const before = queries
    expect((await first)?.plan).toBe('self_hosted')
    expect(queries).toBe(before + 1)
    now += 900
    await app.rows(`update organizations set plan = 'pro' where id = $1`, [acme.organizationId])
    const again = cache.find(prefix)
    expect(queries).toBe(before + 3)
    expect((await again)?.plan).toBe('pro')
    expect(queries).toBe(before + 3)
  })

  test('remembers that a key does not exist', async () => {
    expect(await isLive('psr_test_0000000000')).toBe(false)
    const before = queries
    expect(await isLive('psr_test_0000000000')).toBe(false)
    expect(queries).toBe(before)
  })

  test('does not keep an answer that was on its way when keys were revoked', async () => {
    const { prefix } = (await aKey(app, acme)).key
    const reading = cache.find(prefix)
    announce.onMessage(prefix)
    await reading
    await revokeInSilence(prefix)
    expect(await isLive(prefix)).toBe(false)
  })
})

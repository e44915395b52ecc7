import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeyCache, type KeyCache } from '../../src/http/auth/key-cache.ts'
import type { Database, Listener } from '../../src/storage/engine/queryable.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let cache: KeyCache
let announce: Listener
let queries = 0
/** What a look-up has to wait for. */
let gate: Promise<void> | undefined
let inFlight = 0
let inFlightMost = 0
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
    query: async (statement) => {
      queries++
      inFlight++
      inFlightMost = Math.max(inFlightMost, inFlight)
      try {
        await gate
      } finally {
        inFlight--
      }
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
afterEach(() => cache.stop())

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
    expect((await first)?.terms.plan).toBe('self_hosted')
    expect(queries).toBe(before + 1)
    now += 900
    await app.rows(`update organizations set plan = 'pro' where id = $1`, [acme.organizationId])
    const again = cache.find(prefix)
    expect(queries).toBe(before + 3)
    expect((await again)?.terms.plan).toBe('pro')
    expect(queries).toBe(before + 3)
  })

  test('remembers that a key does not exist', async () => {
    expect(await isLive('psr_test_0000000000')).toBe(false)
    const before = queries
    expect(await isLive('psr_test_0000000000')).toBe(false)
    expect(queries).toBe(before)
  })

  test('asks again for one that does not exist as for one that does: key and plan together', async () => {
    expect(await isLive('psr_test_0000000001')).toBe(false)
    now += 900
    const before = queries
    const again = cache.find('psr_test_0000000001')
    expect(queries).toBe(before + 2)
    expect(await again).toBeUndefined()
    expect(queries).toBe(before + 2)
  })

  test('finds a key that did not exist a moment ago, with its plan', async () => {
    const { prefix } = (await aKey(app, acme)).key
    const publicId = 'psr_test_0000000002'
    expect(await isLive(publicId)).toBe(false)
    await app.rows('update api_keys set public_id = $2 where public_id = $1', [prefix, publicId])
    now += 900
    const found = await cache.find(publicId)
    expect([found?.key.prefix, found?.terms.plan]).toEqual([publicId, expect.any(String)])
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

describe('an answer that goes on', () => {
  let gone = 0
  const watched = (prefix: string) => cache.watch({ prefix }, () => gone++)

  beforeEach(() => {
    gone = 0
  })

  test('is told that its key is revoked, as soon as that is announced, once', async () => {
    const [one, other] = [await aKnownKey(), await aKnownKey()]
    watched(one)
    watched(other)
    await revokeInSilence(one)
    announce.onMessage(one)
    await waitUntil(() => gone > 0)
    announce.onMessage(one)
    announce.onGap()
    expect(await isLive(other)).toBe(true)
    expect(gone).toBe(1)
  })

  test('is told of it when announcements may have been missed', async () => {
    const prefix = await aKnownKey()
    watched(prefix)
    await revokeInSilence(prefix)
    announce.onGap()
    await waitUntil(() => gone === 1)
  })

  test('is told of it within a second, though no announcement came', async () => {
    const prefix = await aKnownKey()
    watched(prefix)
    await revokeInSilence(prefix)
    now += 900
    await waitUntil(() => gone === 1)
  })

  test('is told that its key has expired', async () => {
    const { prefix } = (await aKey(app, acme)).key
    await app.rows('update api_keys set expires_at = $2 where public_id = $1', [
      prefix,
      new Date(now + 10_000).toISOString(),
    ])
    expect(await isLive(prefix)).toBe(true)
    watched(prefix)
    now += 10_000
    await waitUntil(() => gone === 1)
  })

  test('is not told any more once it is over', async () => {
    const prefix = await aKnownKey()
    watched(prefix)()
    watched(prefix)
    await revokeInSilence(prefix)
    announce.onMessage(prefix)
    await waitUntil(() => gone === 1)
  })

  test('is told of it when the database can be asked again', async () => {
    const prefix = await aKnownKey()
    watched(prefix)
    await revokeInSilence(prefix)
    gate = Promise.reject(new Error('no database'))
    gate.catch(() => {})
    const before = queries
    now += 900
    await waitUntil(() => queries > before)
    gate = undefined
    await waitUntil(() => gone === 1)
  })
})

describe('guesses of keys', () => {
  let open: () => void

  beforeEach(() => {
    inFlightMost = 0
    gate = new Promise((resolve) => {
      open = () => {
        gate = undefined
        resolve()
      }
    })
  })

  const guess = (number: number) =>
    Promise.resolve(cache.find(`psr_test_${String(number).padStart(10, '0')}`)).then(
      () => 'answered',
      (error: Error) => ('code' in error ? error.code : error),
    )
  const guesses = (count: number) => Array.from({ length: count }, (_, number) => guess(number))

  test('are looked up few at a time', async () => {
    const all = guesses(300)
    expect(inFlight).toBe(4)
    open()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['answered']))
    expect(inFlightMost).toBe(4)
  })

  test('are refused when more wait than can be looked up soon', async () => {
    const all = guesses(2_000)
    const first = await Promise.race(all)
    expect(first).toBe('rate_limited')
    open()
    const answers = await Promise.all(all)
    expect(answers.filter((answer) => answer === 'answered')).toHaveLength(1_004)
    expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(996)
  })

  test('do not hold up a key that is known, though it has to be read again', async () => {
    open()
    const prefix = await aKnownKey()
    now += 1_000
    gate = new Promise(() => {})
    void guesses(2_000)
    gate = undefined
    expect(await isLive(prefix)).toBe(true)
  })

  test('let a key in that is seen for the first time', async () => {
    const { prefix } = (await aKey(app, acme)).key
    const all = guesses(900)
    const found = isLive(prefix)
    open()
    expect(await found).toBe(true)
    await Promise.all(all)
  })

  test('of one key at a time cost one look-up', async () => {
    const before = queries
    const all = Array.from({ length: 100 }, () => guess(7))
    open()
    await Promise.all(all)
    // The key, and a plan: as many as a key costs that exists.
    expect(queries - before).toBe(2)
  })

  test('that began before a revocation tell nothing to those that come after it', async () => {
    const { prefix } = (await aKey(app, acme)).key
    const before = isLive(prefix)
    await revokeInSilence(prefix)
    announce.onMessage(prefix)
    open()
    await before
    expect(await isLive(prefix)).toBe(false)
  })
})

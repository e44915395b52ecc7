import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mintApiKey } from '../../src/storage/secrets/api-key-secret.ts'
import { createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { aKey, withoutRequest } from '../support/builders.ts'
import { createTestDatabase } from '../support/database.ts'
import { headOf, openConnection } from '../support/raw-connection.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

/* What a caller without a valid key is told, and what telling it costs. */

let app: TestApp
let live: TestApp
let acme: Owner
const sent: string[] = []

beforeAll(async () => {
  const database = await createTestDatabase()
  app = await createTestAppOn(
    database,
    watchDatabase(database.db, (text) => sent.push(text)),
  )
  const other = await createTestDatabase()
  live = await createTestAppOn(other, other.db, { environment: 'production' })
  acme = await app.organization()
})
afterAll(async () => {
  await app.stop()
  await live.stop()
})

const ask = (authorization: string, of = app) => of.client('').get('/agents', { authorization })

/** A key whose public part is known here with another secret. */
async function aKeyWithOtherSecret(): Promise<string> {
  const { key } = await aKey(app, acme)
  await app.rows(
    `update api_keys set secret_hash = decode(repeat('ab', 32), 'hex') where public_id = $1`,
    [key.prefix],
  )
  return key.apiKey
}

describe('a 401 says', () => {
  test.each([
    ['that there is no header', '', 'has no Authorization header'],
    ['that it is not Bearer', 'Basic YTpi', 'does not begin with "Bearer "'],
    ['that it is not Bearer', 'psr_test_0123456789', 'does not begin with "Bearer "'],
    ['that the key is malformed', 'Bearer psr_test_0123456789', 'is not a complete API key'],
    ['that the key is malformed', 'Bearer a b', 'is not a complete API key'],
    [
      'that the key is not known',
      `Bearer ${mintApiKey('test').token}`,
      'is unknown: it is revoked',
    ],
    ['that the key is a live one', `Bearer ${mintApiKey('live').token}`, 'is a live key'],
  ])('%s: %s', async (_, authorization, sentence) => {
    const { status, body } = await ask(authorization)
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(body.detail).toContain(sentence)
    if (authorization.length > 20) expect(body.detail).not.toContain(authorization.slice(20))
  })

  test('that the key is a test one, on a live installation', async () => {
    const { status, body } = await ask(`Bearer ${mintApiKey('test').token}`, live)
    expect([status, body.detail]).toEqual([401, expect.stringContaining('is a test key')])
  })

  test('the same of a revoked key, a wrong secret and a key that never was', async () => {
    const { key } = await aKey(app, acme)
    await acme.delete(`/api-keys/${key.id}`)
    await waitUntil(async () => (await ask(`Bearer ${key.apiKey}`)).status === 401)
    const answers = [key.apiKey, await aKeyWithOtherSecret(), mintApiKey('test').token]
    const texts = await Promise.all(
      answers.map(async (apiKey) => withoutRequest(await ask(`Bearer ${apiKey}`))),
    )
    expect(new Set(texts).size).toBe(1)
  })

  test('that there are two headers, though both hold the same good key', async () => {
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const connection = await openConnection(url)
    onTestFinished(() => connection.end())
    const bearer = `Bearer ${acme.apiKey}`
    connection.write(headOf('GET', '/api/v1/agents', `Authorization: ${bearer}`))
    await waitUntil(() => connection.statuses().length === 1)
    const both = [`Authorization: ${bearer}`, `AUTHORIZATION: ${bearer}`]
    connection.write(headOf('GET', '/api/v1/agents', ...both))
    await waitUntil(() => connection.statuses().length === 2)
    await waitUntil(() => connection.received.text.includes('several Authorization headers'))
    expect(connection.statuses()).toEqual(['200', '401'])
  })
})

describe('a key that never was costs what a wrong secret costs', () => {
  /** Counts what Node is asked to compare and what the database is asked meanwhile. */
  async function costOf(apiKey: string) {
    const { timingSafeEqual } = crypto
    let comparisons = 0
    crypto.timingSafeEqual = (a, b) => {
      comparisons += 1
      return timingSafeEqual(a, b)
    }
    syncBuiltinESMExports()
    onTestFinished(() => {
      crypto.timingSafeEqual = timingSafeEqual
      syncBuiltinESMExports()
    })
    sent.length = 0
    expect((await ask(`Bearer ${apiKey}`)).status).toBe(401)
    crypto.timingSafeEqual = timingSafeEqual
    syncBuiltinESMExports()
    // Times of last use are written by and by, and may fall in between.
    const statements = sent.filter((text) =>
      /^select[^;]*from (api_keys|organizations) where/.test(text),
    )
    return { comparisons, statements }
  }

  test('one comparison of hashes, and the same statements', async () => {
    const wrong = await costOf(await aKeyWithOtherSecret())
    const unknown = await costOf(mintApiKey('test').token)
    expect(wrong.comparisons).toBe(1)
    expect(wrong.statements).toHaveLength(2)
    expect(unknown).toEqual(wrong)
  })
})
